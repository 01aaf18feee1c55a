"""The engine's audit finds positions that break a conservation law (RULES §1)."""

from collections.abc import Callable

import pytest

from ballcourt.engine.games.ahau import GAME, tables
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.state import AhauState

Spoil = Callable[[AhauState], None]


def lose_a_worker(state: AhauState) -> None:
    state.actors[1][at.POOL] -= 1


def owe(state: AhauState) -> None:
    state.actors[0][at.RESOURCES + 2] = -1


def arm_too_far(state: AhauState) -> None:
    state.actors[0][at.WEAPONS] = tables.MAX_WEAPONS + 1


def climb_too_high(state: AhauState) -> None:
    state.actors[state.might[-1]][at.STEP] = tables.TOP_STEP + 1


def discard_what_lies(state: AhauState) -> None:
    state.actors[0][at.PLAYED] = state.actors[0][at.DISCARD] = 1


def play_another_card(state: AhauState) -> None:
    state.actors[0][at.PLAYED] = 1 << 30


def float_a_tile(state: AhauState) -> None:
    top = next(space for space in range(at.SPACES) if tables.BELOW[space])
    state.actors[0][at.PYRAMID + top] = 1


def lose_a_tile(state: AhauState) -> None:
    state.table[at.BAG] -= 1


def lose_a_building(state: AhauState) -> None:
    state.table[at.STACK] -= 1


def lose_a_site(state: AhauState) -> None:
    state.calendar.pop()


def leave_might(state: AhauState) -> None:
    state.might[0] = state.might[1]


def pass_on_might(state: AhauState) -> None:
    state.actors[state.might[0]][at.STEP] = state.actors[state.might[1]][at.STEP] + 1


def worship_twice(state: AhauState) -> None:
    state.temples[0] = state.temples[1] = 0


def end_the_calendar(state: AhauState) -> None:
    state.table[at.KATUN] = tables.KATUNS + 1


def seat_an_automaton(state: AhauState) -> None:
    state.actors[0][at.PERSONALITY] = 0


def take_a_role_twice(state: AhauState) -> None:
    for order, seat in enumerate((0, 1), 1):
        state.roles[seat] = at.ROLE
        state.actors[seat][at.ROLE_ORDER] = order


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lose_a_worker, "actor 1 has"),
        (owe, "actor 0 has a negative count"),
        (arm_too_far, "actor 0 has 11 weapons"),
        (climb_too_high, "actor 0 has 0 weapons and stands on Might step 11"),
        (discard_what_lies, "actor 0 has a card both on the table and discarded"),
        (play_another_card, "seat 0 has played a card it does not own"),
        (float_a_tile, "actor 0 has a tile on space"),
        (lose_a_tile, "the pyramid tiles are"),
        (lose_a_building, "the buildings are"),
        (lose_a_site, "the production sites are"),
        (leave_might, "the markers on Might belong to"),
        (pass_on_might, "the markers on Might are not in order"),
        (worship_twice, "an actor has two markers at Temple 0"),
        (end_the_calendar, "it is K'atun"),
        (seat_an_automaton, "the automaton is not the last actor"),
        (take_a_role_twice, "the Role cards"),
    ],
)
def test_a_violated_law_is_found(spoil: Spoil, sentence: str) -> None:
    """§1.1, §1.2"""
    state = GAME.initial_state(2, 3, {})
    assert isinstance(state, AhauState)
    assert GAME.violations(state) == []
    spoil(state)
    assert any(broken.startswith(sentence) for broken in GAME.violations(state)), GAME.violations(state)
