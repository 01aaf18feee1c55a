"""The scene of Maya: what a viewer draws."""

from typing import Any

from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.state import MayaState
from tests.engine.games.maya.playing import answer, at_table, play


def table() -> MayaState:
    return at_table(
        tiles={"E7": "1 corn:2"},
        rack={0: ["corn:1", "pepper:2"], 1: ["squash:1"]},
        supply={0: ["potato:1"] * 5, 1: ["pepper:1"] * 5},
    )


def drawn(state: MayaState, seat: int | None = None) -> Any:  # noqa: ANN401
    return GAME.scene(state, seat)


def test_the_areas_in_play_say_where_their_cells_lie() -> None:
    areas = drawn(table())["areas"]
    assert sorted(areas) == ["blue", "yellow"]
    assert (areas["blue"]["F8"], areas["yellow"]["A5"]) == ([14, 5], [9, 0])


def test_temple_spaces_and_border_tiles_lie_in_and_around_the_areas() -> None:
    scene = drawn(table())
    assert scene["temple_spaces"]["uxmal"] == {"name": "Uxmal", "cell": "D5"}
    assert "palenque" not in scene["temple_spaces"]
    assert ["B4", "C3"] in scene["borders"]


def test_a_plantation_shows_owner_crop_and_value() -> None:
    assert drawn(table())["plantations"] == {"E7": {"owner": 1, "crop": "corn", "value": 2}}


def test_a_city_shows_its_tiles() -> None:
    state = table()
    play(state, "expand pepper:2 F7")
    city = {"temple": "tikal", "size": 2, "tiles": ["F8", "F7"], "empty_cells_around": 7, "scored": False}
    assert drawn(state)["cities"] == [city]


def test_a_seat_sees_its_own_tiles_only() -> None:
    state = table()
    answer(state, "expand", "pepper:2")
    own = {"rack": ["pepper:2", "corn:1"], "city_tiles": [], "held": "pepper:2"}
    assert drawn(state, 0)["secrets"] == own
    assert drawn(state, 1)["secrets"] == {"rack": ["squash:1"], "city_tiles": [], "held": None}
    assert drawn(state, SPECTATOR)["secrets"] == {}


def test_the_full_view_shows_all_racks_and_supplies() -> None:
    secrets = drawn(table())["secrets"]
    assert [player["rack"] for player in secrets["players"]] == [["pepper:2", "corn:1"], ["squash:1"]]
    assert secrets["players"][1]["supply"] == ["pepper:1"] * 5


def test_the_question_is_named_until_the_match_is_over() -> None:
    state = table()
    assert drawn(state)["question"] == {"kind": "Act", "numbers": [0]}
    playout(state, min)
    assert drawn(state)["question"] is None
