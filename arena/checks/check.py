"""The results of a compliance run: `CheckResult`s, each under the number of an item of the list."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from ballcourt.arena.faults import describe_exit, describe_termination, excerpt
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import SeatFault

QUOTED_LINES = 14

Figures = Mapping[str, float]

START_ADVICE = (
    "see that the command of bot.toml works in the bot's folder, and that the program dials the socket "
    "BALLCOURT_SOCKET and sends Hello before it does anything slow"
)
BUILD_ADVICE: Final = "fix the build"
ADVICE = {
    Termination.TERMINATION_ILLEGAL: "answer with one of the numbers in Decide.legal, nothing else",
    Termination.TERMINATION_TIMEOUT: "answer within Decide.limit_ms; leave some of it for the transport",
    Termination.TERMINATION_CRASH: "the lines above are the last output of the bot; fix the error and check again",
    Termination.TERMINATION_PROTOCOL_ERROR: "compare what the bot sends with protocol.proto",
    Termination.TERMINATION_FAILED_TO_START: START_ADVICE,
    Termination.TERMINATION_REFUSED: "say in bot.toml and Hello only what is true: protocol, games, rules versions",
    Termination.TERMINATION_OUT_OF_MEMORY: "use less memory; the limits are those of the tournament file",
    Termination.TERMINATION_OUT_OF_CPU_TIME: "compute less; cpu_s limits each process over all its matches",
}

MISSING: Final = re.compile(
    r"(ModuleNotFoundError|No module named|Cannot find (module|package)|NoClassDefFoundError|ClassNotFoundException"
    r"|cannot open shared object file|no required module provides package|can't find crate)"
)
"""What languages say of a library that is not there."""
MISSING_ADVICE: Final = (
    "a module or library is missing there: put the file into the bot's folder, or name the library in requirements of "
    "bot.toml; `ballcourt docs dependencies` says how"
)
LATE = (Termination.TERMINATION_TIMEOUT, Termination.TERMINATION_FAILED_TO_START)
"""The ends for which the clock may be the only reason."""


class Outcome(StrEnum):
    """The outcome of a check. A check is skipped if something it depends on has failed."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Item(Enum):
    """An item of the list: its number and title."""

    MANIFEST = 1, "bot.toml"
    HELLO = 2, "start and Hello"
    IDENTITY = 3, "name and version"
    GAMES = 4, "games and rules versions"
    MATCHES = 5, "full match"
    DECISIONS = 6, "recorded decisions"
    SURPRISES = 7, "unusual input"
    MEMORY = 8, "memory"
    SECOND_MATCH = 9, "second match on the same stream"
    TWO_AT_ONCE = 10, "matches at the same time"
    REPEATABLE = 11, "repeatable"
    GOODBYE = 12, "end after Goodbye"
    SIGTERM = 13, "end on SIGTERM"
    REMAINS = 14, "nothing left behind"

    def __init__(self, number: int, title: str) -> None:
        self.number = number
        self.title = title


@dataclass(frozen=True)
class CheckResult:
    """One finding: the outcome, details, and for a failure what to do about it."""

    number: int
    title: str
    outcome: Outcome
    detail: str
    advice: str = ""
    figures: Figures = field(default_factory=dict)
    was_late: bool = False
    """Whether the clock alone failed it, for which a busy machine may be the cause."""

    @property
    def line(self) -> str:
        """Its number and title, and what it found."""
        return f"{self.number}, {self.title}: {self.detail}"

    @property
    def paragraph(self) -> str:
        """What it found, and what to do about it."""
        return f"check {self.line}" + (f"\n-> {self.advice}" if self.advice else "")


def passed(item: Item, detail: str, subject: str = "", figures: Figures | None = None) -> CheckResult:
    """Return a passed check."""
    return CheckResult(item.number, _title(item, subject), Outcome.PASS, detail, figures=figures or {})


def failed(
    item: Item,
    detail: str,
    advice: str,
    subject: str = "",
    figures: Figures | None = None,
    *,
    was_late: bool = False,
) -> CheckResult:
    """Return a failed check, with advice on how to fix it, unless the bot says itself that a library is missing."""
    if advice in (START_ADVICE, ADVICE[Termination.TERMINATION_CRASH], BUILD_ADVICE) and MISSING.search(detail):
        advice = MISSING_ADVICE
    return CheckResult(item.number, _title(item, subject), Outcome.FAIL, detail, advice, figures or {}, was_late)


def skipped(item: Item, reason: str) -> CheckResult:
    """Return a skipped check."""
    return CheckResult(item.number, item.title, Outcome.SKIP, reason)


def at_fault(item: Item, fault: SeatFault, subject: str = "") -> CheckResult:
    """Return a failed check for a bot that lost its seat."""
    advice = ADVICE.get(fault.termination, START_ADVICE)
    return failed(item, account(fault), advice, subject, was_late=fault.termination in LATE)


def account(fault: SeatFault) -> str:
    """Describe a fault: the decision, what happened, how the process ended and its last output."""
    ended = f" ({describe_exit(fault.exit_code)})" if fault.exit_code and "(" not in fault.detail else ""
    return f"{describe_termination(fault.termination)} at decision {fault.decision}: {fault.detail}{ended}" + tail(
        fault.stderr_tail
    )


def tail(written: str) -> str:
    """Quote the last output of a bot, each line on a line of its own."""
    return "".join(f"\n| {line}" for line in excerpt(written, QUOTED_LINES))


def percentile(values: Sequence[int], share: int) -> int:
    """Return the smallest value that is not exceeded by at least `share` percent of the values."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def _title(item: Item, subject: str) -> str:
    return f"{item.title}: {subject}" if subject else item.title
