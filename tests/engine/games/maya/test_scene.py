"""The scene of Maya: what a viewer draws."""

from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.scene import Scene, Scenery
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.state import MayaState
from tests.engine.games.maya.playing import answer, play
from tests.engine.games.maya.test_wire import table


def drawn(state: MayaState, seat: int | None = None) -> Scene:
    return GAME.scene(state, seat)


def printed() -> Scenery:
    return GAME.scenery(table())


def test_the_cells_in_play_say_where_they_lie_and_in_which_area() -> None:
    scenery = printed()
    assert set(scenery["board"]["areas"].values()) == {"blue", "yellow"}
    assert [(scenery["places"][cell]["x"], scenery["board"]["areas"][cell]) for cell in ("F8", "A5")] == [
        (14, "blue"),
        (9, "yellow"),
    ]


def test_temple_spaces_and_border_tiles_lie_in_and_around_the_areas() -> None:
    scenery = printed()
    assert scenery["board"]["temples"]["uxmal"] == "D5"
    assert scenery["places"]["D5"] == {
        "kind": "temple",
        "x": 8,
        "y": 5.196,
        "label": "Uxmal (D5)",
        "adjacent": ["C4", "C5", "D4", "D6", "E4", "E5"],
    }
    assert "palenque" not in scenery["board"]["temples"]
    assert ["B4", "C3"] in scenery["board"]["borders"]
    assert scenery["places"]["C3"]["kind"] == "border"


def test_a_plantation_shows_owner_crop_and_value() -> None:
    assert drawn(table())["at"]["E7"] == [{"kind": "plantation", "player": 1, "face": "corn:2"}]


def test_a_city_shows_its_tiles_and_whose_they_are() -> None:
    state = table()
    play(state, "expand pepper:2 F7")
    scene = drawn(state)
    now = {"crops": [0, 2], "points": [0, 6]}
    assert scene["board"]["cities"] == {"tikal": {"size": 2, "empty_cells_around": 7, "scored": False, **now}}
    assert scene["at"]["F8"] == [{"kind": "temple", "face": "tikal"}]
    assert scene["at"]["F7"] == [{"kind": "city", "player": 0, "face": "tikal"}]


def test_a_seat_sees_its_own_tiles_only() -> None:
    state = table()
    answer(state, "expand", "pepper:2")
    nothing = {"rack": None, "city_tiles": None, "held": None}
    own = {"rack": ["pepper:2", "corn:1", "corn:1"], "city_tiles": {}, "held": "pepper:2"}
    assert drawn(state, 0)["known"] == [own, nothing]
    assert drawn(state, 1)["known"] == [nothing, {"rack": ["squash:1"], "city_tiles": {}, "held": None}]
    assert drawn(state, SPECTATOR)["known"] == [nothing, nothing]


def test_the_full_view_shows_all_racks_and_supplies() -> None:
    scene = drawn(table())
    assert [known["rack"] for known in scene["known"]] == [["pepper:2", "corn:1", "corn:1"], ["squash:1"]]
    assert scene["piles"]["supply.1"] == {"count": 9, "pieces": ["pepper:1"] * 9}
    assert drawn(table(), 1)["piles"]["supply.1"] == {"count": 9, "pieces": None}
