"""Where plantations may go, opening temples, and points for planting (RULES §4.1, §4.2, §4.4, §5)."""

import pytest

from tests.engine.games.maya.playing import (
    TIKAL_AROUND,
    answer,
    at_table,
    cells_for,
    offered,
    play,
    points,
    possible,
    seen,
    sizes,
)

CORN = {0: ["corn:1"] * 4 + ["pepper:1"], 1: ["corn:1"]}


def test_the_first_tile_goes_next_to_any_tile() -> None:
    """§4.1: a temple tile or a plantation, whichever its owner and its crop."""
    state = at_table(tiles={"E7": "1 pepper:1"}, rack=CORN)
    assert cells_for(state, "plant", "corn:1") == {"E8", "F7", "F9", "G7", "G8"} | {"D7", "D8", "E6", "F7"}


def test_a_tile_does_not_go_away_from_all_others() -> None:
    """§4.1"""
    state = at_table(rack=CORN)
    assert cells_for(state, "plant", "corn:1") == set(TIKAL_AROUND)


@pytest.mark.parametrize(
    ("cell", "why"),
    [("F8", "a temple tile"), ("E7", "a plantation"), ("G7", "a city tile"), ("D5", "an empty temple space")],
)
def test_a_tile_goes_only_on_an_empty_space_that_is_not_a_temple_space(cell: str, why: str) -> None:
    """§4.1, §1.3"""
    tiles = {"E7": "0 corn:1", "E6": "0 pepper:1", "E5": "1 corn:1"}
    state = at_table(tiles=tiles, city={"G7": "tikal"}, rack=CORN)
    assert not possible(state, f"plant corn:1 {cell}"), why


def test_a_city_tile_is_a_tile_to_plant_next_to() -> None:
    """R-P1, §4.1: H7 only touches G7."""
    state = at_table(city={"G7": "tikal"}, rack=CORN)
    assert possible(state, "plant corn:1 H7")


def test_an_empty_temple_space_is_not_a_tile_to_plant_next_to() -> None:
    """§4.1: C5 is next to Uxmal."""
    assert not possible(at_table(rack=CORN), "plant corn:1 C5")
    assert possible(at_table(temples=["tikal", "uxmal"], rack=CORN), "plant corn:1 C5")


def test_a_space_between_two_cities_can_be_planted() -> None:
    """§4.4: G6 touches G7 of Tikal and H6 of Yaxchilan."""
    state = at_table(temples=["tikal", "yaxchilan"], city={"G7": "tikal", "H6": "yaxchilan"}, rack=CORN)
    assert "G6" not in cells_for(state, "expand", "corn:1")
    assert possible(state, "plant corn:1 G6")


def test_later_tiles_go_next_to_the_group_of_the_first() -> None:
    """§4.2: not next to other tiles, even where a first tile could go."""
    state = at_table(tiles={"F9": "0 pepper:1"}, rack=CORN)
    assert cells_for(state, "plant", "corn:1", "E7", "corn:1") == {"D7", "D8", "E6", "E8", "F7"}


def test_one_planting_uses_one_crop() -> None:
    """§4.2: single and double tiles of it together."""
    state = at_table(rack={0: ["corn:1", "corn:2", "pepper:1", "pepper:2"]})
    assert cells_for(state, "plant", "corn:1", "E7") == {"stop", "corn:2"}
    assert cells_for(state, "plant", "pepper:2", "E7") == {"stop", "pepper:1"}


def test_the_whole_rack_may_be_planted() -> None:
    """§4.2: one tile at least, seven at most, and the turn ends with the last."""
    state = at_table(rack={0: ["corn:1"] * 7, 1: ["corn:1"]}, supply={0: 3})
    play(state, "plant corn:1 E7 corn:1 E8 corn:1 D7 corn:1 D8 corn:1 C7 corn:1 C8 corn:1 D9")
    assert (points(state), sizes(state, "rack"), seen(state, "turn")) == ([7, 0], [0, 1], 1)


