"""How greedy and planner value positions of Tzolk'in."""

from typing import cast

import pytest

from ballcourt.bots.greedy import tzolkin as greedy
from ballcourt.bots.planner import tzolkin as planner
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.tzolkin.columns import CORN, GOLD, SKULLS, STONE, VP, WOOD
from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.bots_sdk.positions import position


def some_position(seed: int, decisions: int) -> tuple[TzolkinState, int]:
    """Return a position of a random match, and the seat in turn."""
    state, seat = position("tzolkin", seed, decisions)
    return cast(TzolkinState, state), seat


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("column", [CORN, WOOD, STONE, GOLD, SKULLS, VP])
def test_owning_more_is_never_worth_less(seed: int, column: int) -> None:
    state, seat = some_position(seed, 30 * (seed + 1))
    richer = state.clone()
    richer.players = [row[:] for row in state.players]
    richer.players[seat][column] += 1
    assert greedy.value(richer, seat) > greedy.value(state, seat)
    appraise = planner.appraiser(state, seat)
    assert appraise(richer) > appraise(state)


def test_planner_values_a_finished_match_by_its_score() -> None:
    state, seat = some_position(1, 0)
    appraise = planner.appraiser(state, seat)
    playout(state, min)
    assert appraise(state) == state.scores()[seat]
