"""Positions as plain data: `state_from` builds one, `dump` describes one.

The fields are players, areas, variant, temples, tiles, city, city_tiles, scored, score, turns, passes_in_row, turn,
rack and supply (first tile drawn next). A description may omit whatever is as at the start: Tikal open, nothing else
on the board, and no player has tiles; a supply may be given as a number of tiles of any kinds. What the engine
derives and keeps up to date, what each empty cell may become and the sizes and edges of cities, is worked out here from
the rules.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya.setup import START_CITIES, FirstTemple, MarkedTemple
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import (
    AREA_NAMES,
    AREA_OF,
    CELL_NAMES,
    KIND_NAMES,
    NEIGHBOURS,
    TEMPLE_AT,
    TEMPLE_IDS,
)
from ballcourt.engine.games.maya.turns.planting import PlantCell
from ballcourt.engine.games.maya.turns.turn import Act
from tests.engine.games.maya.decisions import apply, step_of
from tests.engine.games.vectors import Fields

GIVEN = {
    *("players", "areas", "variant", "temples", "tiles", "city", "city_tiles", "scored", "score", "turns"),
    *("passes_in_row", "turn", "rack", "supply", "after"),
}
ONLY_DUMPED = {"step", "planted", "tile", "over", "winners"}
"""What follows from the other fields at the start of a turn; accepted and not read."""


class BadPosition(ValueError):
    """Fields that do not describe a position; the message says why."""


# -- from fields to a position


def state_from(given: Fields) -> MayaState:
    """Build the position that `given` describes and play the decisions `after` it. Raises BadPosition, NotLegal."""
    for name in given:
        if name not in GIVEN | ONLY_DUMPED:
            raise BadPosition(f"a position has no field '{name}'; it has {', '.join(sorted(GIVEN))}")
    seats = _seats(given)
    areas = [_known(AREA_NAMES, area) for area in given.get("areas", AREA_NAMES[:seats])]
    cells = _cells(given, seats, areas)
    backs, hidden = _face_down(given, seats)
    racks = [[_known(KIND_NAMES, kind) for kind in given.get("rack", {}).get(str(seat), [])] for seat in range(seats)]
    supplies = [_supply(given.get("supply", {}).get(str(seat), [])) for seat in range(seats)]
    state = MayaState(seats, _frames(given, seats))
    state.table = _table(given, areas)
    state.cells = [_prospect(cells, cell) for cell in range(len(cells))]
    state.cities = _cities(cells)
    state.planted = []
    state.players = _players(given, racks, supplies)
    state.backs = backs
    state.racks = [[rack.count(kind) for kind in range(at.KINDS)] for rack in racks]
    state.supplies = supplies
    state.hidden = hidden
    state.held = at.UNSEEN
    for decision in given.get("after", []):
        apply(state, decision)
    return state


def _seats(given: Fields) -> int:
    """Return the number of players: `players`, or else the number of scores or areas."""
    seats: int = given.get("players", len(given.get("score", given.get("areas", [0, 0]))))
    if not 2 <= seats <= 4:
        raise BadPosition(f"{seats} players cannot play; it must be 2, 3 or 4")
    return seats


def _known(names: tuple[str, ...], name: str) -> int:
    """Return the index of a name."""
    if name not in names:
        raise BadPosition(f"there is no '{name}'; known names: {', '.join(names)}")
    return names.index(name)


def _tile(text: str, seats: int) -> tuple[int, int]:
    """Read a tile with its owner, "0 corn:2"."""
    owner, _, kind = text.partition(" ")
    if owner not in map(str, range(seats)):
        raise BadPosition(f"'{text}' is not a tile of a player 0 to {seats - 1}")
    return int(owner), _known(KIND_NAMES, kind)


def _cells(given: Fields, seats: int, areas: list[int]) -> list[int]:
    """Return the content of all cells: tiles, empty temple spaces and cells not in play; WILD for the rest."""
    temples = [_known(TEMPLE_IDS, temple) for temple in given.get("temples", ["tikal"])]
    cells = [at.WILD if TEMPLE_AT[cell] < 0 else at.EMPTY_TEMPLE for cell in range(len(CELL_NAMES))]
    for temple in temples:
        cells[TEMPLE_AT.index(temple)] = at.CITY + temple
    for name, text in given.get("tiles", {}).items():
        owner, kind = _tile(text, seats)
        cells[_free(cells, name)] = at.PLANTATION + at.KINDS * owner + kind
    for name, temple in given.get("city", {}).items():
        cells[_free(cells, name)] = at.CITY + _known(TEMPLE_IDS, temple)
    return [content if AREA_OF[cell] in areas else at.OUT for cell, content in enumerate(cells)]


def _free(cells: list[int], name: str) -> int:
    cell = _known(CELL_NAMES, name)
    if cells[cell] != at.WILD:
        raise BadPosition(f"cell {name} is not an empty space for a tile")
    return cell


def _prospect(cells: list[int], cell: int) -> int:
    """Return what may be placed on an empty cell (§4.1, §4.3); any other cell keeps its content."""
    if cells[cell] != at.WILD:
        return cells[cell]
    around = [cells[other] for other in NEIGHBOURS[cell]]
    beside = {content - at.CITY for content in around if content >= at.CITY}
    if not beside:
        return at.FIELD if max(around) >= at.PLANTATION else at.WILD
    return at.BLOCKED if len(beside) > 1 or at.EMPTY_TEMPLE in around else at.SITE + beside.pop()


def _cities(cells: list[int]) -> list[int]:
    """Count the tiles of each city and the empty cells adjacent to it (§1.6, §1.7)."""
    cities = [0] * at.CITY_COLUMNS
    for temple in range(len(TEMPLE_IDS)):
        tiles = [cell for cell, content in enumerate(cells) if content == at.CITY + temple]
        edge = {other for cell in tiles for other in NEIGHBOURS[cell] if cells[other] == at.WILD}
        cities[at.SIZE + temple], cities[at.EDGE + temple] = len(tiles), len(edge)
    return cities


def _face_down(given: Fields, seats: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return owners and kinds of the city tiles by cell; tiles not described have no owner."""
    backs: list[list[int]] = [[] for _ in range(seats)]
    hidden: list[list[int]] = [[] for _ in range(seats)]
    for name, text in given.get("city_tiles", {}).items():
        owner, kind = _tile(text, seats)
        backs[owner].append(_known(CELL_NAMES, name))
        hidden[owner].append(kind)
    return backs, hidden


