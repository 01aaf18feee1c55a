"""What a Maya position is worth, in points: those scored, the tiles on the rack, and the lead in the open cities."""

from typing import Any, Final

from ballcourt.simulate import rules

actions, columns = (rules("maya", module) for module in ("actions", "columns"))
group_of = rules("maya", "board").group_of
cities = rules("maya", "cities")

TILE: Final = 1.0  # a tile on the rack
OPEN_CITY: Final = 0.5  # the points of a city, were it closed as it stands
SUPPLY_TILE: Final = 0.1  # a tile not drawn yet: it will be another turn


def is_follow_up(legal: list[int]) -> bool:
    """Tell a question within an action, which tile and where, from what to do and whether to plant more."""
    return bool(legal[0] >= actions.TILE and legal[-1] != actions.STOP)


def value(state: Any, seat: int) -> float:  # noqa: ANN401 (a MayaState)
    """Price what the seat has, in points."""
    player = state.players[seat]
    worth: float = player[columns.SCORE] + TILE * player[columns.RACK] + SUPPLY_TILE * player[columns.SUPPLY]
    return worth + planting(state, seat) + OPEN_CITY * open_cities(state, seat)


def planting(state: Any, seat: int) -> int:  # noqa: ANN401
    """Return the points that a planting which is not over yet brings if it stops here."""
    if not state.planted or state.table[columns.TURN] != seat:
        return 0
    group = group_of(state.cells, state.planted[0])
    return sum(1 + (state.cells[cell] - columns.PLANTATION) % columns.VALUES for cell in group)


def open_cities(state: Any, seat: int) -> int:  # noqa: ANN401
    """Return the points of all open cities, were they closed as they stand."""
    points = 0
    for temple, size in enumerate(state.cities[columns.SIZE : columns.EDGE]):
        if size > 1 and not state.table[columns.SCORED] >> temple & 1:
            points += cities.award(size, cities.crops_around(state, temple))[seat]
    return points
