"""The fault policy of a tournament: its table `[faults]`, read, written, and applied within a match.

illegal = "retry 2"                 # an action that is not legal
timeout = "substitute 1"            # no answer to a decision in time
failed_to_start = "retry 1"         # no Hello in time
fallback = "accept 50%"             # an action that the bot says it did not choose itself
disqualify = { percent = 50, last = 20 }    # or "above 50% of the last 20 matches", as flags and records have it
probation = { rounds = 2, faults = 3, matches = 10 }  # or "2 rounds after 3 faults in 10 matches"

The first four apply within a match, up to a number of times per seat and kind; then the fault is a forfeit:

- `retry` asks for the same decision again, with the rest of its time; or starts the bot again.
- `substitute` plays the lowest legal action for this decision, and the bot plays on.
- `accept` plays the action that the bot fell back to: "accept 10" in ten decisions of a match, "accept 50%" in half of
  those that the bot answers, which is counted when the game is over. "accept 50%" is the default, so that no bot is
  rated by what was decided for it; "never" makes it no fault.
- `forfeit`, the default and the only remedy for other kinds of fault, vacates the seat: from then on the arena plays
  its lowest legal action, and it is placed last.

The last two look across the tournament's matches at the end of each round, and count those in which a bot was at fault,
tolerated or not; `arena.tournament.decisions.suspensions` applies them. A disqualified bot sits out for good, one on
probation for that many rounds. The default of both is "never".
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from ballcourt.arena.records.remedy import Remedy
from ballcourt.engine.core import WrongInput
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import ToleratedFault

NEVER = "never"


class PolicyError(WrongInput):
    """An entry of the table is invalid; the end of a sentence says what it must be."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A remedy, and how many times per match and seat it is applied before the fault is a forfeit."""

    remedy: Remedy = Remedy.FORFEIT
    times: int = 0
    percent: int = 0
    """Of the decisions that a bot answers, instead of `times`; 0: `times` counts."""

    def __str__(self) -> str:
        if self.percent:
            return f"{self.remedy} {self.percent}%"
        return f"{self.remedy} {self.times}" if self.times else str(self.remedy)


@dataclass(frozen=True, slots=True)
class Disqualification:
    """Disqualified when more than `percent` of at least `matches` matches, or of the last ones, had a fault."""

    percent: int
    matches: int
    of_last: bool = False
    """Whether only the last `matches` count, not all."""

    def __str__(self) -> str:
        last = "the last " if self.of_last else ""
        return f"above {self.percent}% of {last}{counted(self.matches, 'match')}"


@dataclass(frozen=True, slots=True)
class Probation:
    """Suspended for `rounds` rounds when `faults` of the last `matches` matches had a fault."""

    rounds: int
    faults: int
    matches: int

    def __str__(self) -> str:
        faults, matches = counted(self.faults, "fault"), counted(self.matches, "match")
        return f"{counted(self.rounds, 'round')} after {faults} in {matches}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}es" if noun[-1] in "hs" else f"{number} {noun}s"


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """The whole table."""

    illegal: Tolerance = Tolerance()
    timeout: Tolerance = Tolerance()
    failed_to_start: Tolerance = Tolerance()
    fallback: Tolerance | None = Tolerance(Remedy.ACCEPT, percent=50)
    disqualify: Disqualification | None = None
    probation: Probation | None = None

    @property
    def judges(self) -> bool:
        """Whether it can suspend bots, which is decided across matches."""
        return bool(self.disqualify or self.probation)

    def table(self) -> dict[str, str]:
        """Return the table as it is written in a tournament file, including defaults."""
        return {entry.name: str(getattr(self, entry.name) or NEVER) for entry in fields(self)}


def parse_policy(table: Mapping[str, str]) -> FaultPolicy:
    """Read the table. Raises PolicyError."""
    return FaultPolicy(**{name: parse_entry(name, words) for name, words in table.items()})  # type: ignore[arg-type]


