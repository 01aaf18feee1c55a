"""The three temples (RULES §7)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import CLIMB, CLIMB_TWO, TEMPLE_PAIRS
from ballcourt.engine.games.tzolkin.columns import LIGHT, TEMPLE, TEMPLES
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import TOP_STEP


def climb(state: TzolkinState, seat: int, temple: int) -> None:
    """Go one step up (§7.1). The top has room for one marker; a step beyond it is wasted."""
    player = state.players[seat]
    step = player[TEMPLE + temple] + 1
    top = TOP_STEP[temple]
    if step > top:
        return
    if step == top:
        for other in state.players:
            if other[TEMPLE + temple] == top:
                return
        player[LIGHT] = 1
    player[TEMPLE + temple] = step


def lowerable(player: list[int]) -> list[int]:
    """List the temples on which a player can go one step down (§7.2)."""
    return [temple for temple in range(TEMPLES) if player[TEMPLE + temple] > 0]


class ClimbOne(Frame[TzolkinState]):
    """One step on a temple of choice; a temple where it is wasted may be chosen (R-14)."""

    kind: ClassVar[int] = 11
    name: ClassVar[str] = "CLIMB"

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return [CLIMB, CLIMB + 1, CLIMB + 2]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        climb(state, seat, action - CLIMB)


class ClimbTwo(Frame[TzolkinState]):
    """One step on each of two different temples (§5.3, R-14)."""

    kind: ClassVar[int] = 12

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return [CLIMB_TWO, CLIMB_TWO + 1, CLIMB_TWO + 2]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        for temple in TEMPLE_PAIRS[action - CLIMB_TWO]:
            climb(state, seat, temple)
