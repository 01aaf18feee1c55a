"""What actions, spaces and tiles do, for people who do not know the rules of Maya.

The ids of things that are not places are those of tiles on the own rack: `rack.corn:2`.
"""

from typing import Final

from ballcourt.engine.core.view.scene import Explanation
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya import tables
from ballcourt.engine.games.maya.actions import ACT_EXPAND, ACT_PLANT, CELL, HIDE, PASS, STOP, TEMPLE, TILE
from ballcourt.engine.games.maya.board import cities_beside, group_of, lay_city_tile, lay_plantation
from ballcourt.engine.games.maya.cities import award, crops_around
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.turns.planting import PlantCell

SECTIONS: Final = {
    "FirstTemple": "9.1",
    "MarkedTemple": "9.2",
    "Act": "3.1",
    "PlantTile": "3.2",
    "PlantCell": "4.1",
    "PlantMore": "4.2",
    "ExpandTile": "6.1",
    "ExpandCell": "4.3",
}
"""The section of RULES.md about each question."""
_PLAIN: Final = {
    ACT_PLANT: (
        "Lay tiles of one crop face up next to each other; you score a point for each crop of their whole group."
    ),
    ACT_EXPAND: "Lay a tile face down to make a city larger, then draw tiles. It scores when the city is closed.",
    PASS: "You can neither plant nor expand, so your turn ends.",
    STOP: "You score a point for each crop in the group that you have planted, older tiles included; your turn ends.",
}


def explain(state: MayaState, seat: int, action: int) -> Explanation:
    """Explain an action."""
    kind = type(state.frames[-1]).__name__ if state.frames else ""
    things: list[str] = []
    if action in _PLAIN:
        text = _PLAIN[action]
    elif action < CELL:
        tile = action - (HIDE if action >= HIDE else TILE)
        things = [f"rack.{tables.KIND_NAMES[tile]}"]
        text = _hidden() if action >= HIDE else _planted(tile)
    elif action < TEMPLE:
        text = _cell(state, seat, action - CELL)
    else:
        text = "The first city grows from this temple, and the first tiles are laid next to it."
    return {"text": text, "section": SECTIONS.get(kind, ""), "things": things}


def _planted(kind: int) -> str:
    crop, value = tables.KIND_NAMES[kind].split(":")
    return (
        f"A tile with {value} {crop}: planted, it counts {value} in its group, and {value} for your share in "
        "adjacent cities."
    )


def _hidden() -> str:
    return "This tile goes face down into a city, where its crop no longer counts; then you draw new tiles."


def _cell(state: MayaState, seat: int, cell: int) -> str:
    """Say what a tile on a cell does: its points, and how the cities next to it then stand."""
    after, top = state.clone(), state.frames[-1]
    if isinstance(top, PlantCell):
        lay_plantation(after, cell, seat, top.tile)
        crops = sum(1 + (after.cells[one] - at.PLANTATION) % at.VALUES for one in group_of(after.cells, cell))
        first = f"Your group then has {crops} {_plural('crop', crops)}, a point each."
    else:
        lay_city_tile(after, cell, state.cells[cell] - at.SITE)
        first = "The city grows by this space."
    beside = sorted(cities_beside(after.cells, cell))
    return " ".join([first, *(_standing(after, seat, temple) for temple in beside)])


def _standing(state: MayaState, seat: int, temple: int) -> str:
    """Say who leads around a city, and what that is worth to a player."""
    crops, size = crops_around(state, temple), state.cities[at.SIZE + temple]
    own, best = crops[seat], max(count for other, count in enumerate(crops) if other != seat)
    points = award(size, crops)[seat]
    worth = f"{points} {_plural('point', points)}"
    if own > best:
        lead = f"you lead with {own} to {best}"
    elif own < best:
        lead = f"another player leads with {best} to {own}"
    else:
        lead = f"you are level with {own}" if own else "no one has crops there"
    when = "for you now, as it is closed" if not state.cities[at.EDGE + temple] else "for you when it is closed"
    return f"{tables.TEMPLE_NAMES[temple]}, {size} {_plural('tile', size)}: {lead}; {worth} {when}."


def _plural(name: str, count: int) -> str:
    return name if count == 1 else f"{name}s"


def texts() -> dict[str, str]:
    """Say what spaces and tiles are for, by id or by kind of place."""
    return {
        "cell": "A space for a tile: face up it is a plantation, face down part of the city next to it.",
        "border": "The edge of the board: a city needs nothing here to be closed.",
        **{tables.CELL_NAMES[cell]: _temple_text(temple) for temple, cell in enumerate(tables.TEMPLE_CELL)},
        **{f"rack.{name}": _planted(kind) for kind, name in enumerate(tables.KIND_NAMES)},
        "city": _city_text(),
    }


def _temple_text(temple: int) -> str:
    return (
        f"{tables.TEMPLE_NAMES[temple]}: the temple is put here as soon as a tile lies next to it, and a city grows "
        "around it."
    )


def _city_text() -> str:
    points = [f"{size}: {first} and {second}" for size, (first, second) in enumerate(tables.CITY_POINTS) if first]
    return (
        "A city scores once no empty space is next to it. First and second place, by the crops on "
        "plantations around it, "
        f"earn by its number of tiles {'; '.join(points)}."
    )
