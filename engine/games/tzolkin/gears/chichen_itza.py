"""Chichen Itza: carrying crystal skulls to the temples (RULES §5.5)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import OFFER, STOP
from ballcourt.engine.games.tzolkin.columns import BLOCKS, CHICHEN_USED, SKULLS, TECH, TEMPLES, THEOLOGY, WOOD
from ballcourt.engine.games.tzolkin.economy.goods import TakeBlock
from ballcourt.engine.games.tzolkin.economy.temples import climb
from ballcourt.engine.games.tzolkin.sources import CHICHEN_ITZA
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import CHICHEN_BLOCK, CHICHEN_TEMPLE, CHICHEN_VP, OFFER_FROM


def performable(state: TzolkinState, seat: int, action: int) -> bool:
    """Return whether the player has a skull and the action is still free (§5.0)."""
    return state.players[seat][SKULLS] > 0 and not state.table[CHICHEN_USED] >> action & 1


def perform(state: TzolkinState, seat: int, action: int) -> None:
    """Leave a skull forever, score, climb, take a printed block and perhaps make an offering (§5.5)."""
    player = state.players[seat]
    player[SKULLS] -= 1
    state.table[CHICHEN_USED] |= 1 << action
    state.score(seat, CHICHEN_VP[action], CHICHEN_ITZA)
    climb(state, seat, CHICHEN_TEMPLE[action])
    if player[TECH + THEOLOGY] >= OFFER_FROM:
        state.then(OfferBlock(seat))
    if CHICHEN_BLOCK[action]:
        state.then(TakeBlock(seat))


class OfferBlock(Frame[TzolkinState]):
    """Theology 2: one block for one step on a temple of choice, or not (§5.5)."""

    kind: ClassVar[int] = 17
    name: ClassVar[str] = "OFFER"

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Every kind owned with every temple, and STOP."""
        player = state.players[seat]
        options = [
            OFFER + TEMPLES * kind + temple
            for kind in range(BLOCKS)
            if player[WOOD + kind]
            for temple in range(TEMPLES)
        ]
        options.append(STOP)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        if action == STOP:
            return
        kind, temple = divmod(action - OFFER, TEMPLES)
        state.players[seat][WOOD + kind] -= 1
        climb(state, seat, temple)
