"""Positions share their rows with clones and observers, and copy the row of an actor before they change it."""

from random import Random

import pytest

from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.playing import TABLES


def play(state: AhauState, seed: int, *, shared: bool) -> tuple[list[list[int]], list[list[int]]]:
    """Play a match at random; return what was legal at every decision, and the end. All rows may be shared before each.

    The positions between are not looked at, because looking at one shares its rows.
    """
    draw, offered = Random(seed), []
    while pending := state.pending_seats():
        legal = state.legal_actions(pending[0])
        offered.append(legal)
        if shared:
            seen = state.open_rows()
            before = [row[:] for row in seen]
            kept, state = state, state.clone()
        state.apply(pending[0], draw.choice(legal))
        if shared:
            assert seen == before
            assert kept.open_rows() == before
    return offered, state.to_rows()


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)
def test_a_match_goes_the_same_way_whether_its_rows_are_shared_or_not(seats: int, options: dict[str, str]) -> None:
    for seed in range(3):
        alone, shared = (GAME.initial_state(seats, seed, options) for _ in range(2))
        assert isinstance(alone, AhauState)
        assert isinstance(shared, AhauState)
        assert play(shared, seed, shared=True) == play(alone, seed, shared=False)


def test_a_row_is_copied_once_for_several_changes() -> None:
    state = GAME.initial_state(2, 1, {})
    assert isinstance(state, AhauState)
    clone = state.clone()
    first = state.changing(0)
    assert first is not clone.actors[0]
    assert state.changing(0) is first
