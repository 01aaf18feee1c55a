"""The choice to advance on Might (RULES §4.3c, §6.5)."""

from typing import ClassVar

from ballcourt.engine.games.ahau.actions import ADVANCE, STAND_FAST
from ballcourt.engine.games.ahau.rewards import advance
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.trading import Windowed


class MightAdvance(Windowed):
    """Whether to advance on Might: for the winner of a conflict, or after Jaguar (§4.3c, §6.5, R-36)."""

    kind: ClassVar[int] = 21

    def choices(self, state: AhauState, seat: int) -> list[int]:
        """Advance or not."""
        return [ADVANCE, STAND_FAST]

    def decide(self, state: AhauState, seat: int, action: int) -> None:
        """Advance, with the reward."""
        if action == ADVANCE:
            advance(state, seat)