def test_new_tiles_on_both_sides_of_an_own_group_are_one_group() -> None:
    """R-P2, §5.2: D7 and E9 do not touch, E7 and E8 connect them."""
    state = at_table(tiles={"E7": "0 corn:1", "E8": "0 corn:1"}, rack=CORN)
    play(state, "plant corn:1 D7 corn:1 E9")
    assert points(state) == [4, 0]


@pytest.mark.parametrize("connecting", ["1 corn:1", "0 pepper:1"])
def test_only_own_tiles_of_the_crop_connect(connecting: str) -> None:
    """R-P2, §1.5"""
    state = at_table(tiles={"E7": connecting, "E8": connecting}, rack=CORN)
    assert not possible(state, "plant corn:1 D7 corn:1 E9")


def test_two_own_groups_may_be_joined() -> None:
    """R-P3, §5.2: one group of all three, which scores as a whole."""
    state = at_table(tiles={"E7": "0 corn:2", "F9": "0 corn:2"}, rack=CORN)
    play(state, "plant corn:1 E8")
    assert points(state) == [5, 0]


def test_after_joining_the_next_tile_goes_next_to_either_part() -> None:
    """R-P3, R-P2, §4.2"""
    state = at_table(tiles={"E7": "0 corn:2", "F9": "0 corn:2"}, rack=CORN)
    assert {"D7", "F10", "G9"} <= cells_for(state, "plant", "corn:1", "E8", "corn:1")


def test_only_the_group_of_the_new_tiles_scores() -> None:
    """§5.2, §1.5: not own corn elsewhere, not other crops, not the corn of others."""
    tiles = {"E7": "0 corn:2", "G8": "0 corn:2", "E8": "0 pepper:2", "D7": "1 corn:2", "E6": "0 corn:1"}
    state = at_table(tiles=tiles, rack=CORN)
    play(state, "plant corn:1 F7")
    assert points(state) == [4, 0]


def test_double_tiles_score_two() -> None:
    """§5.2, §1.4"""
    state = at_table(rack={0: ["corn:1", "corn:2", "corn:2", "pepper:1"], 1: ["corn:1"]})
    play(state, "plant corn:2 E7 corn:2 E8 corn:1 D8")
    assert points(state) == [5, 0]


def test_planting_does_not_refill_the_rack() -> None:
    """§5.3, §5.4: and the next player's turn follows."""
    state = at_table(rack=CORN, supply={0: 9, 1: 9})
    play(state, "plant corn:1 E7")
    assert (sizes(state, "rack"), sizes(state, "supply"), seen(state, "turn")) == ([4, 1], [9, 9], 1)


def test_a_temple_next_to_a_new_plantation_opens_at_once() -> None:
    """§5.1, R-T1: before the next tile is chosen; it scores for no one."""
    state = at_table(tiles={"E6": "1 pepper:1"}, rack=CORN)
    answer(state, "plant", "corn:1", "E5")
    assert seen(state, "temples") == ["uxmal", "tikal"]
    answer(state, "corn:1")
    assert {"E4", "D6"} <= offered(state)
    answer(state, "D6", "stop")
    assert points(state) == [2, 0]


def test_one_tile_away_from_a_temple_space_opens_nothing() -> None:
    """§5.1: E6 has E5 between it and Uxmal."""
    state = at_table(tiles={"E7": "1 pepper:1"}, rack=CORN)
    play(state, "plant corn:1 E6")
    assert seen(state, "temples") == ["tikal"]


def test_one_planting_may_open_several_temples() -> None:
    """R-T1, §5.1"""
    state = at_table(tiles={"F7": "1 squash:1", "F6": "1 squash:1"}, rack=CORN)
    play(state, "plant corn:1 E5 corn:1 F5 corn:1 G5")
    assert set(seen(state, "temples")) == {"tikal", "uxmal", "yaxchilan"}
    assert points(state) == [3, 0]


def test_city_tiles_open_no_temple() -> None:
    """§5.1, §4.3: G5 and H6 are next to Yaxchilan, so the city stays away from them."""
    state = at_table(city={"G7": "tikal"}, rack=CORN, supply={0: 9})
    assert {"G5", "H6"}.isdisjoint(cells_for(state, "expand", "corn:1"))
    play(state, "expand corn:1 G6")
    assert seen(state, "temples") == ["tikal"]
