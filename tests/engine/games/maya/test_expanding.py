"""Where cities expand, the tiles laid face down and drawing (RULES §4.3, §4.4, §6)."""

import pytest

from tests.engine.games.maya.playing import TIKAL_AROUND, at_table, cells_for, play, points, possible, seen, sizes

ONE_EACH = {0: ["corn:1", "pepper:2"], 1: ["corn:1"]}
TWO_CITIES = {"temples": ["tikal", "yaxchilan"], "city": {"G7": "tikal", "H6": "yaxchilan"}}


def test_a_city_expands_next_to_any_of_its_tiles() -> None:
    """§4.3, §1.6: the temple tile and those laid face down."""
    state = at_table(city={"G7": "tikal"}, rack=ONE_EACH)
    assert cells_for(state, "expand", "corn:1") == {*TIKAL_AROUND, "G6", "H7", "H8"} - {"G7"}


def test_no_city_expands_away_from_its_tiles_or_only_next_to_plantations() -> None:
    """§4.3: D7 and D8 touch a plantation."""
    state = at_table(tiles={"E7": "0 corn:1"}, rack=ONE_EACH)
    assert cells_for(state, "expand", "corn:1") == {*TIKAL_AROUND} - {"E7"}


def test_two_cities_are_never_connected() -> None:
    """§4.3, §4.4: G6 touches G7 and H6."""
    state = at_table(**TWO_CITIES, rack=ONE_EACH)
    assert "G6" not in cells_for(state, "expand", "corn:1")
    assert {"H4", "G4", "F9"} <= cells_for(state, "expand", "corn:1")


def test_a_space_two_cities_grew_up_to_is_lost_to_both() -> None:
    """§4.4: G6 and H7 touched only Tikal's city before."""
    state = at_table(temples=["tikal", "yaxchilan"], city={"G7": "tikal"}, rack={0: ["corn:1"] * 2, 1: ["corn:1"]})
    assert {"G6", "H7"} <= cells_for(state, "expand", "corn:1")
    play(state, "expand corn:1 H6")
    assert {"G6", "H7"}.isdisjoint(cells_for(state, "expand", "corn:1"))


def test_no_city_expands_next_to_an_empty_temple_space() -> None:
    """§4.3: H6 touches G6 and, empty, Yaxchilan."""
    city = {"G7": "tikal", "G6": "tikal"}
    assert not possible(at_table(city=city, rack=ONE_EACH), "expand corn:1 H6")
    assert possible(at_table(city=city, rack=ONE_EACH), "expand corn:1 H7")


@pytest.mark.parametrize("cell", ["F8", "E7", "G7"])
def test_a_city_expands_only_on_empty_spaces(cell: str) -> None:
    """§4.3"""
    state = at_table(city={"G7": "tikal"}, tiles={"E7": "0 corn:1"}, rack=ONE_EACH)
    assert not possible(state, f"expand corn:1 {cell}")


def test_the_chosen_tile_goes_face_down_and_three_are_drawn() -> None:
    """§6.1, §6.2: the next three of the supply."""
    supply = {0: ["squash:1", "squash:2", "potato:1", "potato:2"], 1: []}
    state = at_table(rack=ONE_EACH, supply=supply)
    play(state, "expand pepper:2 G7")
    assert (seen(state, "city"), seen(state, "city_tiles")) == ({"G7": "tikal"}, {"G7": "0 pepper:2"})
    assert seen(state, "rack")["0"] == ["squash:1", "squash:2", "potato:1", "corn:1"]
    assert seen(state, "supply")["0"] == ["potato:2"]
    assert (points(state), seen(state, "turn")) == ([0, 0], 1)


def test_a_tile_that_is_not_on_the_rack_cannot_go_face_down() -> None:
    """§6.1"""
    assert not possible(at_table(rack=ONE_EACH, supply={0: ["squash:1"]}), "expand squash:1 G7")


def test_with_an_empty_rack_the_next_tile_of_the_supply_goes_face_down() -> None:
    """§6.1, §6.2: and two are drawn."""
    state = at_table(rack={1: ["corn:1"]}, supply={0: ["squash:2", "corn:1", "corn:2", "pepper:1"]})
    play(state, "expand blind G7")
    assert seen(state, "city_tiles") == {"G7": "0 squash:2"}
    assert (seen(state, "rack")["0"], seen(state, "supply")["0"]) == (["corn:1", "corn:2"], ["pepper:1"])


@pytest.mark.parametrize("rack", range(8))
@pytest.mark.parametrize("supply", range(5))
def test_drawing_stops_at_seven_tiles_and_at_the_end_of_the_supply(rack: int, supply: int) -> None:
    """§6.2, R-D1, §1.8, §11.1"""
    if rack + supply == 0:
        return
    state = at_table(rack={0: ["corn:1"] * rack, 1: ["corn:1"]}, supply={0: supply})
    play(state, f"expand {'corn:1' if rack else 'blind'} G7")
    left, wanted = (supply, 3) if rack else (supply - 1, 2)
    drawn = min(wanted, left, 7 - max(rack - 1, 0))
    assert (sizes(state, "rack")[0], sizes(state, "supply")[0]) == (max(rack - 1, 0) + drawn, left - drawn)


def test_expanding_scores_nothing_by_itself() -> None:
    """§6.3: however many crops surround it."""
    state = at_table(tiles={"F7": "0 corn:2", "G8": "0 corn:2"}, rack=ONE_EACH)
    play(state, "expand corn:1 G7")
    assert points(state) == [0, 0]


def test_a_player_may_expand_any_city() -> None:
    """§1.6, §4.3: cities have no owner."""
    state = at_table(**TWO_CITIES, city_tiles={"G7": "1 corn:1", "H6": "1 corn:1"}, rack=ONE_EACH)
    assert {"F9", "H4"} <= cells_for(state, "expand", "corn:1")
    play(state, "expand corn:1 H4")
    assert seen(state, "city") == {"G7": "tikal", "H6": "yaxchilan", "H4": "yaxchilan"}
