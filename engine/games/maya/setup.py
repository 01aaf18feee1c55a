"""The set-up, with the first temples of the variants (RULES §2, §9)."""

from typing import ClassVar

from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya import tables
from ballcourt.engine.games.maya.actions import TEMPLE
from ballcourt.engine.games.maya.board import open_temple
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.supply import draw
from ballcourt.engine.games.maya.turns.turn import start_turn

START_CITIES = 2


def deal(seats: int, seed: int, areas: int) -> MayaState:
    """Set up the board and shuffle the supplies (§2.2, §2.4); temple tiles and racks are still missing.

    There are no random draws after this (§10.5).
    """
    tiles = [kind for kind, count in enumerate(tables.MIX) for _ in range(count)]
    state = empty_table(seats, areas)
    state.supplies = [stream(seed, f"supply {seat}").shuffled(tiles) for seat in range(seats)]
    for player in state.players:
        player[at.SUPPLY] = tables.TILES
    return state


def empty_table(seats: int, areas: int) -> MayaState:
    """Return a board of these areas, a bit mask, without tiles, and players without any (§2.5)."""
    table = [0] * at.TABLE_COLUMNS
    table[at.AREAS] = areas
    state = MayaState(seats, [])
    state.table = table
    state.cells = [_bare(cell, areas) for cell in range(tables.CELLS)]
    state.cities = [0] * at.CITY_COLUMNS
    state.planted = []
    state.players = [[0] * at.PLAYER_COLUMNS for _ in range(seats)]
    state.backs = [[] for _ in range(seats)]
    state.racks = [[0] * at.KINDS for _ in range(seats)]
    state.supplies = [[] for _ in range(seats)]
    state.hidden = [[] for _ in range(seats)]
    state.held = at.UNSEEN
    return state


def _bare(cell: int, areas: int) -> int:
    if not areas >> tables.AREA_OF[cell] & 1:
        return at.OUT
    return at.WILD if tables.TEMPLE_AT[cell] < 0 else at.EMPTY_TEMPLE


def begin(state: MayaState) -> None:
    """Draw a rack for every player; seat 0 begins (§2.4, §2.6, R-A2)."""
    for seat in range(state.seats):
        draw(state, seat, tables.START_RACK)
    start_turn(state, 0)


def begin_at_tikal(state: MayaState) -> None:
    """Begin with the temple tile on Tikal (§2.5)."""
    open_temple(state, tables.TIKAL)
    begin(state)


def ask_for_temple(state: MayaState) -> None:
    """New beginning: the last seat chooses the first temple before racks are drawn (§9.1, R-V1)."""
    state.table[at.TURN] = state.seats - 1
    state.then(FirstTemple(state.seats - 1))


def ask_for_two_temples(state: MayaState) -> None:
    """Two cities: the last seat chooses them before racks are drawn (§9.2, R-V2)."""
    state.table[at.TURN] = state.seats - 1
    state.then(MarkedTemple(state.seats - 1, START_CITIES))


class FirstTemple(Frame[MayaState]):
    """The temple space of the new beginning (§9.1)."""

    kind: ClassVar[int] = 1

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Every temple space in play."""
        return [
            TEMPLE + temple
            for temple in range(tables.TEMPLES)
            if state.cells[tables.TEMPLE_CELL[temple]] == at.EMPTY_TEMPLE
        ]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Put the temple tile there and begin."""
        open_temple(state, action - TEMPLE)
        begin(state)


class MarkedTemple(Frame[MayaState]):
    """One of the temple spaces of the two cities, named in reading order so that each pair comes once (§9.2)."""

    kind: ClassVar[int] = 2
    fields: ClassVar[tuple[str, ...]] = ("seat", "left")
    left: int

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left = left

    def options(self, state: MayaState, seat: int) -> list[int]:
        """The marked spaces in play after the one chosen before, as long as enough follow for the rest."""
        cells = state.cells
        free: list[int] = []
        for temple in tables.MARKED:
            content = cells[tables.TEMPLE_CELL[temple]]
            if content == at.EMPTY_TEMPLE:
                free.append(TEMPLE + temple)
            elif content != at.OUT:
                free = []
        return free[: len(free) - self.left + 1]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Put the temple tile there; ask for the other one, or begin."""
        open_temple(state, action - TEMPLE)
        if self.left > 1:
            state.then(MarkedTemple(seat, self.left - 1))
        else:
            begin(state)