def parse_entry(name: str, words: str) -> Tolerance | Disqualification | Probation | None:
    """Read one entry. Raises PolicyError for an unknown name or an invalid value."""
    if name == "fallback" and words == NEVER:
        return None
    if name in _REMEDIES:
        return _tolerance(name, words)
    if name == "disqualify":
        return _disqualification(words)
    if name == "probation":
        return _probation(words)
    raise PolicyError(f"{name} is not one of {', '.join(entry.name for entry in fields(FaultPolicy))}")


class Tolerated:
    """Counts the faults of one match, and decides which are tolerated."""

    def __init__(self, policy: FaultPolicy, before: Iterable[ToleratedFault] = ()) -> None:
        """`before` are the faults that have been tolerated in a match that is resumed."""
        self._tolerances = {
            Termination.TERMINATION_ILLEGAL: policy.illegal,
            Termination.TERMINATION_TIMEOUT: policy.timeout,
            Termination.TERMINATION_FAILED_TO_START: policy.failed_to_start,
        }
        self._counts: Counter[tuple[int, Termination]] = Counter((fault.seat, fault.termination) for fault in before)

    def remedy(self, seat: int, termination: Termination) -> Remedy:
        """Count a fault of a seat; return what is done about it."""
        tolerance = self._tolerances.get(termination, Tolerance())
        self._counts[seat, termination] += 1
        return tolerance.remedy if self._counts[seat, termination] <= tolerance.times else Remedy.FORFEIT


_REMEDIES = {
    "illegal": (Remedy.RETRY, Remedy.SUBSTITUTE),
    "timeout": (Remedy.SUBSTITUTE,),
    "failed_to_start": (Remedy.RETRY,),
    "fallback": (Remedy.ACCEPT,),
}
_MOST = 100


def _tolerance(name: str, text: str) -> Tolerance:
    if text == Remedy.FORFEIT:
        return Tolerance()
    remedies = _REMEDIES[name]
    is_fallback = name == "fallback"
    share = "(%?)" if is_fallback else "()"
    found = re.fullmatch(rf"({'|'.join(remedies)}) (\d{{1,6}}){share}", text)
    if not found or not 0 < int(found[2]) <= _MOST or text.endswith(f" {_MOST}%"):
        allowed = ", ".join(f'"{remedy} N"' for remedy in remedies)
        others = f', "accept N%" (N below {_MOST}), "forfeit" or "{NEVER}"' if is_fallback else ' or "forfeit"'
        raise PolicyError(f"it must be {allowed} (N from 1 to {_MOST}){others}")
    remedy, number = Remedy(found[1]), int(found[2])
    return Tolerance(remedy, percent=number) if found[3] else Tolerance(remedy, number)


def _disqualification(text: str) -> Disqualification | None:
    if text == NEVER:
        return None
    found = re.fullmatch(r"above (\d{1,2})% of (the last )?(\d{1,6}) match(?:es)?", text)
    if not found or int(found[3]) < 1:
        raise PolicyError(
            'it must be a table such as { percent = 10, matches = 20 } or { percent = 50, last = 20 }, "above 10% of '
            '20 matches", "above 50% of the last 20 matches" (0 to 99 percent, of at least 1 match) or "never"'
        )
    return Disqualification(int(found[1]), int(found[3]), bool(found[2]))


def _probation(text: str) -> Probation | None:
    if text == NEVER:
        return None
    found = re.fullmatch(r"(\d{1,6}) rounds? after (\d{1,6}) faults? in (\d{1,6}) match(?:es)?", text)
    rounds, faults, matches = (int(number) for number in found.groups()) if found else (0, 0, 0)
    if not (rounds >= 1 and 1 <= faults <= matches):
        raise PolicyError(
            'it must be a table such as { rounds = 2, faults = 3, matches = 10 }, "2 rounds after 3 faults in 10 '
            'matches" (at least 1 round and 1 fault, not more faults than matches) or "never"'
        )
    return Probation(rounds, faults, matches)
