"""Action B: expand a city with a face-down tile, then draw (RULES §4.3, §6)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.maya.actions import CELL, HIDE
from ballcourt.engine.games.maya.board import expandable, lay_city_tile
from ballcourt.engine.games.maya.columns import BLIND, SITE, UNSEEN
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.supply import draw, replaced, take, take_blind
from ballcourt.engine.games.maya.tables import DRAW, DRAW_AFTER_BLIND


class ExpandTile(Frame[MayaState]):
    """Which tile of the rack goes face down (§3.3); the others do not see it (§10.3)."""

    kind: ClassVar[int] = 7

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Every kind on the rack."""
        return [HIDE + kind for kind, count in enumerate(state.racks[seat]) if count]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Hold it and ask where."""
        state.held = action - HIDE
        state.then(ExpandCell(seat))


class ExpandCell(Frame[MayaState]):
    """Where the city expands, with the tile held or, from an empty rack, with the top one of the supply (§6.1)."""

    kind: ClassVar[int] = 8

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Every expandable cell."""
        return [CELL + cell for cell in expandable(state.cells)]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Place the tile, then draw (§6.2)."""
        cell = action - CELL
        lay_city_tile(state, cell, state.cells[cell] - SITE)
        if state.held == UNSEEN:
            state.players[seat][BLIND] |= 1 << len(state.backs[seat])
            note_back(state, seat, cell, take_blind(state, seat))
            draw(state, seat, DRAW_AFTER_BLIND)
        else:
            take(state, seat, state.held)
            note_back(state, seat, cell, state.held)
            state.held = UNSEEN
            draw(state, seat, DRAW)


def note_back(state: MayaState, seat: int, cell: int, kind: int) -> None:
    """Note whose tile lies face down on a cell, which is public, and its kind, which is secret (R-I1)."""
    state.backs = replaced(state.backs, seat, [*state.backs[seat], cell])
    state.hidden = replaced(state.hidden, seat, [*state.hidden[seat], kind])
