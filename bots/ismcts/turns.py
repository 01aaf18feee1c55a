"""Searching games by whole turns, with the knowledge of planner: its plans are the moves, its prices the values."""

from collections.abc import Sequence
from types import ModuleType

from ballcourt.bots.ismcts.domain import Move
from ballcourt.bots.planner.search import Plan, TurnSearch
from ballcourt.simulate import State

BUDGET = 150
"""How many actions are tried to draw up the moves of a node."""
MOVES = 6
"""How many plans become moves, the best ones."""
QUICK = 25
"""How many actions are tried for a turn beyond the tree."""


class Turns:
    """The domain of a game that planner knows. A move is a turn, as far as nobody else decides in it."""

    def __init__(self, game: ModuleType) -> None:
        self._game = game
        self._search: type[TurnSearch[State]] = getattr(game, "Search", TurnSearch)

    def moves(self, state: State, seat: int) -> Sequence[tuple[Move, float]]:
        """Return the turns that planner likes best, with the prior 1 for the first, 1/2 for the second and so on."""
        best: dict[Move, float] = {}
        for plan in sorted(self._plans(state, seat, BUDGET), key=lambda plan: plan.worth, reverse=True):
            best.setdefault(tuple(step.action for step in plan.steps), 1 / (1 + len(best)))
            if len(best) == MOVES:
                break
        return list(best.items())

    def play(self, state: State, seat: int, move: Move) -> None:
        """Play the turn up to where another seat decides; where chance or hidden things forbid it, find another end."""
        if not _follow(state, seat, move):
            self._play_on(state, seat)

    def values(self, state: State, seat: int) -> list[float]:
        """Let the others have their turns until the searching seat is asked; return all prices less their mean."""
        while (pending := state.pending_seats()) and seat not in pending:
            self._play_on(state, pending[0])
        prices = [self._game.appraiser(state, each)(state) for each in range(state.seats)]
        mean = sum(prices) / len(prices)
        return [price - mean for price in prices]

    def _play_on(self, state: State, seat: int) -> None:
        """Play the turn of a seat, searched quickly."""
        _skip_forced(state, seat)
        if seat in state.pending_seats():
            plan = max(self._plans(state, seat, QUICK), key=lambda plan: plan.worth)
            _follow(state, seat, [step.action for step in plan.steps])

    def _plans(self, state: State, seat: int, budget: int) -> Sequence[Plan[State]]:
        search = self._search(seat, self._game, self._game.appraiser(state, seat), budget=budget)
        before = state.clone()
        search.prepare(before)
        return search.plans(before)


def _follow(state: State, seat: int, actions: Sequence[int]) -> bool:
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
