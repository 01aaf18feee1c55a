"""The scene of Tzolk'in: what a viewer draws."""

from typing import Any

from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.actions import KEEP
from ballcourt.engine.games.tzolkin.columns import BUILDINGS, DUMMY, MONUMENTS, VP
from ballcourt.engine.games.tzolkin.state import TzolkinState


def opening() -> TzolkinState:
    state = GAME.initial_state(2, 3)
    assert isinstance(state, TzolkinState)
    return state


def drawn(state: TzolkinState, seat: int | None = None) -> Any:  # noqa: ANN401
    return GAME.scene(state, seat)


def test_gears_name_who_stands_in_every_slot() -> None:
    state = opening()
    state.slots[10:14] = [-1, 1, DUMMY, 0]
    assert drawn(state)["gears"]["yaxchilan"][:4] == [None, 1, "dummy", 0]


def test_tiles_show_category_and_price() -> None:
    state = opening()
    state.players[1][BUILDINGS], state.players[1][MONUMENTS] = 1 << 12, 1 << 13
    player = drawn(state)["players"][1]
    assert player["buildings"] == [{"id": 12, "category": "tomb", "cost": {"wood": 1, "gold": 1}}]
    assert player["monuments"] == [{"id": 13, "category": "shrine", "cost": {"gold": 4, "skull": 1}}]


def test_an_empty_building_space_is_null() -> None:
    state = opening()
    state.row[2] = 0
    assert drawn(state)["buildings"][2] is None


def test_victory_points_are_exact_to_the_quarter() -> None:
    state = opening()
    state.players[0][VP] = -7
    assert drawn(state)["players"][0]["victory_points"] == -1.75


def test_a_seat_sees_its_own_offer_only() -> None:
    state = opening()
    state.apply(0, KEEP + 5)
    assert drawn(state, 0)["secrets"] == {"offered": state.offers[0], "kept": state.offers[0][2:]}
    assert drawn(state, 1)["secrets"] == {"offered": state.offers[1], "kept": None}
    assert drawn(state, SPECTATOR)["secrets"] == {}


def test_the_full_view_shows_offers_and_stacks() -> None:
    state = opening()
    secrets = drawn(state)["secrets"]
    assert [offer["offered"] for offer in secrets["offers"]] == state.offers
    assert len(secrets["stacks"]["age_1"]) == drawn(state)["stacks"]["age_1"] == 8


def test_the_question_is_named_until_the_match_is_over() -> None:
    state = opening()
    assert drawn(state)["question"] == {"kind": "Draft", "numbers": []}
    playout(state, max)
    assert drawn(state)["question"] is None