def _supply(kinds: list[str] | int) -> list[int]:
    """Read a supply, first tile drawn next, or invent one of the given size; the engine has the top last."""
    if isinstance(kinds, int):
        return [place % at.KINDS for place in range(kinds)]
    return [_known(KIND_NAMES, kind) for kind in reversed(kinds)]


def _players(given: Fields, racks: list[list[int]], supplies: list[list[int]]) -> list[list[int]]:
    """Fill the player rows."""
    players = []
    for seat, (rack, supply) in enumerate(zip(racks, supplies, strict=True)):
        row = [0] * at.PLAYER_COLUMNS
        row[at.SCORE] = given["score"][seat] if "score" in given else 0
        row[at.TURNS] = given["turns"][seat] if "turns" in given else 0
        row[at.RACK], row[at.SUPPLY] = len(rack), len(supply)
        players.append(row)
    return players


def _table(given: Fields, areas: list[int]) -> list[int]:
    """Fill the table row."""
    table = [0] * at.TABLE_COLUMNS
    turn = given.get("turn", 0)
    table[at.TURN] = 0 if turn is None else turn
    table[at.PASSES] = given.get("passes_in_row", 0)
    table[at.AREAS] = _bits(areas)
    table[at.SCORED] = _bits(_known(TEMPLE_IDS, temple) for temple in given.get("scored", {}))
    return table


