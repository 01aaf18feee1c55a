"""When a city is scored, and the points of each player (RULES §7)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.games.maya.cities import award
from tests.engine.games.maya.playing import answer, at_table, play, points, seen, sizes

PLACES = {1: (0, 0), 2: (6, 3), 3: (12, 6), 4: (20, 10), 5: (30, 15), 6: (30, 15), 13: (30, 15)}
RACKS = {0: ["potato:1", "potato:1", "pepper:1"], 1: ["corn:1", "squash:1"]}
NEARLY_CLOSED: dict[str, Any] = {
    "city": {"G7": "tikal"},
    "tiles": {
        "E7": "0 corn:1",
        "E8": "0 squash:1",
        "F7": "0 potato:2",
        "F9": "1 corn:1",
        "G8": "1 pepper:2",
        "H7": "1 corn:1",
    },
}
"""Tikal's city of two: next to it only G6 and H8 are empty. So far 4 crops of seat 0 and 4 of seat 1."""
UXMAL: dict[str, Any] = {
    "temples": ["tikal", "uxmal"],
    "tiles": {"C4": "0 corn:1", "C5": "0 pepper:1", "D6": "1 squash:2", "E4": "1 corn:1", "E5": "1 pepper:1"},
}
"""Without green, D4 is the only empty space around Uxmal, and nothing else is next to D4."""
TWO_NEARLY_CLOSED: dict[str, Any] = {
    "temples": ["tikal", "yaxchilan"],
    "city": {"G7": "tikal", "H6": "yaxchilan"},
    "tiles": {
        **dict.fromkeys(("E7", "E8", "F7", "F9", "H7"), "0 corn:1"),
        **dict.fromkeys(("H8", "G4", "G5", "H4", "I4", "I6"), "1 corn:1"),
        "G8": "0 corn:2",
        "I5": "1 corn:2",
    },
}
"""G6 closes both. Crops without G6: 7 to 1 around Tikal, 1 to 7 around Yaxchilan."""


@pytest.mark.parametrize("size", PLACES)
def test_the_points_of_the_two_places_depend_on_the_size(size: int) -> None:
    """§7.3, §7.4: the third gets nothing."""
    first, second = PLACES[size]
    assert award(size, [5, 4, 2]) == [first, second, 0]
    assert award(size, [1, 2, 4, 3]) == [0, 0, first, second]


@pytest.mark.parametrize(
    ("size", "crops", "expected"),
    [
        (2, [2, 2], [5, 5]),
        (3, [4, 4, 3], [9, 9, 0]),
        (3, [2, 2, 2], [6, 6, 6]),
        (4, [3, 1, 3, 3], [10, 0, 10, 10]),
        (5, [1, 1, 1, 1], [12, 12, 12, 12]),
        (5, [7, 7], [23, 23]),
        (2, [1, 1, 1, 1], [3, 3, 3, 3]),
        (1, [2, 2], [0, 0]),
    ],
)
def test_seats_tied_for_first_share_both_places_rounded_up(size: int, crops: list[int], expected: list[int]) -> None:
    """§7.5: and there is no second."""
    assert award(size, crops) == expected


@pytest.mark.parametrize(
    ("size", "crops", "expected"),
    [
        (2, [4, 1, 1], [6, 2, 2]),
        (2, [4, 1, 1, 1], [6, 1, 1, 1]),
        (3, [2, 5, 2], [3, 12, 3]),
        (5, [9, 2, 2, 1], [30, 8, 8, 0]),
        (4, [9, 2, 2, 2], [20, 4, 4, 4]),
    ],
)
def test_seats_tied_for_second_share_it_rounded_up(size: int, crops: list[int], expected: list[int]) -> None:
    """R-S3"""
    assert award(size, crops) == expected


@pytest.mark.parametrize(
    ("crops", "expected"),
    [([3, 0, 0], [20, 0, 0]), ([0, 0], [0, 0]), ([0, 0, 2, 2], [0, 0, 15, 15]), ([0, 1], [0, 20])],
)
def test_without_crops_there_are_no_points(crops: list[int], expected: list[int]) -> None:
    """R-S2: neither for first nor for second place."""
    assert award(4, crops) == expected


@given(st.integers(1, 13), st.lists(st.integers(0, 12), min_size=2, max_size=4))
def test_points_follow_the_order_of_the_crops(size: int, crops: list[int]) -> None:
    """§7.4, §7.5, R-S2, R-S3: more crops never earn less, equal ones earn the same, and rounding loses nothing."""
    earned = award(size, crops)
    ranked = sorted(zip(crops, earned, strict=True))
    assert [points for _, points in ranked] == sorted(earned)
    assert all(earned[seat] == earned[crops.index(count)] for seat, count in enumerate(crops))
    first, second = PLACES[min(size, 6)]
    several = sum(count > 0 for count in crops) > 1
    least = first + second if several else first if any(crops) else 0
    assert least <= sum(earned) < least + len(crops)


def test_a_city_is_scored_when_its_last_empty_neighbour_is_taken() -> None:
    """§7.1, §1.7, R-S8: not before."""
    state = at_table(**NEARLY_CLOSED, rack=RACKS)
    play(state, "plant potato:1 G6")
    assert (seen(state, "scored"), points(state)) == ({}, [3, 0])
    play(state, "plant squash:1 H8")
    assert (seen(state, "scored"), points(state)) == ({"tikal": 2}, [3 + 5, 1 + 5])


