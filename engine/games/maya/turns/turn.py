"""A player's turn: plant, expand, or pass when neither is possible (RULES §3, §8)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.maya.actions import ACT_EXPAND, ACT_PLANT, PASS
from ballcourt.engine.games.maya.board import any_expandable, any_plantable
from ballcourt.engine.games.maya.cities import score_cities
from ballcourt.engine.games.maya.columns import PASSES, RACK, SUPPLY, TURN, TURNS
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.turns.expanding import ExpandCell, ExpandTile
from ballcourt.engine.games.maya.turns.planting import PlantTile


def start_turn(state: MayaState, seat: int) -> None:
    """Begin the turn of a seat."""
    state.table[TURN] = seat
    state.then(Act(seat))


class Act(Frame[MayaState]):
    """Which action (§3.1)."""

    kind: ClassVar[int] = 3

    def options(self, state: MayaState, seat: int) -> list[int]:
        """Planting needs a tile on the rack, expanding any tile; PASS if neither is possible (R-N1)."""
        player, cells = state.players[seat], state.cells
        options = []
        if player[RACK] and any_plantable(cells):
            options.append(ACT_PLANT)
        if (player[RACK] or player[SUPPLY]) and any_expandable(cells):
            options.append(ACT_EXPAND)
        return options or [PASS]

    def answer(self, state: MayaState, seat: int, action: int) -> None:
        """Begin the action; the turn ends after it."""
        table = state.table
        table[PASSES] = table[PASSES] + 1 if action == PASS else 0
        state.then(TurnEnd())
        if action == ACT_PLANT:
            state.then(PlantTile(seat))
        elif action == ACT_EXPAND:
            state.then(ExpandTile(seat) if state.players[seat][RACK] else ExpandCell(seat))


class TurnEnd(Step[MayaState]):
    """Score closed cities, count the turn and go on to the next seat, or end the match (§5.4, §6.3, §8).

    It comes after planting has scored and after drawing (R-S5, R-S6).
    """

    kind: ClassVar[int] = 9

    def run(self, state: MayaState) -> None:
        """End the turn (§8.1, §8.3). A pass counts as a turn; a pass by every player ends the match (R-N2).

        So does a player without tiles (§8.2). Cities still open score nothing (§8.4).
        """
        score_cities(state)
        state.planted = []
        seat = state.table[TURN]
        player = state.players[seat]
        player[TURNS] += 1
        out_of_tiles = not player[RACK] and not player[SUPPLY]
        if not out_of_tiles and state.table[PASSES] < state.seats:
            start_turn(state, (seat + 1) % state.seats)
