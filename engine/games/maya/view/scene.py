"""What a viewer draws of a position: JSON values in the words of the game.

A view for one seat is built from that seat's observation alone, so it cannot show more than the seat may know.
"""

from typing import Any, TypedDict

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.view.scene import Observer, Place, PlayerScene, Scene, Scenery, Token, pile, question, sees
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya import tables
from ballcourt.engine.games.maya.cities import award, crops_around
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.view.explained import texts
from ballcourt.engine.games.maya.view.words import QUESTIONS

ROW_HEIGHT = 1.732
"""The distance of two rows of hexes, in half cells."""


class City(TypedDict):
    """A city, by the id of its temple in `Board.cities`; it is scored once there are no empty cells around it.

    `crops` are those of each player around it, `points` what they earn: what it scored, or would if it were closed now.
    """

    size: int
    empty_cells_around: int
    scored: bool
    crops: list[int]
    points: list[int]


class Board(TypedDict):
    """What only a scene of Maya has; `planted` are the cells planted in this action, in order."""

    cities: dict[str, City]
    planted: list[str]
    passes_in_a_row: int


class Printed(TypedDict):
    """What only the scenery of Maya has: the area of each cell, and the points of a city by size for two places."""

    areas: dict[str, str]
    temples: dict[str, str]
    borders: list[list[str]]
    city_points: list[list[int]]


class Known(TypedDict):
    """What a seat alone knows: its rack, its face-down tiles by cell, and the tile it is about to place face down."""

    rack: list[str] | None
    city_tiles: dict[str, str | None] | None
    held: str | None


def scenery(state: MayaState) -> Scenery:
    """Describe the cells in play: a unit is half a cell wide."""
    areas = members(state.table[at.AREAS])
    cells = [cell for cell in range(len(tables.POINTS)) if tables.AREA_OF[cell] in areas]
    borders = [tile.split() for tile in tables.BORDERS[tuple(tables.AREA_NAMES[area] for area in areas[1:])]]
    places = {tables.CELL_NAMES[cell]: _cell(cell, cells) for cell in cells}
    places |= {name: _border(name) for tile in borders for name in tile}
    printed: Printed = {
        "areas": {tables.CELL_NAMES[cell]: tables.AREA_NAMES[tables.AREA_OF[cell]] for cell in cells},
        "temples": {
            tables.TEMPLE_IDS[temple]: tables.CELL_NAMES[cell]
            for temple, cell in enumerate(tables.TEMPLE_CELL)
            if tables.AREA_OF[cell] in areas
        },
        "borders": borders,
        "city_points": [list(points) for points in tables.CITY_POINTS],
    }
    return {"places": places, "tracks": {}, "board": {**printed}, "texts": texts()}


def scene(state: MayaState, observer: Observer = None) -> Scene:
    """Describe the position as an observer sees it."""
    table, cells, planted = state.table, state.cells, state.planted
    board: Board = {
        "cities": {
            tables.TEMPLE_IDS[temple]: _city(state, temple)
            for temple in range(len(tables.TEMPLE_IDS))
            if state.cities[at.SIZE + temple]
        },
        "planted": [tables.CELL_NAMES[cell] for cell in planted],
        "passes_in_a_row": table[at.PASSES],
    }
    return {
        "round": 1 + min(player[at.TURNS] for player in state.players),
        "phase": "",
        "turn": table[at.TURN],
        "question": question(state, observer, QUESTIONS),
        "players": [_player(seat, player) for seat, player in enumerate(state.players)],
        "at": {
            tables.CELL_NAMES[cell]: [_token(state, cell)]
            for cell, content in enumerate(cells)
            if content >= at.PLANTATION
        },
        "piles": {
            f"supply.{seat}": pile([tables.KIND_NAMES[kind] for kind in supply[: player[at.SUPPLY]]], observer)
            for seat, (supply, player) in enumerate(zip(state.supplies, state.players, strict=True))
        },
        "known": [_known(state, seat, observer) for seat in range(state.seats)],
        "board": {**board},
    }


def _place(cell: int) -> Place:
    x, row = tables.POINTS[cell]
    temple = tables.TEMPLE_AT[cell]
    label = tables.CELL_NAMES[cell] if temple < 0 else f"{tables.TEMPLE_NAMES[temple]} ({tables.CELL_NAMES[cell]})"
    return {"kind": "cell" if temple < 0 else "temple", "x": x, "y": round(row * ROW_HEIGHT, 3), "label": label}


def _cell(cell: int, cells: list[int]) -> Place:
    """Describe a cell in play; cells that are not are next to nothing (§1.2)."""
    beside = [tables.CELL_NAMES[other] for other in tables.NEIGHBOURS[cell] if other in cells]
    return {**_place(cell), "adjacent": beside}


def _border(name: str) -> Place:
    return {**_place(tables.CELL_NAMES.index(name)), "kind": "border", "label": f"border tile {name}"}


def _player(seat: int, player: list[int]) -> PlayerScene:
    return {
        "name": f"seat {seat}",
        "score": player[at.SCORE],
        "stock": {"rack": player[at.RACK], "supply": player[at.SUPPLY], "turns": player[at.TURNS]},
        "tracks": {},
        "own": {},
    }


def _city(state: MayaState, temple: int) -> City:
    size, crops = state.cities[at.SIZE + temple], crops_around(state, temple)
    return {
        "size": size,
        "empty_cells_around": state.cities[at.EDGE + temple],
        "scored": bool(state.table[at.SCORED] >> temple & 1),
        "crops": crops,
        "points": award(size, crops),
    }


def _token(state: MayaState, cell: int) -> Token:
    """Describe the tile on a cell: of a temple, face down in a city, or a plantation."""
    content = state.cells[cell]
    if content < at.CITY:
        owner, kind = divmod(content - at.PLANTATION, at.KINDS)
        return {"kind": "plantation", "player": owner, "face": tables.KIND_NAMES[kind]}
    face = tables.TEMPLE_IDS[content - at.CITY]
    if tables.TEMPLE_AT[cell] >= 0:
        return {"kind": "temple", "face": face}
    owner = next(seat for seat, backs in enumerate(state.backs) if cell in backs)
    return {"kind": "city", "player": owner, "face": face}


def _known(state: MayaState, seat: int, observer: Observer) -> dict[str, Any]:
    known: Known = {"rack": None, "city_tiles": None, "held": None}
    if sees(observer, seat):
        rack, hidden, held = state.private_rows(seat)
        kinds = hidden if observer is not None else state.hidden[seat]
        known["rack"] = [tables.KIND_NAMES[kind] for kind, count in enumerate(rack) for _ in range(count)]
        known["city_tiles"] = {
            tables.CELL_NAMES[cell]: _kind(kind) for cell, kind in zip(state.backs[seat], kinds, strict=False)
        }
        known["held"] = _kind(held[0])
    return {**known}


def _kind(kind: int) -> str | None:
    return None if kind == at.UNSEEN else tables.KIND_NAMES[kind]
