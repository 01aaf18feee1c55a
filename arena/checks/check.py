"""What a compliance run finds out: one `Check` per thing that was looked at, under the number of its item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from ballcourt.arena.faults import describe_exit, describe_termination, excerpt
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import SeatFault

QUOTED_LINES = 14

Figures = Mapping[str, float]

START_ADVICE = (
    "see that the command of bot.toml works in the bot's folder, and that the program dials the socket "
    "BALLCOURT_SOCKET and sends Hello before it does anything slow"
)
ADVICE = {
    Termination.TERMINATION_ILLEGAL: "answer with one of the numbers in Decide.legal, nothing else",
    Termination.TERMINATION_TIMEOUT: "answer within Decide.limit_ms; leave some of it for the way",
    Termination.TERMINATION_CRASH: "the lines above are the last the bot wrote; repair that and check again",
    Termination.TERMINATION_PROTOCOL_ERROR: "compare what the bot sends with protocol.proto",
    Termination.TERMINATION_FAILED_TO_START: START_ADVICE,
    Termination.TERMINATION_REFUSED: "say in bot.toml and Hello only what is true: protocol, games, rules versions",
    Termination.TERMINATION_OUT_OF_MEMORY: "keep less in memory; the limits are those of the tournament file",
}


class Outcome(StrEnum):
    """How a check came out; skipped when something it needs had failed before."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Item(Enum):
    """The numbered list."""

    MANIFEST = 1, "bot.toml"
    HELLO = 2, "start and Hello"
    IDENTITY = 3, "name and version"
    GAMES = 4, "games and rules versions"
    MATCHES = 5, "full match"
    DECISIONS = 6, "recorded decisions"
    SURPRISES = 7, "unusual input"
    MEMORY = 8, "memory"
    SECOND_MATCH = 9, "second match on the same stream"
    TWO_AT_ONCE = 10, "two processes at once"
    REPEATABLE = 11, "repeatable"
    GOODBYE = 12, "end after Goodbye"
    SIGTERM = 13, "end on SIGTERM"
    REMAINS = 14, "nothing left behind"

    def __init__(self, number: int, title: str) -> None:
        self.number = number
        self.title = title


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: what came out, and for a failure what to do about it."""

    number: int
    title: str
    outcome: Outcome
    detail: str
    advice: str = ""
    figures: Figures = field(default_factory=dict)


def passed(item: Item, detail: str, subject: str = "", figures: Figures | None = None) -> Check:
    """Note that all is well."""
    return Check(item.number, _title(item, subject), Outcome.PASS, detail, figures=figures or {})


def failed(item: Item, detail: str, advice: str, subject: str = "", figures: Figures | None = None) -> Check:
    """Note that something is not well."""
    return Check(item.number, _title(item, subject), Outcome.FAIL, detail, advice, figures or {})


def skipped(item: Item, reason: str) -> Check:
    """Note that something was not looked at."""
    return Check(item.number, item.title, Outcome.SKIP, reason)


def at_fault(item: Item, fault: SeatFault, subject: str = "") -> Check:
    """Note that the bot lost its seat."""
    return failed(item, account(fault), ADVICE.get(fault.termination, START_ADVICE), subject)


def account(fault: SeatFault) -> str:
    """Tell what happened at which decision, how the process ended and what it wrote last."""
    ended = f" ({describe_exit(fault.exit_code)})" if fault.exit_code and "(" not in fault.detail else ""
    return f"{describe_termination(fault.termination)} at decision {fault.decision}: {fault.detail}{ended}" + tail(
        fault.stderr_tail
    )


def tail(written: str) -> str:
    """Quote what is known of what a bot wrote last, on lines of its own."""
    return "".join(f"\n| {line}" for line in excerpt(written, QUOTED_LINES))


def percentile(values: Sequence[int], share: int) -> int:
    """Return the smallest value that at least `share` percent of the values do not exceed."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def _title(item: Item, subject: str) -> str:
    return f"{item.title}: {subject}" if subject else item.title
