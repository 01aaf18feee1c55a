"""What the learned values of Maya positions are a weighted sum of."""

from typing import Final

from ballcourt.bots.greedy.maya import is_follow_up, planting
from ballcourt.bots.leads import lead
from ballcourt.engine.games.maya import board, cities, columns, tables
from ballcourt.engine.games.maya.columns import CITY, CROPS, KINDS, PLANTATION, RACK, SCORE, SUPPLY, VALUES
from ballcourt.engine.games.maya.state import MayaState

__all__ = ["NAMES", "features", "is_follow_up"]

EMPTY: Final = ("one", "two", "three", "more")
"""How many empty cells an open city has around it."""
NAMES: Final = (
    *("score", "rack", "supply", "groups", "growth", "later_growth"),  # what the seat has more than the others
    *(f"city_points_{count}_empty" for count in EMPTY),
    *(f"city_crops_{count}_empty" for count in EMPTY),
    *("planting", "rack_squares", "rack_growth", "constant"),  # of the seat alone
)


def features(state: MayaState, seat: int) -> list[float]:
    """Describe a position as a seat knows it; of the others' racks it knows the number of tiles. See `NAMES`.

    Leads are over the mean of the others.
    """
    best = best_groups(state)
    possessions = [has(state, each, best[each]) for each in range(state.seats)]
    rack = by_crop(state.racks[seat])
    return [
        *[lead(amounts, seat) for amounts in zip(*possessions, strict=True)],
        *open_cities(state, seat),
        float(planting(state, seat)),
        float(sum(count * count for count in rack)),
        float(sum(count * crops for count, crops in zip(rack, best[seat], strict=True))),
        1.0,
    ]


def has(state: MayaState, seat: int, best: list[int]) -> list[float]:
    """Return what is known of a seat: points, tiles, groups and what its tiles could add to them."""
    player, groups = state.players[seat], sum(best)
    rack, supply = player[RACK], player[SUPPLY]
    return [player[SCORE], rack, supply, groups, groups * rack / CROPS, groups * supply / CROPS]


def best_groups(state: MayaState) -> list[list[int]]:
    """Return by seat and crop how many crops the largest group has that can still grow."""
    cells, met = state.cells, set[int]()
    best = [[0] * CROPS for _ in range(state.seats)]
    for cell in [cell for cell, content in enumerate(cells) if PLANTATION <= content < CITY]:
        if cell not in met:
            group = board.group_of(cells, cell)
            met.update(group)
            if board.empty_around(cells, group):
                seat, kind = divmod(cells[cell] - PLANTATION, KINDS)
                crops = sum([1 + (cells[member] - PLANTATION) % VALUES for member in group])
                best[seat][kind // VALUES] = max(best[seat][kind // VALUES], crops)
    return best


def by_crop(kinds: list[int]) -> list[int]:
    """Add up counts by kind to counts by crop."""
    return [sum(kinds[VALUES * crop : VALUES * crop + VALUES]) for crop in range(CROPS)]


def open_cities(state: MayaState, seat: int) -> list[float]:
    """Return the lead in points that open cities would give as they stand, then the lead in crops around them.

    Both are by the number of empty cells around the city.
    """
    points, crops = [0.0] * len(EMPTY), [0.0] * len(EMPTY)
    for temple in range(tables.TEMPLES):
        size, empty = state.cities[columns.SIZE + temple], state.cities[columns.EDGE + temple]
        if size and empty:
            around = cities.crops_around(state, temple)
            bucket = min(empty, len(EMPTY)) - 1
            points[bucket] += lead(cities.award(size, around), seat)
            crops[bucket] += lead(around, seat)
    return [*points, *crops]
