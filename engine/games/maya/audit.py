"""The laws of the game: what no action may break (RULES §11)."""

from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import (
    CELL_NAMES,
    CELLS,
    MIX,
    NEIGHBOURS,
    RACK_LIMIT,
    TEMPLE_CELL,
    TEMPLE_IDS,
    TEMPLES,
)


def violations(state: MayaState) -> list[str]:
    """List the broken laws of a position reached by play, one sentence each."""
    return [*_tiles(state), *_sizes(state), *_cells(state), *_neighbours(state), *_cities(state)]


def _tiles(state: MayaState) -> list[str]:
    """Every player's 32 tiles are on rack, supply and board, and nowhere twice (§11.4)."""
    broken = []
    for seat, player in enumerate(state.players):
        found = state.racks[seat][:]
        for kind in state.supplies[seat][: player[at.SUPPLY]] + state.hidden[seat]:
            found[kind] += 1
        for content in state.cells:
            if content // at.KINDS == at.PLANTATION // at.KINDS + seat:
                found[content % at.KINDS] += 1
        if found != list(MIX):
            broken.append(f"the tiles of seat {seat}, by kind, are {found} instead of {list(MIX)}")
    return broken


def _sizes(state: MayaState) -> list[str]:
    """Racks, supplies and face-down tiles are as many as the table shows; a rack holds seven at most (§11.1)."""
    broken = []
    for seat, player in enumerate(state.players):
        rack, backs = state.racks[seat], state.backs[seat]
        if not sum(rack) == player[at.RACK] <= RACK_LIMIT or min(rack) < 0:
            broken.append(f"the rack of seat {seat} is {rack}, shown as {player[at.RACK]} tiles")
        if len(backs) != len(state.hidden[seat]) or player[at.BLIND] >> len(backs):
            broken.append(f"seat {seat} has {len(state.hidden[seat])} tiles face down, shown as {len(backs)}")
        broken += [
            f"a tile of seat {seat} is face down on {CELL_NAMES[cell]}, which is not a city"
            for cell in backs
            if state.cells[cell] < at.CITY
        ]
    return broken


def _cells(state: MayaState) -> list[str]:
    """Every empty cell is noted as the tiles around it demand; there is one, and a plantable one (§11.6)."""
    cells = state.cells
    empty = [cell for cell in range(CELLS) if at.WILD <= cells[cell] < at.PLANTATION]
    broken = [
        f"cell {CELL_NAMES[cell]} is noted as {cells[cell]} instead of {_expected(cells, cell)}"
        for cell in empty
        if cells[cell] != _expected(cells, cell)
    ]
    begun = any(state.cities[at.SIZE : at.SIZE + TEMPLES])
    if begun and all(cells[cell] == at.WILD for cell in empty):
        broken.append("no cell is plantable")
    return broken


def _expected(cells: list[int], cell: int) -> int:
    around = [cells[other] for other in NEIGHBOURS[cell]]
    cities = {content - at.CITY for content in around if content >= at.CITY}
    if not cities:
        return at.FIELD if any(content >= at.PLANTATION for content in around) else at.WILD
    if len(cities) > 1 or at.EMPTY_TEMPLE in around:
        return at.BLOCKED
    return at.SITE + cities.pop()


def _neighbours(state: MayaState) -> list[str]:
    """No two cities are adjacent, and nothing is adjacent to an empty temple space (§11.2, §11.3)."""
    cells = state.cells
    broken = []
    for cell, content in enumerate(cells):
        around = [cells[other] for other in NEIGHBOURS[cell]]
        if content >= at.CITY and any(other >= at.CITY and other != content for other in around):
            broken.append(f"two cities meet at {CELL_NAMES[cell]}")
        if content >= at.PLANTATION and at.EMPTY_TEMPLE in around:
            broken.append(f"the tile on {CELL_NAMES[cell]} is adjacent to an empty temple space")
    return broken


def _cities(state: MayaState) -> list[str]:
    """Every city is connected and counted correctly, and is scored exactly when it is closed (§11.5)."""
    broken = []
    between_turns = not state.planted
    for temple, name in enumerate(TEMPLE_IDS):
        tiles, edge = _survey(state.cells, temple)
        size, noted = state.cities[at.SIZE + temple], state.cities[at.EDGE + temple]
        if not size == len(tiles) == state.cells.count(at.CITY + temple) or noted != len(edge):
            broken.append(
                f"{name} is noted with {size} tiles and {noted} empty cells around it; it has {tiles}, {edge}"
            )
        scored = state.table[at.SCORED] >> temple & 1
        closed = bool(tiles) and not edge
        if scored and not closed:
            broken.append(f"{name} has been scored, but is not closed")
        if closed and not scored and between_turns:
            broken.append(f"{name} is closed, but has not been scored")
    return broken


def _survey(cells: list[int], temple: int) -> tuple[list[int], list[int]]:
    """Return the cells of a city and the empty cells around it."""
    tiles = [cell for cell in [TEMPLE_CELL[temple]] if cells[cell] >= at.CITY]
    edge: list[int] = []
    for tile in tiles:
        for cell in NEIGHBOURS[tile]:
            if cells[cell] == at.CITY + temple and cell not in tiles:
                tiles.append(cell)
            elif at.WILD <= cells[cell] < at.PLANTATION and cell not in edge:
                edge.append(cell)
    return tiles, edge
