"""Scoring closed cities (RULES §7)."""

from ballcourt.engine.games.maya.columns import CITY, EDGE, KINDS, PLANTATION, SCORED, SIZE, VALUES
from ballcourt.engine.games.maya.sources import CITIES
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import CITY_POINTS, NEIGHBOURS, TEMPLE_CELL, TEMPLES


def score_cities(state: MayaState) -> None:
    """Score every closed city that has not been scored, once and for all (§7.1, R-S4).

    Only empty cells keep a city open, even those where it cannot expand (R-S8); beyond the board in
    play nothing is needed (§7.6). A temple enclosed at once is a city of one tile (R-S7).
    """
    cities, table = state.cities, state.table
    for temple in range(TEMPLES):
        if cities[SIZE + temple] and not cities[EDGE + temple] and not table[SCORED] >> temple & 1:
            table[SCORED] |= 1 << temple
            for seat, points in enumerate(award(cities[SIZE + temple], crops_around(state, temple))):
                state.score(seat, points, CITIES)


def crops_around(state: MayaState, temple: int) -> list[int]:
    """Count each player's crops on the plantations adjacent to a city, every plantation once (§7.2, R-S1)."""
    cells = state.cells
    crops = [0] * state.seats
    seen: set[int] = set()
    for tile in city_tiles(cells, temple):
        for cell in NEIGHBOURS[tile]:
            content = cells[cell]
            if PLANTATION <= content < CITY and cell not in seen:
                seen.add(cell)
                crops[(content - PLANTATION) // KINDS] += 1 + (content - PLANTATION) % VALUES
    return crops


def city_tiles(cells: list[int], temple: int) -> list[int]:
    """List the cells of a city, the temple first; there is a temple tile on it (§1.6)."""
    tiles = [TEMPLE_CELL[temple]]
    for tile in tiles:
        for cell in NEIGHBOURS[tile]:
            if cells[cell] == CITY + temple and cell not in tiles:
                tiles.append(cell)
    return tiles


def award(size: int, crops: list[int]) -> list[int]:
    """Return the points of every player for a city of a size, by the crops around it (§7.3, §7.4).

    Players tied for first share both places, players tied for second the second, rounded up (§7.5, R-S3). A player
    without crops there gets nothing (R-S2).
    """
    first, second = CITY_POINTS[min(size, len(CITY_POINTS) - 1)]
    most = max(crops)
    next_most = max([count for count in crops if count < most], default=0)
    leaders, followers = crops.count(most), crops.count(next_most)
    if leaders > 1:
        first, second = _share(first + second, leaders), 0
    points = [0] * len(crops)
    for seat, count in enumerate(crops):
        if count and count == most:
            points[seat] = first
        elif count and count == next_most:
            points[seat] = _share(second, followers)
    return points


def _share(points: int, players: int) -> int:
    """Divide, rounding up."""
    return -(-points // players)
