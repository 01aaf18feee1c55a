"""The board of Tzolk'in for viewers: where gears and spaces lie, what tracks and tiles say."""

from math import cos, radians, sin
from typing import Final, TypedDict

from ballcourt.engine.core.view.scene import Place, Scenery, Track
from ballcourt.engine.games.tzolkin import tables
from ballcourt.engine.games.tzolkin.columns import TOP_LEVEL
from ballcourt.engine.games.tzolkin.view.explained import texts
from ballcourt.engine.games.tzolkin.view.words import (
    ACTIONS_IN_WORDS,
    MONUMENTS_IN_WORDS,
    TECHS_IN_WORDS,
    TEMPLES_IN_WORDS,
    effect,
)

CENTRE: Final = 500
CALENDAR_RADIUS: Final = 230
CALENDAR_TEETH: Final = 26
GEAR_ANGLE: Final = tuple(360 / CALENDAR_TEETH * gap for gap in (9, 14, 20, 25, 4))
"""In which direction from the calendar each gear lies, degrees clockwise from the right: at a gap between its teeth."""
WORKER_AT: Final = 0.72
"""How far from the middle of a gear a worker stands, as a share of its radius."""


TIKAL_ICONS: Final = [["gear"], ["build"], ["2 gear"], ["2 build", "monument"], ["2 temple"]]
UXMAL_ICONS: Final = [
    ["temple", f"{tables.CORN_PER_TEMPLE_STEP} corn"],
    ["market"],
    ["worker"],
    ["build", "corn"],
    ["any"],
]
LEVELS: Final = {
    "agriculture": ["+1 corn", "+1, no tile", "+3 corn", "temple"],
    "extraction": ["+1 wood", "+1 stone", "+1 gold", "2 blocks"],
    "architecture": ["+1 corn", "+2 VP", "\u22121 block", "3 VP"],
    "theology": ["space ahead", "block: step", "+1 skull", "skull"],
}


class Gear(TypedDict):
    """A gear: its middle, pitch radius and teeth, and the direction of space 0 from its middle in degrees."""

    x: float
    y: float
    radius: float
    teeth: int
    first: float


class Tile(TypedDict):
    """What is printed on a building, monument or wealth tile."""

    category: str
    cost: dict[str, int]
    effects: list[str]


class Printed(TypedDict):
    """What only the scenery of Tzolk'in has; `temple_bonus` is for the highest on each temple at the end of an age.

    `icons` has what spaces of gears give, as words that have a symbol; `levels` what technologies give, by level from 1
    and beyond the last.
    """

    calendar: Gear
    gears: dict[str, Gear]
    food_days: list[int]
    tiles: dict[str, Tile]
    temple_bonus: list[list[int]]
    icons: dict[str, list[str]]
    levels: dict[str, list[str]]


def _gear(number: int) -> Gear:
    teeth = tables.GEAR_SLOTS[number]
    radius = CALENDAR_RADIUS * teeth / CALENDAR_TEETH
    outwards = GEAR_ANGLE[number]
    distance = CALENDAR_RADIUS + radius
    return {
        "x": round(CENTRE + distance * cos(radians(outwards)), 2),
        "y": round(CENTRE + distance * sin(radians(outwards)), 2),
        "radius": round(radius, 2),
        "teeth": teeth,
        "first": round(outwards - tables.LAST_SPACE[number] / 2 * 360 / teeth, 2),
    }


def _spaces(number: int, gear: Gear) -> dict[str, Place]:
    return {f"{tables.GEAR_NAMES[number]}.{space}": _space(number, gear, space) for space in range(gear["teeth"])}


def _space(number: int, gear: Gear, space: int) -> Place:
    """Describe a space of a gear; those after the last are where workers cannot stand."""
    angle = radians(gear["first"] + 360 / gear["teeth"] * space)
    distance = WORKER_AT * gear["radius"]
    return {
        "kind": "space",
        "x": round(gear["x"] + distance * cos(angle), 2),
        "y": round(gear["y"] + distance * sin(angle), 2),
        "label": _printed_at(number, space),
    }


def _printed_at(gear: int, space: int) -> str:
    if 1 <= space <= tables.NUMBERED_ACTIONS[gear]:
        return ACTIONS_IN_WORDS[gear][space - 1]
    return "any of the actions" if tables.NUMBERED_ACTIONS[gear] < space <= tables.LAST_SPACE[gear] else ""


def _row(name: str, kind: str, count: int, y: float) -> dict[str, Place]:
    return {
        f"{name}.{space}": {"kind": kind, "x": 1075.0 + 110 * space, "y": y, "label": f"{kind} {space + 1}"}
        for space in range(count)
    }