def _bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


def _frames(given: Fields, seats: int) -> list[Frame[MayaState]]:
    """Put the table at the choice of start temples, at the start of a turn, or at the end."""
    turn = given.get("turn", 0)
    if turn is None:
        return []
    if not given.get("temples", ["tikal"]):
        last = seats - 1
        return [FirstTemple(last) if given.get("variant") == "new_beginning" else MarkedTemple(last, START_CITIES)]
    return [Act(turn)]


# -- from a position to fields


def dump(state: MayaState) -> dict[str, Any]:
    """Return the fields of a position, including secrets. The variant is known only while temples are chosen."""
    cells = state.cells
    described: dict[str, Any] = {
        "players": state.seats,
        "areas": [name for area, name in enumerate(AREA_NAMES) if state.table[at.AREAS] >> area & 1],
        "temples": [name for temple, name in enumerate(TEMPLE_IDS) if state.cities[at.SIZE + temple]],
        "tiles": {name: _owned(content) for name, content in _contents(cells) if at.PLANTATION <= content < at.CITY},
        "city": {
            name: TEMPLE_IDS[content - at.CITY]
            for name, content in _contents(cells)
            if content >= at.CITY and TEMPLE_AT[CELL_NAMES.index(name)] < 0
        },
        "city_tiles": _city_tiles(state),
        "scored": {
            name: state.cities[at.SIZE + temple]
            for temple, name in enumerate(TEMPLE_IDS)
            if state.table[at.SCORED] >> temple & 1
        },
        "score": [player[at.SCORE] for player in state.players],
        "turns": [player[at.TURNS] for player in state.players],
        "passes_in_row": state.table[at.PASSES],
        "rack": {str(seat): _rack(rack) for seat, rack in enumerate(state.racks)},
        "supply": {str(seat): _supply_names(state, seat) for seat in range(state.seats)},
    }
    return described | _question(state)


def _question(state: MayaState) -> dict[str, Any]:
    """Return the fields of the current decision, or of the end of the game."""
    step = step_of(state)
    asked: dict[str, Any] = {
        "turn": state.pending_seats()[0] if step else None,
        "step": step,
        "planted": [
            [KIND_NAMES[(state.cells[cell] - at.PLANTATION) % at.KINDS], CELL_NAMES[cell]] for cell in state.planted
        ],
        "tile": _tile_in_hand(state),
        "over": None if step else "all-pass" if state.table[at.PASSES] == state.seats else "out",
        "winners": None if step else state.placements()[0],
    }
    if step == "start_temples":
        asked["variant"] = "new_beginning" if isinstance(state.frames[-1], FirstTemple) else "two_cities"
    return asked


def _tile_in_hand(state: MayaState) -> str | None:
    """Return the kind chosen for the next cell."""
    top = state.frames[-1] if state.frames else None
    kind = top.tile if isinstance(top, PlantCell) else state.held
    return None if kind == at.UNSEEN else KIND_NAMES[kind]


def _contents(cells: list[int]) -> Iterable[tuple[str, int]]:
    return zip(CELL_NAMES, cells, strict=True)


def _owned(content: int) -> str:
    owner, kind = divmod(content - at.PLANTATION, at.KINDS)
    return f"{owner} {KIND_NAMES[kind]}"


def _city_tiles(state: MayaState) -> Mapping[str, str]:
    return {
        CELL_NAMES[cell]: f"{seat} {KIND_NAMES[kind]}"
        for seat in range(state.seats)
        for cell, kind in zip(state.backs[seat], state.hidden[seat], strict=True)
    }


def _rack(counts: list[int]) -> list[str]:
    return [KIND_NAMES[kind] for kind, count in enumerate(counts) for _ in range(count)]


def _supply_names(state: MayaState, seat: int) -> list[str]:
    left = state.supplies[seat][: state.players[seat][at.SUPPLY]]
    return [KIND_NAMES[kind] for kind in reversed(left)]
