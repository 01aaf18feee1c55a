"""The market: blocks for corn and corn for blocks (RULES §5.4)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import BUY, SELL, STOP
from ballcourt.engine.games.tzolkin.columns import BLOCKS, CORN, WOOD
from ballcourt.engine.games.tzolkin.economy.goods import blocks_of
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import MARKET_RATE


def can_trade(player: list[int], corn: int) -> bool:
    """Return whether a player with this much corn can exchange anything (§5.0)."""
    return corn >= MARKET_RATE[0] or blocks_of(player) > 0


class Market(Frame[TzolkinState]):
    """One exchange after the other, all sales before all purchases, until STOP (R-26)."""

    kind: ClassVar[int] = 15
    fields: ClassVar[tuple[str, ...]] = ("seat", "buying")
    buying: int

    def __init__(self, seat: int, buying: int) -> None:
        super().__init__(seat)
        self.buying = buying

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Sell what is owned unless buying has begun, buy what can be paid, or stop."""
        player = state.players[seat]
        options = [] if self.buying else [SELL + kind for kind in range(BLOCKS) if player[WOOD + kind]]
        options += [BUY + kind for kind in range(BLOCKS) if MARKET_RATE[kind] <= player[CORN]]
        options.append(STOP)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        if action == STOP:
            return
        player = state.players[seat]
        buying = action >= BUY
        kind = action - (BUY if buying else SELL)
        blocks = 1 if buying else -1
        player[WOOD + kind] += blocks
        player[CORN] -= blocks * MARKET_RATE[kind]
        state.then(Market(seat, 1 if buying else 0))