def _places(gears: list[Gear]) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for number, gear in enumerate(gears):
        places |= _spaces(number, gear)
    places["start"] = {"kind": "start", "x": CENTRE, "y": CENTRE + 110.0, "label": "start player"}
    palenque = gears[0]
    for group in range(2, 6):
        where = places[f"palenque.{group}"]
        places[f"jungle.{group}"] = {
            "kind": "jungle",
            "x": round(palenque["x"] + 3.1 * (where["x"] - palenque["x"]), 2),
            "y": round(palenque["y"] + 3.1 * (where["y"] - palenque["y"]), 2),
            "label": f"jungle {group}",
        }
    return (
        places
        | _row("row", "building", tables.ROW_SPACES, 730)
        | _row("display", "monument", max(tables.MONUMENTS_DEALT), 917)
    )


def _cost(cost: tables.Cost) -> dict[str, int]:
    return {name: count for name, count in zip(tables.BLOCK_NAMES, cost, strict=True) if count}


def _tiles() -> dict[str, Tile]:
    tiles: dict[str, Tile] = {}
    for number, (category, cost, effects) in enumerate(tables.BUILDING_TILES[1:], tables.FIRST_OF_AGE[0]):
        tiles[f"building.{number}"] = {
            "category": tables.CATEGORY_NAMES[category],
            "cost": _cost(cost),
            "effects": [effect(one) for one in effects],
        }
    for number, (category, cost) in enumerate(tables.MONUMENT_TILES[1:], 1):
        tiles[f"monument.{number}"] = {
            "category": tables.CATEGORY_NAMES[category],
            "cost": _cost(cost) | ({"skulls": 1} if number == tables.SKULL_MONUMENT else {}),
            "effects": [MONUMENTS_IN_WORDS[number]],
        }
    for number, (_, _, effects) in enumerate(tables.WEALTH_TILES[1:], 1):
        tiles[f"wealth.{number}"] = {"category": "", "cost": {}, "effects": [effect(one) for one in effects]}
    return tiles


def _temple(temple: int) -> Track:
    goods = [tables.BLOCK_NAMES[column - 1] if column else "" for column in tables.TEMPLE_BLOCKS[temple]]
    steps = [f"{vp} {good}".strip() for vp, good in zip(tables.TEMPLE_VP[temple], goods, strict=True)]
    return {"label": TEMPLES_IN_WORDS[temple], "steps": steps}


def _icons() -> dict[str, list[str]]:
    """Return what each numbered space of the gears gives."""
    goods = ("corn", *tables.BLOCK_NAMES)
    fields = [
        [f"{corn} corn", *(["wood"] if wood else [])]
        for corn, wood in zip(tables.FIELD_CORN, tables.FIELD_WOOD, strict=True)
    ]
    mined = [
        [f"{count} {name}" for name, count in zip(goods, one, strict=True) if count] for one in tables.YAXCHILAN_GOODS
    ]
    chichen = [
        ["skull", tables.TEMPLE_NAMES[temple], f"{points} VP"]
        for points, temple in zip(tables.CHICHEN_VP, tables.CHICHEN_TEMPLE, strict=True)
    ]
    by_gear = (
        [[f"{tables.FISHING_CORN} fish"], *fields[2:]],
        [one or ["skull"] for one in mined[1:]],
        TIKAL_ICONS,
        UXMAL_ICONS,
        chichen[1:],
    )
    return {
        f"{tables.GEAR_NAMES[gear]}.{space}": icons
        for gear, spaces in enumerate(by_gear)
        for space, icons in enumerate(spaces, 1)
    }


def _scenery() -> Scenery:
    gears = [_gear(number) for number in range(len(tables.GEAR_NAMES))]
    tracks = {name: _temple(temple) for temple, name in enumerate(tables.TEMPLE_NAMES)}
    levels = [str(level) for level in range(TOP_LEVEL + 1)]
    tracks |= {name: {"label": TECHS_IN_WORDS[tech], "steps": levels} for tech, name in enumerate(tables.TECH_NAMES)}
    printed: Printed = {
        "calendar": {"x": CENTRE, "y": CENTRE, "radius": CALENDAR_RADIUS, "teeth": CALENDAR_TEETH, "first": 0},
        "gears": dict(zip(tables.GEAR_NAMES, gears, strict=True)),
        "food_days": list(tables.FOOD_DAY),
        "tiles": _tiles(),
        "temple_bonus": [list(points) for points in tables.TEMPLE_BONUS],
        "icons": _icons(),
        "levels": LEVELS,
    }
    return {"places": _places(gears), "tracks": tracks, "board": {**printed}, "texts": texts()}


SCENERY: Final = _scenery()
