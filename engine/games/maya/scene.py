"""What a viewer draws of a position: JSON values in the words of the game.

A view for one seat is built from that seat's observation alone, so it cannot show more than the seat may know.
"""

from typing import Any

from ballcourt.engine.core.game import Scene
from ballcourt.engine.games.maya.cities import city_tiles
from ballcourt.engine.games.maya.columns import (
    AREAS,
    CITY,
    EDGE,
    KINDS,
    PASSES,
    PLANTATION,
    RACK,
    SCORE,
    SCORED,
    SIZE,
    SUPPLY,
    TURN,
    TURNS,
    UNSEEN,
    VALUES,
)
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import (
    AREA_NAMES,
    AREA_OF,
    BORDERS,
    CELL_NAMES,
    CROP_NAMES,
    KIND_NAMES,
    POINTS,
    TEMPLE_CELL,
    TEMPLE_IDS,
    TEMPLE_NAMES,
)


def scene(state: MayaState, seat: int | None = None) -> Scene:
    """Describe the position as a seat sees it, as a spectator sees it with SPECTATOR, or in full with None."""
    table, cells, cities, planted, *rest = state.public_rows()
    players, backs = rest[: state.seats], rest[state.seats : 2 * state.seats]
    areas = [area for area in range(len(AREA_NAMES)) if table[AREAS] >> area & 1]
    return {
        "turn": table[TURN],
        "passes_in_a_row": table[PASSES],
        "planted": [CELL_NAMES[cell] for cell in planted],
        "players": [_player(player, cells) for player, cells in zip(players, backs, strict=True)],
        "cities": [_city(table, cells, cities, temple) for temple in range(len(TEMPLE_IDS)) if cities[SIZE + temple]],
        "plantations": {CELL_NAMES[cell]: _plantation(content) for cell, content in _plantations(cells)},
        "areas": {AREA_NAMES[area]: _cells_of(area) for area in areas},
        "temple_spaces": _temple_spaces(areas),
        "borders": [tile.split() for tile in BORDERS[tuple(AREA_NAMES[area] for area in areas[1:])]],
        "question": _question(state),
        "secrets": _secrets(state, seat),
    }


def _player(player: list[int], backs: list[int]) -> dict[str, Any]:
    return {
        "score": player[SCORE],
        "turns": player[TURNS],
        "rack_tiles": player[RACK],
        "supply_tiles": player[SUPPLY],
        "city_tiles": [CELL_NAMES[cell] for cell in backs],
    }


def _city(table: list[int], cells: list[int], cities: list[int], temple: int) -> dict[str, Any]:
    return {
        "temple": TEMPLE_IDS[temple],
        "size": cities[SIZE + temple],
        "tiles": [CELL_NAMES[cell] for cell in city_tiles(cells, temple)],
        "empty_cells_around": cities[EDGE + temple],
        "scored": bool(table[SCORED] >> temple & 1),
    }


def _plantations(cells: list[int]) -> list[tuple[int, int]]:
    return [(cell, content) for cell, content in enumerate(cells) if PLANTATION <= content < CITY]


def _plantation(content: int) -> dict[str, Any]:
    owner, kind = divmod(content - PLANTATION, KINDS)
    return {"owner": owner, "crop": CROP_NAMES[kind // VALUES], "value": 1 + kind % VALUES}


def _cells_of(area: int) -> dict[str, list[int]]:
    """Say where the cells of an area lie: half cells from the left, row from the top."""
    return {CELL_NAMES[cell]: list(point) for cell, point in enumerate(POINTS) if AREA_OF[cell] == area}


def _temple_spaces(areas: list[int]) -> dict[str, dict[str, str]]:
    return {
        TEMPLE_IDS[temple]: {"name": TEMPLE_NAMES[temple], "cell": CELL_NAMES[cell]}
        for temple, cell in enumerate(TEMPLE_CELL)
        if AREA_OF[cell] in areas
    }


def _question(state: MayaState) -> dict[str, Any] | None:
    """Name what the table waits for, with the numbers that make it precise."""
    if not state.frames:
        return None
    top = state.frames[-1]
    return {"kind": type(top).__name__, "numbers": top.row()}


def _secrets(state: MayaState, seat: int | None) -> dict[str, Any]:
    if seat is None:
        return {"players": [_all_of(state, owner) for owner in range(state.seats)], "held": _kind(state.held)}
    if seat < 0:
        return {}
    rack, hidden, held = state.private_rows(seat)
    return {"rack": _rack(rack), "city_tiles": [_kind(kind) for kind in hidden], "held": _kind(held[0])}


def _all_of(state: MayaState, seat: int) -> dict[str, Any]:
    left = state.players[seat][SUPPLY]
    return {
        "rack": _rack(state.racks[seat]),
        "supply": [_kind(kind) for kind in state.supplies[seat][:left]],
        "city_tiles": [_kind(kind) for kind in state.hidden[seat]],
    }


def _rack(rack: list[int]) -> list[str]:
    return [KIND_NAMES[kind] for kind, count in enumerate(rack) for _ in range(count)]


def _kind(kind: int) -> str | None:
    return None if kind == UNSEEN else KIND_NAMES[kind]
