"""The board, the tiles and setting up (RULES §1, §2)."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.games.maya.tables import AREA_NAMES, AREA_OF, BORDERS, CELL_NAMES, NEIGHBOURS, POINTS
from tests.engine.games.maya.playing import at_table, cells_for, new_match, seen, sizes, walk
from tests.engine.games.maya.positions import dump

AREAS = {"blue": (42, 4), "green": (37, 3), "yellow": (39, 3), "red": (37, 3)}
"""Spaces, and how many of them are temple spaces."""
TEMPLES = {
    "tikal": "F8",
    "yaxchilan": "H5",
    "caracol": "H11",
    "copan": "J8",
    "edzna": "B2",
    "palenque": "F2",
    "tonina": "J2",
    "uxmal": "D5",
    "mayapan": "B8",
    "chichen_itza": "D11",
    "coba": "B14",
    "tulum": "F14",
    "lamanai": "J14",
}
TEMPLES_OF = {
    "blue": {"tikal", "yaxchilan", "caracol", "copan"},
    "green": {"edzna", "palenque", "tonina"},
    "yellow": {"uxmal", "mayapan", "chichen_itza"},
    "red": {"coba", "tulum", "lamanai"},
}
MIX = sorted(f"{crop}:{value}" for crop in ("pepper", "squash", "potato", "corn") for value in (1,) * 6 + (2,) * 2)
MORE = [more for number in (1, 2, 3) for more in combinations(AREA_NAMES[1:], number)]


def area(cell: str) -> str:
    return AREA_NAMES[AREA_OF[CELL_NAMES.index(cell)]]


def around(cell: str) -> set[str]:
    return {CELL_NAMES[other] for other in NEIGHBOURS[CELL_NAMES.index(cell)]}


def test_the_map_has_155_spaces_in_four_areas() -> None:
    """§1.1: bays are not spaces, though they are counted in the names."""
    assert len(CELL_NAMES) == len(set(CELL_NAMES)) == 155
    assert {name: [area(cell) for cell in CELL_NAMES].count(name) for name in AREAS} == {
        name: spaces for name, (spaces, _) in AREAS.items()
    }
    assert not {"A4", "A11", "K4", "K11"} & set(CELL_NAMES)
    assert {"A3", "A5", "A14", "K14", "B15"} <= set(CELL_NAMES)


def test_every_temple_lies_in_its_area_away_from_the_others() -> None:
    """§1.3, §2.5: each has six spaces of its own area around it, and no space is next to two."""
    for name, temples in TEMPLES_OF.items():
        assert len(temples) == AREAS[name][1]
        for temple in temples:
            assert {area(cell) for cell in around(TEMPLES[temple])} == {name}
            assert len(around(TEMPLES[temple])) == 6
    beside = [cell for temple in TEMPLES.values() for cell in around(temple)]
    assert len(beside) == len(set(beside))
    for temple, cell in TEMPLES.items():
        state = at_table(players=4, temples=[temple], rack={0: ["corn:1"]})
        assert cells_for(state, "plant", "corn:1") == around(cell)


def test_adjacency_is_mutual() -> None:
    """§1.2: two spaces that share a side, in one row or in neighbouring rows."""
    for cell, others in enumerate(NEIGHBOURS):
        assert all(cell in NEIGHBOURS[other] for other in others)
        for other in others:
            (x, row), (other_x, other_row) = POINTS[cell], POINTS[other]
            assert (abs(x - other_x), abs(row - other_row)) in ((2, 0), (1, 1))


def test_no_tile_reaches_across_the_border_of_the_playing_area() -> None:
    """§1.1, §1.2: B4 is green; C3 too. Next to D4 lie E3 and D3, which are green, E4 and C5, which are yellow."""
    for areas, reached in ((["blue", "yellow"], {"C4", "E4"}), (["blue", "yellow", "green"], {"C4", "E4", "C3"})):
        state = at_table(players=len(areas), areas=areas, temples=["uxmal"], rack={0: ["corn:1", "corn:2"]})
        offered = cells_for(state, "plant", "corn:1", "D4", "corn:2")
        assert reached <= offered
        assert {area(cell) for cell in offered} <= set(areas)


@pytest.mark.parametrize("more", MORE, ids="+".join)
def test_border_tiles_cover_every_unused_space_along_the_playing_area_once(more: tuple[str, ...]) -> None:
    """§2.3: at most nine of two spaces, which lie side by side, and three of one."""
    used = {cell for cell in CELL_NAMES if area(cell) in ("blue", *more)}
    border = {cell for cell in CELL_NAMES if cell not in used and around(cell) & used}
    tiles = [tile.split() for tile in BORDERS[more]]
    assert sorted(cell for tile in tiles for cell in tile) == sorted(border)
    assert all(tile[-1] in around(tile[0]) for tile in tiles if len(tile) == 2)
    assert sum(len(tile) == 2 for tile in tiles) <= 9
    assert sum(len(tile) == 1 for tile in tiles) <= 3


@given(st.integers(2, 4), st.integers(0, 2**64 - 1))
def test_everybody_starts_with_the_same_32_tiles(seats: int, seed: int) -> None:
    """§2.4, §1.4, §1.8, §1.9"""
    table = dump(new_match(seats, seed))
    for seat in map(str, range(seats)):
        assert len(table["rack"][seat]) == 5
        assert sorted(table["rack"][seat] + table["supply"][seat]) == MIX
    assert table["score"] == table["turns"] == [0] * seats
    assert (table["tiles"], table["city"], table["scored"], table["passes_in_row"]) == ({}, {}, {}, 0)


def test_every_supply_is_shuffled_separately() -> None:
    """§2.4, §10.5: the same seed gives the same order."""
    supplies = [tuple(supply) for seed in (1, 2) for supply in seen(new_match(4, seed), "supply").values()]
    assert len(set(supplies)) == 8
    assert new_match(4, 1).to_rows() == new_match(4, 1).to_rows()


def test_seat_0_begins_and_tikal_is_open() -> None:
    """§2.5, §2.6, R-A2: whatever the seed."""
    for seed in range(10):
        table = dump(new_match(3, seed))
        assert (table["turn"], table["step"], table["temples"]) == (0, "action", ["tikal"])


@pytest.mark.parametrize(("seats", "more"), [(len(more) + 1, more) for more in MORE])
def test_areas_can_be_named(seats: int, more: tuple[str, ...]) -> None:
    """§2.2, R-A1: no other area is in play."""
    state = new_match(seats, areas="+".join(more))
    assert set(seen(state, "areas")) == {"blue", *more}
    end = [*walk(state, 1)][-1]
    assert {area(cell) for cell in [*seen(end, "tiles"), *seen(end, "city")]} == {"blue", *more}


@pytest.mark.parametrize(("seats", "choices"), [(2, 3), (3, 3), (4, 1)])
def test_areas_are_drawn_unless_they_are_named(seats: int, choices: int) -> None:
    """§2.2, R-A1: one more than blue for every player after the first."""
    drawn = [tuple(seen(new_match(seats, seed), "areas")) for seed in range(40)]
    assert len(set(drawn)) == choices
    assert {len(areas) for areas in drawn} == {seats}
    assert all("blue" in areas for areas in drawn)
    assert drawn == [tuple(seen(new_match(seats, seed), "areas")) for seed in range(40)]


def test_naming_the_areas_changes_nothing_else() -> None:
    """R-A1, §10.5: supplies are shuffled alike."""
    one, other = (dump(new_match(2, 9, areas=areas)) for areas in ("green", "red"))
    assert {name for name in one if one[name] != other[name]} == {"areas"}


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (1, {}, "maya is not played by 1; it takes 2, 3, 4 seats"),
        (5, {}, "maya is not played by 5"),
        (
            3,
            {"areas": "green"},
            r"option areas of maya is 'green', but 3 seats play on blue and 2 more; it must be one",
        ),
        (2, {"areas": "green+red"}, r"option areas of maya is 'green\+red', but 2 seats play on blue and 1 more"),
        (4, {"areas": "red"}, "option areas of maya is 'red', but 4 seats play on blue and 3 more"),
        (2, {"areas": "blue"}, "option areas of maya is 'blue'; it must be one of seeded, green"),
        (2, {"variant": "three_cities"}, "it must be one of none, new_beginning, two_cities"),
        (2, {"colour": "red"}, "maya has no option 'colour'; it has areas, variant"),
    ],
)
def test_an_impossible_setup_is_refused_in_one_sentence(seats: int, options: dict[str, str], sentence: str) -> None:
    """§2.1, §2.2"""
    with pytest.raises(InvalidOption, match=sentence):
        new_match(seats, 1, **options)


def test_a_rack_and_a_supply_are_the_32_tiles() -> None:
    """§1.8"""
    state = new_match(4)
    assert (sizes(state, "rack"), sizes(state, "supply")) == ([5] * 4, [27] * 4)
