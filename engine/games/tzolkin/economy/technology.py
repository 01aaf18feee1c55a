"""The four technology tracks: advancing on them, for blocks or for free (RULES §5.3)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import LEARN, STOP
from ballcourt.engine.games.tzolkin.columns import AGRICULTURE, ARCHITECTURE, EXTRACTION, TECH, TECHS, TOP_LEVEL
from ballcourt.engine.games.tzolkin.economy.goods import TakeBlock, blocks_of, pay, payments, take_skulls
from ballcourt.engine.games.tzolkin.economy.temples import ClimbOne
from ballcourt.engine.games.tzolkin.sources import TECHNOLOGIES
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import BONUS_BLOCKS, BONUS_VP


def price_of(level: int) -> int:
    """Return the blocks it takes to advance from a level: its successor, or 1 for the bonus beyond the last (§5.3)."""
    return level + 1 if level < TOP_LEVEL else 1


def affordable(player: list[int]) -> list[int]:
    """List the technologies whose next level, or bonus, the player can pay in blocks."""
    blocks = blocks_of(player)
    return [tech for tech in range(TECHS) if price_of(player[TECH + tech]) <= blocks]


def advance(state: TzolkinState, seat: int, tech: int) -> None:
    """Go one level up, or take the bonus beyond the last (§5.3, R-27); the price has been paid."""
    player = state.players[seat]
    if player[TECH + tech] < TOP_LEVEL:
        player[TECH + tech] += 1
    elif tech == AGRICULTURE:
        state.then(ClimbOne(seat))
    elif tech == EXTRACTION:
        state.then(*[TakeBlock(seat) for _ in range(BONUS_BLOCKS)])
    elif tech == ARCHITECTURE:
        state.score(seat, BONUS_VP, TECHNOLOGIES)
    else:
        take_skulls(state, seat, 1)


class ChooseTech(Frame[TzolkinState]):
    """Advance on a track of choice, `left` times (R-13); `free` of blocks as a tile's effect, else paid.

    Paid advances after the first may be declined.
    """

    kind: ClassVar[int] = 8
    name: ClassVar[str] = "LEARN"
    fields: ClassVar[tuple[str, ...]] = ("seat", "left", "free", "optional")
    left: int
    free: int
    optional: int

    def __init__(self, seat: int, left: int, free: int, optional: int) -> None:
        super().__init__(seat)
        self.left = left
        self.free = free
        self.optional = optional

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """The tracks that can be paid for, or all when free; STOP when optional."""
        techs = list(range(TECHS)) if self.free else affordable(state.players[seat])
        options = [LEARN + tech for tech in techs]
        if self.optional:
            options.append(STOP)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Advance, at once or after paying, and choose again if more is left."""
        if action == STOP:
            return
        if self.left > 1:
            state.then(ChooseTech(seat, self.left - 1, self.free, 1 - self.free))
        if self.free:
            advance(state, seat, action - LEARN)
        else:
            state.then(PayForTech(seat, action - LEARN))


class PayForTech(Frame[TzolkinState]):
    """Any blocks, as many as the level to be reached (§5.3)."""

    kind: ClassVar[int] = 9
    fields: ClassVar[tuple[str, ...]] = ("seat", "tech")
    tech: int

    def __init__(self, seat: int, tech: int) -> None:
        super().__init__(seat)
        self.tech = tech

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        player = state.players[seat]
        return payments(player, price_of(player[TECH + self.tech]))

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        pay(state.players[seat], action)
        advance(state, seat, self.tech)