def test_the_crops_of_all_kinds_around_a_city_count() -> None:
    """§7.2: those of double tiles twice; whose turn it is and whose city tiles they are does not matter."""
    state = at_table(**{**NEARLY_CLOSED, "tiles": {**NEARLY_CLOSED["tiles"], "G6": "1 corn:1"}}, rack=RACKS)
    play(state, "plant potato:1 H8")
    assert points(state) == [1 + 5, 0 + 5]


def test_a_plantation_counts_once_for_a_city() -> None:
    """R-S1: F7 and G8 touch both tiles of the city. 6 crops to 4; counted twice it would be 6 to 8."""
    tiles = {"F7": "1 corn:2", "G8": "1 pepper:2"} | dict.fromkeys(("E7", "E8", "F9", "H7", "H8"), "0 squash:1")
    state = at_table(city={"G7": "tikal"}, tiles=tiles, rack=RACKS)
    play(state, "plant potato:1 G6")
    assert points(state) == [1 + 6, 3]


def test_two_cities_closed_by_one_tile_are_both_scored() -> None:
    """R-S4, R-S1: G6 counts for both: 8 to 1 and 2 to 7."""
    state = at_table(**TWO_NEARLY_CLOSED, rack=RACKS)
    play(state, "plant potato:1 G6")
    assert seen(state, "scored") == {"tikal": 2, "yaxchilan": 2}
    assert points(state) == [1 + 6 + 3, 3 + 6]


def test_a_city_is_scored_after_the_last_tile_of_a_planting() -> None:
    """R-S5, §5.4, §7.1: though the first one closed it."""
    state = at_table(**TWO_NEARLY_CLOSED, rack=RACKS)
    answer(state, "plant", "potato:1", "G6")
    assert (seen(state, "scored"), points(state)) == ({}, [0, 0])
    answer(state, "potato:1", "F6")
    assert seen(state, "scored") == {"tikal": 2, "yaxchilan": 2}
    assert points(state) == [2 + 6 + 3, 3 + 6]


def test_a_city_may_close_itself_by_expanding() -> None:
    """R-S6, §6.3, §7.1: its new tile counts, and the draw is done."""
    state = at_table(**UXMAL, rack=RACKS, supply={0: 9})
    play(state, "expand pepper:1 D4")
    assert (seen(state, "scored"), points(state)) == ({"uxmal": 2}, [3, 6])
    assert sizes(state, "rack") == [5, 2]


def test_a_temple_opened_and_enclosed_at_once_is_a_city_of_one() -> None:
    """R-S7, §7.3: it is scored, and worth nothing."""
    state = at_table(
        tiles={"F7": "1 squash:1", "F6": "1 squash:1"}, rack={0: ["corn:1"] * 6 + ["pepper:1"], 1: ["corn:1"]}
    )
    play(state, "plant corn:1 E5 corn:1 D6 corn:1 C5 corn:1 C4 corn:1 D4 corn:1 E4")
    assert (seen(state, "scored"), points(state)) == ({"uxmal": 1}, [6, 0])


def test_a_space_that_can_only_be_planted_keeps_a_city_open() -> None:
    """R-S8: G6 is lost to both cities, and still both are open."""
    state = at_table(**TWO_NEARLY_CLOSED, rack={0: ["potato:1"], 1: ["corn:1"]}, supply={0: 1})
    play(state, "plant potato:1 F6")
    assert seen(state, "scored") == {}


def test_a_scored_city_is_not_scored_again() -> None:
    """§7.1: whatever else is closed or planted later."""
    state = at_table(**UXMAL, rack=RACKS, supply={0: 9})
    play(state, "expand pepper:1 D4", "plant corn:1 E6", "plant potato:1 E7")
    assert points(state) == [3 + 1, 6 + 1]


@pytest.mark.parametrize(
    ("areas", "temple", "cell", "tiles", "closing"),
    [
        (["blue", "green"], "edzna", "A1", ("A2", "B1", "B3", "C1"), "C2"),
        (["blue", "green"], "edzna", "C1", ("A1", "A2", "B1", "B3", "D1", "D2"), "C2"),
        (["blue", "yellow"], "uxmal", "D4", ("C4", "C5", "D6", "E4"), "E5"),
    ],
    ids=["corner", "coast", "unused area"],
)
def test_a_city_is_closed_by_the_edge_of_the_playing_area(
    areas: list[str], temple: str, cell: str, tiles: tuple[str, ...], closing: str
) -> None:
    """§7.6, §1.1: no plantation is needed where nothing can lie."""
    state = at_table(
        areas=areas,
        temples=["tikal", temple],
        city={cell: temple},
        tiles=dict.fromkeys(tiles, "1 corn:1"),
        rack={0: ["pepper:1", "corn:1"], 1: ["corn:1"]},
    )
    play(state, f"plant pepper:1 {closing}")
    assert (seen(state, "scored"), points(state)) == ({temple: 2}, [1 + 3, 6])


def test_a_used_area_does_not_close_a_city() -> None:
    """§7.6, §7.1: with green in play D4 has three more neighbours."""
    state = at_table(
        **{**UXMAL, "city": {"D4": "uxmal"}, "tiles": {**UXMAL["tiles"], "E5": "1 corn:1"}},
        players=3,
        areas=["blue", "green", "yellow"],
        rack={0: ["corn:1", "corn:1"]},
    )
    play(state, "plant corn:1 E6")
    assert seen(state, "scored") == {}
