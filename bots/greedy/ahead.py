"""The look one action ahead, with what a module knows of the game (`ballcourt.bots.greedy.bot`)."""

from collections.abc import Callable
from typing import Any, Final

from ballcourt.simulate import State

MAX_FOLLOW_UPS: Final = 3

Candidates = Callable[[list[int]], list[int]]


def best(game: Any, state: State, seat: int) -> int:  # noqa: ANN401 (modules have no types)
    """Return the action of a seat that leads to the best position."""
    candidates: Candidates = getattr(game, "candidates", list)
    legal = candidates(state.legal_actions(seat))
    worths = [outcome(game, candidates, state, seat, action, MAX_FOLLOW_UPS) for action in legal]
    return legal[worths.index(max(worths))]


def outcome(
    game: Any,  # noqa: ANN401
    candidates: Candidates,
    state: State,
    seat: int,
    action: int,
    follow_ups: int,
) -> float:
    """Return the value of the position after an action and the best answers to its first follow-up questions."""
    after = state.clone()
    after.apply(seat, action)
    if follow_ups and after.pending_seats() == [seat]:
        legal = after.legal_actions(seat)
        if game.is_follow_up(legal):
            answers = candidates(legal)
            return max([outcome(game, candidates, after, seat, answer, follow_ups - 1) for answer in answers])
    worth: float = game.value(after, seat)
    return worth
