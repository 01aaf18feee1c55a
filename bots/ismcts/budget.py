"""How many simulations a decision may take: a number of units of work, or what fits into its share of the clock."""

from random import Random
from time import monotonic

from ballcourt import Decision
from ballcourt.simulate import State, decisions

SHARE = 0.9
"""The part of the allowed time that is used. The rest is for messages and a busy machine."""

OVERHEAD_MS = 20
"""What a decision takes besides simulations, on a slow machine."""

CLOCKLESS_MS = 3_600_000
"""A bank above one hour counts as no clock. Matches in process have one."""

SIMULATIONS = 300
"""Simulations per decision without a clock or a work limit."""


class Budget:
    """The simulations that a decision may still take, by their number and by the clock."""

    def __init__(self, work: int, seconds: float, began: float | None = None) -> None:
        """`work` 0 means any number of simulations; `began` is when the decision began, by `monotonic`, default now."""
        self._work = work
        self._seconds = seconds
        self._began = monotonic() if began is None else began
        self.done = 0

    def spend(self) -> None:
        """Count one simulation."""
        self.done += 1

    def used(self) -> float:
        """Return the share that is used, of simulations or of time; it is time to answer at 1."""
        by_work = self.done / self._work if self._work else 0.0
        by_time = (monotonic() - self._began) / self._seconds if self._seconds > 0 else 1.0
        return max(by_work, by_time)

    def left_s(self) -> float:
        """Return the seconds that are left."""
        return self._began + self._seconds - monotonic()


def budget_for(decision: Decision, state: State, random: Random, began: float) -> Budget:
    """Return the budget of a decision that began then; `state` is a sample of its position, which is played to the end.

    With a work limit, the number of simulations is that; only the limit of the decision can end it sooner. Otherwise
    the bank is divided among the decisions that the seat had to make in that playout.
    """
    clock, seat = decision.match.clock, decision.match.seat
    seconds = SHARE * decision.limit_ms / 1000
    if clock.work:
        return Budget(clock.work, seconds, began)
    if decision.bank_ms > CLOCKLESS_MS:
        return Budget(SIMULATIONS, seconds, began)
    share = decision.bank_ms / own_decisions(state, seat, random) + clock.increment_ms - OVERHEAD_MS
    return Budget(0, min(seconds, SHARE * share / 1000), began)


def own_decisions(state: State, seat: int, random: Random) -> int:
    """Play a position to its end at random; return how often the seat had a choice, at least 1."""
    made = 0

    def choose(legal: list[int]) -> int:
        nonlocal made
        made += len(legal) > 1 and state.asked == seat
        return random.choice(legal)

    for _ in decisions(state, choose):
        pass
    return max(1, made)
