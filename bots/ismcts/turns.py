"""Searching games by whole turns, with the knowledge of planner: its plans are the moves, its prices the values."""

from collections.abc import Sequence
from types import ModuleType

from ballcourt.bots.leads import lead
from ballcourt.bots.planner.search import BUDGET, best_of, plans_for
from ballcourt.simulate import State

from .domain import Move

MOVES = 8
"""The number of plans, the best ones, that become moves of the decision to be made."""
LATER_MOVES, LATER_BUDGET = 4, 60
"""The same for later decisions, and the number of actions tried to find those plans."""
QUICK_BUDGET = 25
"""The number of actions tried for a turn beyond the tree."""


class Turns:
    """The domain of a game that planner knows. A move is a turn, up to the first decision of another seat."""

    values_are_cheap = False

    def __init__(self, game: ModuleType) -> None:
        self._game = game

    def moves(self, state: State, seat: int, *, thorough: bool) -> Sequence[tuple[Move, float]]:
        """Return the turns that planner likes best, at its prices."""
        most, budget = (MOVES, BUDGET) if thorough else (LATER_MOVES, LATER_BUDGET)
        best: dict[Move, float] = {}
        for plan in sorted(plans_for(self._game, state, seat, budget), key=lambda plan: plan.worth, reverse=True):
            best.setdefault(tuple(step.action for step in plan.steps), plan.worth)
        return list(best.items())[:most]

    def play(self, state: State, seat: int, move: Move) -> None:
        """Play the turn up to where another seat decides; where chance or hidden things forbid it, find another end."""
        if not follow(state, seat, move):
            self._play_on(state, seat)

    def values(self, state: State, seat: int) -> list[float]:
        """Play the turns of the others until the searching seat is asked, and value that position."""
        while (pending := state.pending_seats()) and seat not in pending:
            self._play_on(state, pending[0])
        return self.valued(state)

    def valued(self, state: State) -> list[float]:
        """Return what a position is worth to every seat: by how much its price leads."""
        prices = [self._game.appraiser(state, each)(state) for each in range(state.seats)]
        return [lead(prices, each) for each in range(state.seats)]

    def _play_on(self, state: State, seat: int) -> None:
        """Play the turn of a seat, searched quickly."""
        _skip_forced(state, seat)
        if seat in state.pending_seats():
            plan = best_of(plans_for(self._game, state, seat, QUICK_BUDGET))
            follow(state, seat, [step.action for step in plan.steps])


def follow(state: State, seat: int, actions: Sequence[int]) -> bool:
    """Play actions of a seat until others are asked; return whether all of them were legal."""
    _skip_forced(state, seat)
    for action in actions:
        if seat not in state.pending_seats():
            break
        if action not in state.legal_actions(seat):
            return False
        state.apply(seat, action)
        _skip_forced(state, seat)
    return True


def _skip_forced(state: State, seat: int) -> None:
    """Answer for a seat as long as it has a single legal action."""
    while seat in state.pending_seats() and len(legal := state.legal_actions(seat)) == 1:
        state.apply(seat, legal[0])
