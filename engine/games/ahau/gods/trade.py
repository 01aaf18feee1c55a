"""The power of the God of Trade: moving workers and swapping resources (RULES §6.3)."""

from typing import ClassVar, Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.ahau.actions import (
    COLOUR,
    COLOUR_PAIRS,
    MOVE_AGAIN,
    MOVE_FROM,
    MOVE_TO,
    NO_SWAP,
    STOP_MOVING,
    SWAP,
)
from ballcourt.engine.games.ahau.building.region_bonus import RegionBonus
from ballcourt.engine.games.ahau.columns import FAMILY, MODE, RESOURCES, SIDE, STANDING
from ballcourt.engine.games.ahau.gods.powers import Strong
from ballcourt.engine.games.ahau.pieces.people import resources, standing_cities
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ADJACENT_CITIES

BASE: Final = 11
"""The base of a path: a number with a digit city + 1 for each city a worker has been in, the current one last."""

ANY_COLOUR: Final = 0
"""A placeholder for the colour in Ahau Family, which has no swaps."""


def use_trade(state: AhauState, seat: int, strength: int, colours: int) -> None:
    """Ask for the moves of the workers (§6.3)."""
    if state.table[MODE] == FAMILY:
        state.then(TradeMove(seat, strength, ANY_COLOUR))
    else:
        state.then(TradeColour(seat, strength, colours))


def cities_on(path: int) -> list[int]:
    """List the cities of a path from its start."""
    cities = []
    while path:
        path, digit = divmod(path, BASE)
        cities.append(digit - 1)
    return cities[::-1]


def city_at(path: int) -> int:
    """Return the city where a path ends."""
    return path % BASE - 1


def move_goals(state: AhauState, path: int) -> list[int]:
    """List the cities where a worker with this path can go."""
    visited = cities_on(path)
    near = ADJACENT_CITIES[state.table[SIDE]][visited[-1]]
    return [city for city in near if city not in visited]


class TradeColour(Strong):
    """Which of the colours used all swaps must involve (§6.3)."""

    kind: ClassVar[int] = 66

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [COLOUR + colour for colour in members(self.colours)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        state.then(TradeMove(seat, self.left, action - COLOUR))


class TradeMove(Windowed):
    """Which worker to move; a worker never returns to a city it has been in (§6.3).

    `paths` belong to the workers moved in this summoning, the most recently moved last.
    """

    kind: ClassVar[int] = 67
    fields: ClassVar[tuple[str, ...]] = ("seat", "left", "colour", "paths")
    left: int
    colour: int
    paths: tuple[int, ...]

    def __init__(self, seat: int, left: int, colour: int, *paths: int) -> None:
        super().__init__(seat)
        self.left = left
        self.colour = colour
        self.paths = paths

    def row(self) -> list[int]:
        return [self.seat, self.left, self.colour, *self.paths]

    def movers(self, state: AhauState, seat: int) -> list[int]:
        """List the paths of the moved workers that still stand; laying down takes unmoved workers first (R-45)."""
        row = state.actors[seat]
        paths = list(self.paths)
        for city in {city_at(path) for path in paths}:
            there = [path for path in paths if city_at(path) == city]
            for path in there[row[STANDING + city] :]:
                paths.remove(path)
        return paths

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the distinct standing workers that have a goal (R-22), and to stop."""
        options = []
        if self.left:
            row = state.actors[seat]
            paths = self.movers(state, seat)
            moved = [city_at(path) for path in paths]
            options = [
                MOVE_FROM + city
                for city in standing_cities(row)
                if row[STANDING + city] > moved.count(city) and move_goals(state, city + 1)
            ]
            options += [
                MOVE_AGAIN + place
                for place, path in enumerate(paths)
                if path not in paths[:place] and move_goals(state, path)
            ]
        return [*options, STOP_MOVING]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Ask where the worker goes; when moving stops, offer the region bonus (R-58)."""
        if action == STOP_MOVING:
            state.then(RegionBonus(seat))
            return
        paths = self.movers(state, seat)
        path = paths.pop(action - MOVE_AGAIN) if action >= MOVE_AGAIN else action - MOVE_FROM + 1
        state.then(MoveTo(seat, self.left, self.colour, path, *paths))


class MoveTo(Frame[AhauState]):
    """Where a worker goes (§6.3); `path` is its path, `others` are the paths of the other moved workers."""

    kind: ClassVar[int] = 69
    fields: ClassVar[tuple[str, ...]] = ("seat", "left", "colour", "path", "others")
    left: int
    colour: int
    path: int
    others: tuple[int, ...]

    def __init__(self, seat: int, left: int, colour: int, path: int, *others: int) -> None:
        super().__init__(seat)
        self.left = left
        self.colour = colour
        self.path = path
        self.others = others

    def row(self) -> list[int]:
        return [self.seat, self.left, self.colour, self.path, *self.others]

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the adjacent cities where the worker has not been."""
        return [MOVE_TO + city for city in move_goals(state, self.path)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Move the worker, offer a swap, then ask for the next move."""
        goal = action - MOVE_TO
        row = state.changing(seat)
        row[STANDING + city_at(self.path)] -= 1
        row[STANDING + goal] += 1
        if state.table[MODE] == FAMILY:
            state.then(TradeMove(seat, self.left - 1, ANY_COLOUR))
            return
        following = TradeMove(seat, self.left - 1, self.colour, *self.others, self.path * BASE + goal + 1)
        state.then(*([TradeSwap(seat, self.colour)] if resources(row) else []), following)


class TradeSwap(Frame[AhauState]):
    """Whether to swap a resource after a move; one of the two must have the colour (§6.3)."""

    kind: ClassVar[int] = 68
    fields: ClassVar[tuple[str, ...]] = ("seat", "colour")
    colour: int

    def __init__(self, seat: int, colour: int) -> None:
        super().__init__(seat)
        self.colour = colour

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the swaps that involve the colour, and none."""
        row = state.actors[seat]
        swaps = [
            SWAP + index
            for index, (give, get) in enumerate(COLOUR_PAIRS)
            if row[RESOURCES + give] and self.colour in (give, get)
        ]
        return [*swaps, NO_SWAP]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != NO_SWAP:
            give, get = COLOUR_PAIRS[action - SWAP]
            row = state.changing(seat)
            row[RESOURCES + give] -= 1
            row[RESOURCES + get] += 1
