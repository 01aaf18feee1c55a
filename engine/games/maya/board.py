"""Tiles on the board, and their effect on the empty cells around them (RULES §4, §5.1)."""

from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import NEIGHBOURS, TEMPLE_AT, TEMPLE_BESIDE, TEMPLE_CELL


def plantable(cells: list[int]) -> list[int]:
    """List the cells where the first tile of a plant action may go: empty and adjacent to any tile (§4.1, R-P1)."""
    return [cell for cell, content in enumerate(cells) if at.FIELD <= content < at.PLANTATION]


def any_plantable(cells: list[int]) -> bool:
    """Return whether `plantable` lists anything."""
    return _any_from(at.FIELD, cells)


def expandable(cells: list[int]) -> list[int]:
    """List the cells where a city may expand: those adjacent to exactly one, and to no empty temple space (§4.3)."""
    return [cell for cell, content in enumerate(cells) if at.SITE <= content < at.PLANTATION]


def any_expandable(cells: list[int]) -> bool:
    """Return whether `expandable` lists anything."""
    return _any_from(at.SITE, cells)


def _any_from(least: int, cells: list[int]) -> bool:
    for content in cells:  # noqa: SIM110 - asked at every turn; a generator takes twice as long
        if least <= content < at.PLANTATION:
            return True
    return False


def group_of(cells: list[int], start: int) -> list[int]:
    """Return the group a plantation belongs to: its owner's connected plantations of its crop (§1.5)."""
    like = cells[start] >> 1  # equal for the two values of one crop of one owner
    group = [start]
    for cell in group:
        for other in NEIGHBOURS[cell]:
            if cells[other] >> 1 == like and other not in group:
                group.append(other)
    return group


def empty_around(cells: list[int], tiles: list[int]) -> list[int]:
    """List the empty cells adjacent to some tiles, ascending; temple spaces do not count (§4.2)."""
    found: set[int] = set()
    for tile in tiles:
        for cell in NEIGHBOURS[tile]:
            if at.WILD <= cells[cell] < at.PLANTATION:
                found.add(cell)
    return sorted(found)


def lay_plantation(state: MayaState, cell: int, seat: int, kind: int) -> None:
    """Put a plantation on an empty cell; an adjacent empty temple space gets its tile at once (§5.1, R-T1)."""
    _occupy(state, cell)
    cells = state.cells[:]
    state.cells = cells
    cells[cell] = at.PLANTATION + at.KINDS * seat + kind
    for other in NEIGHBOURS[cell]:
        if cells[other] == at.WILD:
            cells[other] = at.FIELD
    temple = TEMPLE_BESIDE[cell]
    if temple >= 0 and cells[TEMPLE_CELL[temple]] == at.EMPTY_TEMPLE:
        open_temple(state, temple)


def open_temple(state: MayaState, temple: int) -> None:
    """Put the temple tile on its space: a city of one tile begins."""
    lay_city_tile(state, TEMPLE_CELL[temple], temple)


def lay_city_tile(state: MayaState, cell: int, temple: int) -> None:
    """Put the temple tile or a face-down tile of a city on a cell (§6.1)."""
    if TEMPLE_AT[cell] < 0:
        _occupy(state, cell)
    cells, cities = state.cells[:], state.cities
    state.cells = cells
    cities[at.SIZE + temple] += 1
    for other in NEIGHBOURS[cell]:
        if at.WILD <= cells[other] < at.PLANTATION and not _touches(cells, other, temple):
            cities[at.EDGE + temple] += 1
    cells[cell] = at.CITY + temple
    for other in NEIGHBOURS[cell]:
        if at.WILD <= cells[other] < at.PLANTATION:
            cells[other] = _beside_city(cells, other, temple)


def _occupy(state: MayaState, cell: int) -> None:
    """Take an empty cell away from the edges of the cities it is adjacent to."""
    for city in cities_beside(state.cells, cell):
        state.cities[at.EDGE + city] -= 1


def cities_beside(cells: list[int], cell: int) -> list[int]:
    """List the temples of the cities that a cell is adjacent to."""
    found: list[int] = []
    for other in NEIGHBOURS[cell]:
        temple = cells[other] - at.CITY
        if temple >= 0 and temple not in found:
            found.append(temple)
    return found


def _touches(cells: list[int], cell: int, temple: int) -> bool:
    return at.CITY + temple in [cells[other] for other in NEIGHBOURS[cell]]


def _beside_city(cells: list[int], cell: int, temple: int) -> int:
    """Return the content of an empty cell that a city has become adjacent to (§4.3, §4.4)."""
    content = cells[cell]
    if content == at.SITE + temple:
        return content
    beside = TEMPLE_BESIDE[cell]
    empty_temple = beside >= 0 and cells[TEMPLE_CELL[beside]] == at.EMPTY_TEMPLE
    return at.BLOCKED if empty_temple or content >= at.BLOCKED else at.SITE + temple
