"""What greedy and planner have in common about the value of positions, in every game."""

from collections.abc import Sequence
from importlib import import_module
from math import isfinite
from typing import Any

import pytest

from ballcourt.engine.core import State
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.ahau import columns as ahau
from ballcourt.engine.games.maya import columns as maya
from ballcourt.engine.games.tzolkin import columns as tzolkin
from tests.bots_sdk.positions import position

OWNED: dict[str, Sequence[int]] = {
    "ahau": (ahau.FAME, ahau.WEAPONS, ahau.RESOURCES, ahau.STEP, ahau.LYING),
    "maya": (maya.SCORE, maya.RACK),
    "tzolkin": (tzolkin.CORN, tzolkin.WOOD, tzolkin.STONE, tzolkin.GOLD, tzolkin.SKULLS, tzolkin.VP),
}
"""What a seat is better off with."""


def richer(state: State, seat: int, column: int, count: int = 1) -> Any:  # noqa: ANN401
    """Return the same position, with more of something for a seat or another actor."""
    copy: Any = state.clone()
    if hasattr(copy, "changing"):
        copy.changing(seat)[column] += count
    else:
        copy.players = [row[:] for row in copy.players]
        copy.players[seat][column] += count
    return copy


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("game", "column"), [(game, column) for game, columns in OWNED.items() for column in columns])
def test_owning_more_is_worth_more(game: str, seed: int, column: int) -> None:
    state, seat = position(game, seed, 25 * (seed + 1))
    more = richer(state, seat, column)
    greedy, planner = (import_module(f"ballcourt.bots.{bot}.{game}") for bot in ("greedy", "planner"))
    assert greedy.value(more, seat) > greedy.value(state, seat)
    appraise = planner.appraiser(state, seat)
    assert appraise(more) > appraise(state)


@pytest.mark.parametrize("game", OWNED)
def test_planner_prices_a_position_amid_a_turn_for_the_other_seats_too(game: str) -> None:
    planner = import_module(f"ballcourt.bots.planner.{game}")
    for decisions in range(60):
        state, asked = position(game, 1, decisions)
        if not planner.is_follow_up(state.legal_actions(asked)):
            assert all(isfinite(planner.appraiser(state, seat)(state)) for seat in range(state.seats))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "column"), [("ahau", ahau.FAME), ("maya", maya.SCORE)])
def test_planner_prefers_less_for_other_seats(game: str, seed: int, column: int) -> None:
    state, seat = position(game, seed, 25 * seed)
    appraise = import_module(f"ballcourt.bots.planner.{game}").appraiser(state, seat)
    assert appraise(richer(state, (seat + 1) % 3, column)) == pytest.approx(appraise(state) - 1 / 2)


def test_planner_values_a_finished_match_of_tzolkin_by_its_score() -> None:
    state, seat = position("tzolkin", 1, 0)
    appraise = import_module("ballcourt.bots.planner.tzolkin").appraiser(state, seat)
    playout(state, min)
    assert appraise(state) == state.scores()[seat]
