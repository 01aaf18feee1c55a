"""Yaxchilan: blocks, corn and skulls (RULES §5.2)."""

from typing import Final

from ballcourt.engine.games.tzolkin.columns import BLOCKS, CORN, EXTRACTION, SKULL_BANK, TECH, THEOLOGY, WOOD
from ballcourt.engine.games.tzolkin.economy.goods import take_skulls
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import EXTRACTION_FROM, SECOND_SKULL_FROM, YAXCHILAN_GOODS

SKULL_ACTION: Final = 4


def performable(state: TzolkinState, seat: int, action: int) -> bool:
    """Return whether the action has an effect (§5.0): only skulls can run out."""
    return action != SKULL_ACTION or state.table[SKULL_BANK] > 0


def perform(state: TzolkinState, seat: int, action: int) -> None:
    """Gain the goods; extraction adds one of each kind of block gained, theology 3 a second skull (§5.2)."""
    player = state.players[seat]
    if action == SKULL_ACTION:
        take_skulls(state, seat, 2 if player[TECH + THEOLOGY] >= SECOND_SKULL_FROM else 1)
        return
    goods = YAXCHILAN_GOODS[action]
    player[CORN] += goods[0]
    for kind in range(BLOCKS):
        if goods[1 + kind]:
            bonus = 1 if player[TECH + EXTRACTION] >= EXTRACTION_FROM[kind] else 0
            player[WOOD + kind] += goods[1 + kind] + bonus
