"""What wealth tiles and buildings do (RULES §2, §6).

The rules are recursive here. A building may grant a construction (`construct`) or any action of a gear (`gears`);
actions of Tikal and Uxmal (`tikal`, `uxmal`) construct; and what is constructed takes effect at once. So these five
modules import each other, as modules, and use one another only inside functions.
"""

from typing import ClassVar

from ballcourt.engine.core.frames import ActorStep
from ballcourt.engine.games.tzolkin import sources, tables
from ballcourt.engine.games.tzolkin.economy import construct
from ballcourt.engine.games.tzolkin.economy.goods import gain_worker, take_skulls
from ballcourt.engine.games.tzolkin.economy.market import Market
from ballcourt.engine.games.tzolkin.economy.technology import ChooseTech, advance
from ballcourt.engine.games.tzolkin.economy.temples import ClimbOne, climb
from ballcourt.engine.games.tzolkin.gears import spaces as gears
from ballcourt.engine.games.tzolkin.state import TzolkinState


def apply_effect(state: TzolkinState, seat: int, effect: tables.Effect) -> None:
    """Carry out one effect of a tile, or ask what it needs to know.

    Extraction and theology never add to what a tile gives (§6.4).
    """
    operation, what, count = effect
    player = state.players[seat]
    if operation == tables.GAIN:
        player[what] += count
    elif operation == tables.SKULL:
        take_skulls(state, seat, count)
    elif operation == tables.STEP_UP:
        step_up(state, seat, what, count)
    elif operation == tables.RAISE:
        raise_tech(state, seat, what, count)
    elif operation == tables.WORKER:
        gain_worker(player)
    elif operation == tables.SCORE:
        state.score(seat, count, sources.BUILDINGS)
    elif operation == tables.CONSTRUCT:
        state.then(construct.Construct(seat, construct.GRANTED))
    elif operation == tables.MARKET:
        state.then(Market(seat, buying=0))
    elif operation == tables.ANY_ACTION:
        state.then(gears.AnyAction(seat, optional=1))


def step_up(state: TzolkinState, seat: int, temple: int, steps: int) -> None:
    """Climb a given temple, or one of choice for every step."""
    for _ in range(steps):
        if temple == tables.CHOICE:
            state.then(ClimbOne(seat))
        else:
            climb(state, seat, temple)


def raise_tech(state: TzolkinState, seat: int, tech: int, levels: int) -> None:
    """Advance a given technology, or tracks of choice, without paying blocks (R-27)."""
    if tech == tables.CHOICE:
        state.then(ChooseTech(seat, left=levels, free=1, optional=0))
        return
    for _ in range(levels):
        advance(state, seat, tech)


class BuildingEffects(ActorStep[TzolkinState]):
    """The effects of a building from number `step` on, one completely after the other (R-28)."""

    kind: ClassVar[int] = 21
    fields: ClassVar[tuple[str, ...]] = ("actor", "building", "step")
    building: int
    step: int

    def __init__(self, actor: int, building: int, step: int) -> None:
        super().__init__(actor)
        self.building = building
        self.step = step

    def run(self, state: TzolkinState) -> None:
        """Carry out the next effect; the rest waits below the questions it asks."""
        tile = tables.BUILDING_EFFECTS[self.building]
        if self.step + 1 < len(tile):
            state.then(BuildingEffects(self.actor, self.building, self.step + 1))
        apply_effect(state, self.actor, tile[self.step])
