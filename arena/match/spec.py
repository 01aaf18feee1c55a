"""The specification of a match: game, options, seed, entrants, clock and fault policy."""

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Final

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.engine.registry import our_distribution
from ballcourt.v1 import protocol_pb2

ARENA = " ".join(our_distribution())
"""Name and version of this arena, as in messages and records."""

TOLERANCE_MS = 50
"""An answer this late still counts, because timers are inexact and transport takes time, but the bank pays for it."""


class Scale(StrEnum):
    """Whether the time budgets of a clock depend on the machine."""

    NONE = "none"
    REFERENCE = "reference"
    """They are for the reference machine; a machine of half its speed gives twice the time."""


MOST_MS: Final = (1 << 31) - 1
MOST_WORK: Final = (1 << 63) - 1
SCALED: Final = ("startup_ms", "match_start_ms", "bank_ms", "increment_ms", "cap_ms")
"""The budgets in which bots compute; the grace is about the arena."""


@dataclass(frozen=True)
class Clock:
    """The time and work budgets of a seat. Raises ValueError for an invalid value."""

    startup_ms: int = 30_000
    """From the start of the process to its Hello."""
    match_start_ms: int = 5_000
    """From MatchStart to Ready."""
    bank_ms: int = 60_000
    """The thinking time of the whole match."""
    increment_ms: int = 100
    """Added to the bank after every decision."""
    cap_ms: int = 10_000
    """The most time for one decision."""
    grace_ms: int = 100
    """How late an answer may be in a decision during which the arena itself was late, besides the time given back."""
    work: int = 0
    """Units of work per decision, instead of the bank, for bots that count their work; 0: all play by the clock."""
    ponder: bool = False
    """Whether bots may think while others decide. If not, their processes are stopped then."""
    scale: Scale = Scale.NONE

    def __post_init__(self) -> None:
        for budget in fields(self):
            value = getattr(self, budget.name)
            if budget.type is Scale:
                if value not in list(Scale):
                    raise ValueError(f"scale is {value!r}; it must be {' or '.join(Scale)}")
                continue
            if budget.type is bool:
                if not isinstance(value, bool):
                    raise ValueError(f"{budget.name} is {value!r}; it must be true or false")
                continue
            least = least_budget(budget.name)
            if type(value) is not int or not least <= value <= (MOST_MS if budget.name.endswith("_ms") else MOST_WORK):
                raise ValueError(f"{budget.name} is {value!r}; it must be a whole number of at least {least}")

    @property
    def in_turns(self) -> bool:
        """Whether the bots at a table think one after the other, and are stopped meanwhile."""
        return not self.ponder

    def thinkers(self, seats: int) -> int:
        """Return how many bots at a table may think at the same time while their clocks run: none if these do not."""
        return 0 if self.work else 1 if self.in_turns else seats

    def to_message(self) -> protocol_pb2.Clock:
        """Return the part of the clock that bots and records see."""
        return protocol_pb2.Clock(**{name: getattr(self, name) for name in _PUBLIC})

    def on(self, speed: float) -> "Clock":
        """Return the clock of a machine with this speed; see `ballcourt.arena.workers.speed`."""
        if self.scale != Scale.REFERENCE:
            return self
        scaled = {name: round(getattr(self, name) / speed) for name in SCALED}
        return replace(self, **{name: min(max(least_budget(name), ms), MOST_MS) for name, ms in scaled.items()})

    @classmethod
    def from_message(cls, message: protocol_pb2.Clock) -> "Clock":
        """Return the clock of a message, with defaults for what the message leaves out."""
        return cls(**{name: getattr(message, name) for name in _PUBLIC})


def least_budget(name: str) -> int:
    """Return the smallest number that a budget of the clock can be."""
    return 0 if name in ("increment_ms", "grace_ms", "work") else 1


_PUBLIC = ("bank_ms", "increment_ms", "cap_ms", "work", "ponder")


class Bank:
    """The remaining think time of one seat, which may be overdrawn. It does not run for a bot that counts its work."""

    def __init__(self, clock: Clock, *, runs: bool = True) -> None:
        self._clock = clock
        self._runs = runs
        self._left_ms: float = clock.bank_ms

    @property
    def left_ms(self) -> int:
        """What is left, in whole milliseconds; 0 if it is overdrawn."""
        return max(0, int(self._left_ms))

    @property
    def is_overdrawn(self) -> bool:
        """Whether it lacks more than the tolerance, so that nothing may be asked any more."""
        return self._left_ms < -TOLERANCE_MS

    def limit_ms(self) -> int:
        """Return the time limit of the next decision, in milliseconds."""
        return min(self._clock.cap_ms, self.left_ms) if self._runs else self._clock.cap_ms

    def spend(self, think_us: int) -> None:
        """Deduct a decision of `think_us` microseconds, and add the increment."""
        self.pay(think_us)
        if self._runs:
            self._left_ms += self._clock.increment_ms

    def pay(self, think_us: int) -> None:
        """Deduct time outside of a decision."""
        if self._runs:
            self._left_ms -= think_us / 1000


@dataclass(frozen=True)
class MatchSpec:
    """One match to be played: everything that determines its course, apart from the bots.

    Draw the seed of a match that matters from the whole range of 64 bits: a bot could find one of few values by trying
    which of them deals its own hand.
    """

    key: str
    game: str
    options: dict[str, str]
    seed: int
    entrants: tuple[Entrant, ...]
    """In seat order."""
    clock: Clock = field(default_factory=Clock)
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    seat_clocks: tuple[Clock, ...] = ()
    """In seat order, if some seats have a clock of their own."""
    after: str = ""
    """The version of the rules with whose ratings those of its ladder begin; empty: with none."""

    def clock_of(self, seat: int) -> Clock:
        """Return the clock of a seat."""
        return self.seat_clocks[seat] if self.seat_clocks else self.clock

    def on(self, speed: float) -> "MatchSpec":
        """Return the match as a machine with this speed plays it."""
        return replace(
            self, clock=self.clock.on(speed), seat_clocks=tuple(clock.on(speed) for clock in self.seat_clocks)
        )
