"""What may end a tournament early: `stop` in its file."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, ScheduleError

UNITS_S: Final = {"s": 1, "min": 60, "h": 3600, "d": 86400}
LEAST_LEVEL, MOST_LEVEL = 50, 99.99
MOST_TOP: Final = 100

_SEPARATED: Final = re.compile(r"top (\d{1,9}) separated at (\d{1,3}(?:\.\d{1,9})?) ?%")
_WITHIN: Final = re.compile(r"(?:±|\+-) ?(\d{1,9}(?:\.\d{1,9})?)")
_TIME: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?(s|min|h|d)")


@dataclass(frozen=True, slots=True)
class Separated:
    """Each of the first `top` ranks is known to be ahead of all ranks behind it; `level` is from 0 to 1."""

    top: int
    level: float

    def __str__(self) -> str:
        """Return it as a tournament file has it."""
        return f"top {self.top} separated at {100 * self.level:.6g}%"


@dataclass(frozen=True, slots=True)
class Within:
    """The 95 % interval of every rating ends within this number of rating points on each side."""

    points: float

    def __str__(self) -> str:
        """Return it as a tournament file has it."""
        return f"±{self.points:.9g}"


@dataclass(frozen=True, slots=True)
class After:
    """This number of seconds has passed since the first match began. Blocks that have begun are still finished."""

    seconds: float

    def __str__(self) -> str:
        """Return it as a tournament file has it."""
        unit, size = [("s", 1), *((name, size) for name, size in UNITS_S.items() if self.seconds % size == 0)][-1]
        return f"{self.seconds / size:.9g} {unit}"


Rule = Separated | Within | After
Reached = Callable[[Sequence[PlayedBlock]], bool]
"""Whether results are as precise as was asked for."""
Measure = Callable[[Sequence[Rule], int, Collection[int]], Reached]
"""Returns what says so, given the rules, the number of entrants, and those who may stay uncertain, by index."""


def parse_rule(text: str) -> Rule:
    """Read a rule: "top 3 separated at 95%", "±1.0" (also "+-1.0") or "6 h". Raises ScheduleError."""
    if found := _SEPARATED.fullmatch(text):
        top, level = int(found[1]), float(found[2])
        if 1 <= top <= MOST_TOP and LEAST_LEVEL <= level <= MOST_LEVEL:
            return Separated(top, level / 100)
        raise ScheduleError(f"top must be from 1 to {MOST_TOP}, and the level from {LEAST_LEVEL}% to {MOST_LEVEL}%")
    if (found := _WITHIN.fullmatch(text)) and float(found[1]) > 0:
        return Within(float(found[1]))
    if seconds := parse_time(text):
        return After(seconds)
    raise ScheduleError("it must be 'top 3 separated at 95%', '±1.0' (rating points), or a time such as '6 h'")


def parse_time(text: str) -> float | None:
    """Return the seconds of a time such as "90 s", "30 min", "12 h" or "7 d"; None if it is not one."""
    found = _TIME.fullmatch(text)
    return float(found[1]) * UNITS_S[found[2]] if found else None


def in_words(rule: Rule) -> str:
    """Return a rule as the end of a sentence that begins with "until"."""
    match rule:
        case Separated(top=top):
            return f"{'the best is' if top == 1 else f'the top {top} are'} {str(rule).partition(f'{top} ')[2]}"
        case Within():
            return f"every rating is known to {rule}"
        case After():
            return f"{rule} have passed"


def time_limit(rules: Sequence[Rule]) -> float | None:
    """Return after how many seconds a tournament ends at the latest; None if no rule says so."""
    return min((rule.seconds for rule in rules if isinstance(rule, After)), default=None)


def asks_for_precision(rules: Sequence[Rule]) -> bool:
    """Whether any rule is about what the results say."""
    return any(not isinstance(rule, After) for rule in rules)


def ended_early(rules: Sequence[Rule], *, by_time: bool) -> str:
    """Return the rule that ended a tournament early, its time limit or one of the others, in words."""
    limit = time_limit(rules)
    ends = [After(limit)] if by_time and limit else [rule for rule in rules if not isinstance(rule, After)]
    return " or ".join(map(in_words, ends))
