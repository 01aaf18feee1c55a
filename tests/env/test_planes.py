"""What the features of each game mean, by what the game's columns and tables say of the same numbers."""

from collections.abc import Iterator, Sequence
from types import ModuleType

import pytest

from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.ahau import columns as ahau
from ballcourt.engine.games.ahau import tables as ahau_tables
from ballcourt.engine.games.maya import columns as maya
from ballcourt.engine.games.maya import tables as maya_tables
from ballcourt.engine.games.tzolkin import columns as tzolkin
from ballcourt.engine.games.tzolkin import tables as tzolkin_tables
from ballcourt.engine.registry import find_game
from ballcourt.env import FeatureEncoder
from tests.env.positions import positions
from tests.env.test_tensors import features_of

SEATS, OBSERVER = 3, 1
SLOTS = [
    (gear, number)
    for gear, count in zip(tzolkin_tables.GEAR_NAMES, tzolkin_tables.GEAR_SLOTS, strict=True)
    for number in range(count)
]
NAMED = {
    "maya": {"areas": "AREAS", "size": "SIZE", "empty_cells_around": "EDGE"},
    "tzolkin": {
        "food_days_held": "FOOD_DAYS",
        "skulls": "SKULL_BANK",
        "blocks": "WOOD",
        "points": "VP",
        "workers_in_hand": "HAND",
        "light_side": "LIGHT",
    },
    "ahau": {
        "personal_scoring": "PERSONAL",
        "automaton_deck": "DECK",
        "start_tiles_out": "BOXED_TILES",
        "buildings_out": "BOXED_BUILDINGS",
        "lost_region": "LOST",
        "might": "STEP",
        "left_card": "LEFT",
        "right_card": "RIGHT",
        "on_table": "PLAYED",
        "discarded": "DISCARD",
        "role": "ROLE_SEEN",
        "discounts_used": "DISCOUNTS",
        "pyramid_god": "PYRAMID",
        "pyramid_colour": "PAINT",
        "building": "BUILDINGS",
    },
}
"""The constants of columns whose features have other names; of all others the name is that of the constant."""
OTHERWISE = {("tzolkin", "player", "skulls"): "SKULLS"}


@pytest.mark.parametrize(("game", "at"), [("maya", maya), ("tzolkin", tzolkin), ("ahau", ahau)])
def test_a_feature_shows_the_column_of_its_name(game: str, at: ModuleType) -> None:
    features, seen = features_of(find_game(game)), 0
    for row in (*features.public, *features.actors):
        for group in row.blocks:
            constant = OTHERWISE.get((game, row.name, group.name), NAMED[game].get(group.name, group.name.upper()))
            if group.name and "." not in group.name:
                assert group.column == getattr(at, constant), (row.name, group.name)
                seen += 1
    assert seen > 8


def shown(game: str, row: int) -> Iterator[tuple[Sequence[int], set[str]]]:
    """Yield a public row in positions of a match, and the names of the features that are not 0 for the observer."""
    rules = find_game(game)
    encoder = FeatureEncoder(features_of(rules), SEATS)
    for state in positions(rules, SEATS, seed=1, every=23):
        seen = observe(state, OBSERVER)
        vector = zip(encoder.names, encoder.encode(seen).tolist(), strict=True)
        yield seen.public[row], {name for name, value in vector if value}


def place(seat: int) -> str:
    """How features name a seat."""
    return ("self", "next1", "next2")[(seat - OBSERVER) % SEATS]


def on_cell(value: int) -> set[str]:
    """Say what is on a cell of Maya."""
    if value >= maya.CITY:
        return {"in_play", "city"}
    if value >= maya.PLANTATION:
        seat, kind = divmod(value - maya.PLANTATION, maya.KINDS)
        two = {"two"} if kind % maya.VALUES else set[str]()
        return {"in_play", place(seat), maya_tables.CROP_NAMES[kind // maya.VALUES]} | two
    if value >= maya.SITE:
        return {"in_play", "plantable", "site"}
    return {
        maya.OUT: set[str](),
        maya.EMPTY_TEMPLE: {"in_play", "temple_space"},
        maya.WILD: {"in_play"},
        maya.FIELD: {"in_play", "plantable"},
        maya.BLOCKED: {"in_play", "plantable", "blocked"},
    }[value]


def test_the_planes_of_maya_say_what_is_on_each_cell() -> None:
    met: set[str] = set()
    for cells, features in shown("maya", maya.CELLS_ROW):
        for name, value in zip(maya_tables.CELL_NAMES, cells, strict=True):
            here = {feature for feature in features if feature.startswith(f"cells[{name}]")}
            assert here == {f"cells[{name}][{label}]" for label in on_cell(value)}
            met |= on_cell(value)
    assert met >= {"city", "site", "temple_space", "plantable", "blocked", "two", "self", "next1", "next2"}


def test_the_planes_of_tzolkin_say_whose_worker_is_in_each_slot() -> None:
    met: set[str] = set()
    for slots, features in shown("tzolkin", tzolkin.SLOTS_ROW):
        names = [name for name in features if name.startswith("slots[")]
        assert len(names) == sum(slot != tzolkin.EMPTY for slot in slots)
        expected = {
            f"slots[{gear} {number}][{'dummy' if value == tzolkin.DUMMY else place(value)}]"
            for (gear, number), value in zip(SLOTS, slots, strict=True)
            if value != tzolkin.EMPTY
        }
        assert {*names} == expected
        met |= {name.rpartition("[")[2] for name in names}
    assert met == {"dummy]", "self]", "next1]", "next2]"}


def test_the_planes_of_ahau_say_colour_and_god_of_the_tiles_in_each_region() -> None:
    colours, met = (*ahau_tables.COLOUR_NAMES[: ahau.COLOURS], "wild"), set[str]()
    for regions, features in shown("ahau", ahau.REGIONS_ROW):
        for region in range(ahau.REGIONS):
            first = region * ahau.REGION_COLUMNS
            for side, tile in zip(("left", "right"), regions[first + ahau.TILE :][: ahau.POSITIONS], strict=True):
                name = f"regions.{region + 1}.tile[{side}]"
                words = {colours[ahau_tables.TILE_COLOUR[tile]], ahau_tables.GOD_NAMES[ahau_tables.TILE_GOD[tile]]}
                expected = {f"{name}[{word}]" for word in words} if tile else set()
                assert {feature for feature in features if feature.startswith(name)} == expected
                met |= words if tile else set()
    assert met == {*colours, *ahau_tables.GOD_NAMES}
