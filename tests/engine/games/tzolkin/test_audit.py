"""The engine's audit finds positions that break a conservation law (RULES §1)."""

from collections.abc import Callable

import pytest

from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import TOP_STEP

Spoil = Callable[[TzolkinState], None]


def owe(state: TzolkinState) -> None:
    state.players[1][at.CORN] = -1


def climb_too_high(state: TzolkinState) -> None:
    state.players[0][at.TEMPLE] = TOP_STEP[0] + 1


def know_too_much(state: TzolkinState) -> None:
    state.players[0][at.TECH + 2] = at.TOP_LEVEL + 1


def share_a_top(state: TzolkinState) -> None:
    for player in state.players:
        player[at.TEMPLE + 1] = TOP_STEP[1]


def lose_a_worker(state: TzolkinState) -> None:
    state.players[0][at.HAND] -= 1


def lose_a_dummy(state: TzolkinState) -> None:
    state.slots[state.slots.index(at.DUMMY)] = at.EMPTY


def find_a_skull(state: TzolkinState) -> None:
    state.players[0][at.SKULLS] += 1


def bare_the_jungle(state: TzolkinState) -> None:
    state.table[at.JUNGLE_WOOD] = state.table[at.JUNGLE_CORN] + 1


def lose_corn(state: TzolkinState) -> None:
    state.players[0][at.CORN_TILES] += 1


def grow_wood(state: TzolkinState) -> None:
    state.players[0][at.WOOD_TILES] = 100


def build_twice(state: TzolkinState) -> None:
    state.players[0][at.BUILDINGS] |= 1 << state.row[0]


def lose_a_building(state: TzolkinState) -> None:
    state.row[0] = 0


def lose_a_monument(state: TzolkinState) -> None:
    state.display.pop()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (owe, "seat 1 owns -1 in column"),
        (climb_too_high, "seat 0 stands on step"),
        (know_too_much, "seat 0 is on level"),
        (share_a_top, "two markers share the top of temple 1"),
        (lose_a_worker, "seat 0 has 3 workers in play, but 2 are found"),
        (lose_a_dummy, "11 dummies are on the gears instead of 12"),
        (find_a_skull, "there are 14 skulls instead of 13"),
        (bare_the_jungle, "jungle group"),
        (lose_corn, "there are 9 corn tiles instead of 8"),
        (grow_wood, "there are 106 wood tiles"),
        (build_twice, "a building is in two places"),
        (lose_a_building, "31 buildings are in the game instead of 32"),
        (lose_a_monument, "the monuments"),
    ],
)
def test_a_violated_law_is_found(spoil: Spoil, sentence: str) -> None:
    """§1.4, §1.5, §1.6"""
    state = GAME.initial_state(2, 3, {})
    assert isinstance(state, TzolkinState)
    assert GAME.violations(state) == []
    spoil(state)
    assert any(broken.startswith(sentence) for broken in GAME.violations(state)), GAME.violations(state)
