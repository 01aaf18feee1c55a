"""The board of Ahau for viewers: where cities, sites and regions lie, what tracks and tiles say.

The map has the links and regions of `tables`; where exactly a city is drawn is ours.
"""

from typing import Final, TypedDict

from ballcourt.engine.core.view.scene import Place, Scenery, Track, in_words
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.columns import FAMILY, GODS, MODE, NIGHT, SIDE, SIDE_A, SOLO, SOLO_NIGHT, SPACES
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.view.explained import texts
from ballcourt.engine.games.ahau.view.words import CITIES_IN_WORDS, GODS_IN_WORDS, link_id, reward

CITY_AT: Final = (
    *((540, 50), (230, 150), (900, 180), (430, 310), (430, 470)),
    *((680, 470), (110, 600), (620, 660), (380, 670), (740, 970)),
)
"""By city."""
REGION_AT: Final = (
    ((), (400, 180), (630, 250), (265, 430), (735, 600), (520, 740)),
    ((), (400, 180), (630, 250), (265, 430), (530, 575), (735, 600), (520, 760)),
)
"""By side of the board and region: the middle of its pieces."""


class Building(TypedDict):
    """A kind of building: one resource of each colour is its price."""

    label: str
    cost: list[str]


class Printed(TypedDict):
    """What only the scenery of Ahau has.

    A space of a pyramid has its level from 1 and its position from 0; `rewards` are by board, space and pyramid or
    building: of the seats, then of a player without a bot.
    """

    links: dict[str, list[str]]
    regions: dict[str, list[str]]
    city_gods: dict[str, str]
    gods: list[str]
    scoring: dict[str, str]
    marker_fame: list[int]
    calendar_spaces: int
    summary_resources: list[list[str]]
    buildings: dict[str, Building]
    spaces: list[list[int]]
    pyramid_rewards: list[list[str]]
    building_rewards: list[list[str]]


def scenery(state: AhauState) -> Scenery:
    """Describe the board of a match."""
    side, solo = state.table[SIDE], state.table[MODE] == SOLO
    night, pakal = state.table[NIGHT], state.table[SOLO_NIGHT]
    links = [link for link in range(len(tables.LINK_CITIES)) if side != SIDE_A or link != tables.MISSING_LINK]
    pyramids = [tables.PYRAMID_REWARDS[night], *([tables.PAKAL_PYRAMID_REWARDS[pakal]] if solo else [])]
    buildings = [tables.BUILDING_REWARDS[night], *([tables.PAKAL_BUILDING_REWARDS[pakal]] if solo else [])]
    printed: Printed = {
        "links": {link_id(link): [tables.CITY_NAMES[city] for city in tables.LINK_CITIES[link]] for link in links},
        "regions": {
            str(region): [tables.CITY_NAMES[city] for city in tables.REGION_CITIES[side][region]]
            for region in range(1, tables.REGION_COUNT[side] + 1)
        },
        "city_gods": {name: tables.GOD_NAMES[god] for name, god in zip(tables.CITY_NAMES, state.gods, strict=True)},
        "gods": list(tables.GOD_NAMES),
        "scoring": {
            tables.GOD_NAMES[god]: tables.SCORING_NAMES[state.scoring[god]].replace("_", " ") for god in range(GODS)
        },
        "marker_fame": list(tables.MARKER_FAME),
        "calendar_spaces": calendar_spaces(state),
        "summary_resources": [
            [tables.COLOUR_NAMES[colour] for colour in colours] for colours in tables.SUMMARY_RESOURCES[1:]
        ],
        "buildings": {
            f"building.{tile}": _building(tables.BUILDING_KIND[tile]) for tile in range(1, len(tables.BUILDING_KIND))
        },
        "spaces": [[tables.SPACE_LEVEL[space], tables.SPACE_POSITION[space]] for space in range(SPACES)],
        "pyramid_rewards": [[reward(given) for given in board] for board in pyramids],
        "building_rewards": [[reward(given) for given in board] for board in buildings],
    }
    return {
        "places": _places(state, links, side),
        "tracks": {"might": _might()},
        "board": {**printed},
        "texts": texts(state),
    }


def calendar_spaces(state: AhauState) -> int:
    """Return how many sites fill the calendar."""
    return tables.CALENDAR_SPACES[max(2, state.seats)]


def _building(kind: int) -> Building:
    return {
        "label": in_words(tables.BUILDING_NAMES[kind]),
        "cost": [tables.COLOUR_NAMES[colour] for colour in tables.BUILDING_COLOURS[kind]],
    }


def _might() -> Track:
    return {"label": "Might", "steps": [reward(given) for given in tables.MIGHT_REWARDS]}


def _places(state: AhauState, links: list[int], side: int) -> dict[str, Place]:
    places = {tables.CITY_NAMES[city]: _city(city, state.gods[city], side) for city in range(len(tables.CITY_NAMES))}
    places |= {link_id(link): _site(link) for link in links}
    for region in range(1, tables.REGION_COUNT[side] + 1):
        places |= _region(region, side, *REGION_AT[side][region])
    for god in range(GODS):
        places |= _temple(god)
    slots = 0 if state.table[MODE] == FAMILY else tables.OFFER_SLOTS
    places |= {f"offer.{slot}": _place("offer", 1568 + 128 * slot, 94, f"offer {slot + 1}") for slot in range(slots)}
    top = 268 if slots else 78
    for space in range(calendar_spaces(state)):
        x, y = 1530 + 54 * (space % 6), top + 54 * (space // 6)
        places[f"calendar.{space}"] = _place("calendar", x, y, f"calendar {space + 1}")
    return places


def _place(kind: str, x: float, y: float, label: str) -> Place:
    return {"kind": kind, "x": x, "y": y, "label": label}


def _city(city: int, god: int, side: int) -> Place:
    place = _place("city", *CITY_AT[city], f"{CITIES_IN_WORDS[city]} ({GODS_IN_WORDS[god]})")
    return {**place, "adjacent": [tables.CITY_NAMES[other] for other in tables.ADJACENT_CITIES[side][city]]}


def _site(link: int) -> Place:
    (x, y), (other_x, other_y) = (CITY_AT[city] for city in tables.LINK_CITIES[link])
    label = " to ".join(CITIES_IN_WORDS[city] for city in tables.LINK_CITIES[link])
    return _place("site", (x + other_x) / 2, (y + other_y) / 2, label)


def _temple(god: int) -> dict[str, Place]:
    label = f"temple of {GODS_IN_WORDS[god]}"
    return {
        f"temple.{tables.GOD_NAMES[god]}.{space}": _place(
            "temple", 1082 + 48 * space, 72 + 94 * god, f"{label}, {fame} Fame"
        )
        for space, fame in enumerate(tables.MARKER_FAME)
    }


def _region(region: int, side: int, x: float, y: float) -> dict[str, Place]:
    name = f"region.{region}"
    beside = [
        *(tables.CITY_NAMES[city] for city in tables.REGION_CITIES[side][region]),
        *(f"region.{other}.rulers" for other in tables.ADJACENT_REGIONS[side][region]),
    ]
    return {
        f"{name}.left": _place("tile", x - 28, y - 8, f"region {region}, left tile"),
        f"{name}.right": _place("tile", x + 28, y - 8, f"region {region}, right tile"),
        f"{name}.building": _place("bonus", x, y + 44, f"region {region}, bonus"),
        f"{name}.rulers": {**_place("rulers", x, y - 54, f"region {region}"), "adjacent": beside},
    }
