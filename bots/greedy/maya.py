"""Greedy's values of Maya positions: points scored, tiles on the rack, and the state of the open cities."""

from typing import Final

from ballcourt.engine.games.maya import actions, cities, columns
from ballcourt.engine.games.maya.board import group_of
from ballcourt.engine.games.maya.state import MayaState

TILE: Final = 1.0  # a tile on the rack
OPEN_CITY: Final = 0.5  # the points of a city, were it closed as it stands
SUPPLY_TILE: Final = 0.1  # a tile not drawn yet: it will be another turn


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen: which tile, where, but not whether to plant more."""
    return legal[0] >= actions.TILE and legal[-1] != actions.STOP


def value(state: MayaState, seat: int) -> float:
    """Price what the seat has, in points."""
    player = state.players[seat]
    worth = player[columns.SCORE] + TILE * player[columns.RACK] + SUPPLY_TILE * player[columns.SUPPLY]
    return worth + planting(state, seat) + OPEN_CITY * open_cities(state, seat)


def planting(state: MayaState, seat: int) -> int:
    """Return the points of an unfinished planting if it stops here."""
    if not state.planted or state.table[columns.TURN] != seat:
        return 0
    group = group_of(state.cells, state.planted[0])
    return sum(1 + (state.cells[cell] - columns.PLANTATION) % columns.VALUES for cell in group)


def open_cities(state: MayaState, seat: int) -> int:
    """Return the points of all open cities if they were closed now."""
    points = 0
    for temple, size in enumerate(state.cities[columns.SIZE : columns.EDGE]):
        if size > 1 and not state.table[columns.SCORED] >> temple & 1:
            points += cities.award(size, cities.crops_around(state, temple))[seat]
    return points
