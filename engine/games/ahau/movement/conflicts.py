"""Conflicts between rulers in one region (RULES §4.3)."""

from typing import ClassVar

from ballcourt.engine.core.frames import ActorStep, Frame
from ballcourt.engine.games.ahau.actions import RELOCATE
from ballcourt.engine.games.ahau.automata import automaton
from ballcourt.engine.games.ahau.columns import LOST, RULER, SIDE
from ballcourt.engine.games.ahau.pieces.people import owned
from ballcourt.engine.games.ahau.pieces.rulers import ranked, refuges
from ballcourt.engine.games.ahau.rewards import MightAdvance, gain_weapons
from ballcourt.engine.games.ahau.sources import STELE
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import CITY_WALLS, GIANT_STELE, REGION_COUNT, STELE_FAME


class Conflicts(Frame[AhauState]):
    """The conflicts in the regions from `region` on, one by one in ascending order (§4.3)."""

    kind: ClassVar[int] = 20
    fields: ClassVar[tuple[str, ...]] = ("region",)
    region: int

    def __init__(self, region: int) -> None:
        super().__init__()
        self.region = region

    def run(self, state: AhauState) -> None:
        """Find the next conflict and queue its winner, its losers and the remaining conflicts."""
        rulers = [row[RULER] for row in state.actors]
        if len(set(rulers)) == len(rulers):
            return
        for region in range(self.region, REGION_COUNT[state.table[SIDE]] + 1):
            if rulers.count(region) > 1:
                winner, *losers = ranked(state, [actor for actor, stood in enumerate(rulers) if stood == region])
                state.then(*_winner(state, winner), *[Lose(actor) for actor in losers], Conflicts(region + 1))
                return


def _winner(state: AhauState, winner: int) -> list[Frame[AhauState]]:
    """Reward a Giant Stele (§12.5) and return the frame that lets the winner advance."""
    copies = owned(state, winner, GIANT_STELE)
    state.gain_fame(winner, STELE_FAME * copies, STELE)
    gain_weapons(state.changing(winner), copies)
    return [automaton.AutomatonWon()] if winner >= state.seats else [MightAdvance(winner)]


class Lose(ActorStep[AhauState]):
    """The loser of a conflict gains a weapon and leaves the region (§4.3)."""

    kind: ClassVar[int] = 22

    def run(self, state: AhauState) -> None:
        """Give the weapon, record the lost region and relocate the ruler."""
        row = state.changing(self.actor)
        gain_weapons(row, 1)
        row[LOST] = row[RULER]
        if self.actor >= state.seats:
            automaton.relocate(state)
        else:
            state.then(Relocate(self.actor))


class Relocate(Frame[AhauState]):
    """Where the ruler of a loser goes; with City Walls it may stay (§4.3, §12.3)."""

    kind: ClassVar[int] = 23

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the refuges, and with City Walls the region itself."""
        regions = refuges(state, seat)
        if owned(state, seat, CITY_WALLS):
            regions = sorted([*regions, state.actors[seat][RULER]])
        return [RELOCATE + region - 1 for region in regions]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        state.changing(seat)[RULER] = action - RELOCATE + 1
