"""Buildings: paying for one of the offer, placing one, replacing one (RULES §7.7 to §7.10)."""

from typing import ClassVar

from ballcourt.engine.core.frames import ActorStep, Frame
from ballcourt.engine.games.ahau import sources
from ballcourt.engine.games.ahau.actions import REPLACE
from ballcourt.engine.games.ahau.building.payments import Prices, affordable, building_prices, pay_tokens, savings
from ballcourt.engine.games.ahau.columns import BUILDING_SPACES, BUILDINGS, BUILT, NIGHT
from ballcourt.engine.games.ahau.pieces.people import owned
from ballcourt.engine.games.ahau.pieces.supply import box_building
from ballcourt.engine.games.ahau.rewards import ClimbMight, give_reward
from ballcourt.engine.games.ahau.state import AhauState, replaced
from ballcourt.engine.games.ahau.tables import (
    BALL_COURT,
    BUILDING_KIND,
    BUILDING_REWARDS,
    OFFER_FAME,
    PLAZA,
    PLAZA_FAME,
)


def offer_prices(building: int, slot: int, discount: int, stand_ins: int) -> Prices:
    """List the ways to pay for a building in a slot of the offer; the leftmost costs one resource less."""
    return building_prices(BUILDING_KIND[building], discount + (slot == 0), stand_ins)


def payable_offers(state: AhauState, seat: int, discount: int, stand_ins: int) -> list[int]:
    """List the slots of the offer with a building that the seat can pay for."""
    row = state.actors[seat]
    return [
        slot
        for slot, building in enumerate(state.offer)
        if building and affordable(row, offer_prices(building, slot, discount, stand_ins))
    ]


class PayForBuilding(Frame[AhauState]):
    """Which tokens to pay for a building of the offer (§7.7)."""

    kind: ClassVar[int] = 74
    fields: ClassVar[tuple[str, ...]] = ("seat", "slot")
    slot: int

    def __init__(self, seat: int, slot: int) -> None:
        super().__init__(seat)
        self.slot = slot

    def prices(self, state: AhauState, seat: int) -> Prices:
        """List the ways to pay."""
        return offer_prices(state.offer[self.slot], self.slot, *savings(state, seat))

    def options(self, state: AhauState, seat: int) -> list[int]:
        return affordable(state.actors[seat], self.prices(state, seat))

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Pay, gain the Fame of the slot, and place the building."""
        pay_tokens(state, seat, self.prices(state, seat), action)
        state.table[BUILT] += 1
        building = state.offer[self.slot]
        state.offer = replaced(state.offer, self.slot, 0)
        state.gain_fame(seat, OFFER_FAME[self.slot], sources.OFFER)
        build_free(state, seat, building)


def build_free(state: AhauState, seat: int, building: int) -> None:
    """Place a building on the leftmost empty space, or ask which one it replaces (§7.8, §7.9)."""
    row = state.changing(seat)
    for space in range(BUILDING_SPACES):
        if not row[BUILDINGS + space]:
            row[BUILDINGS + space] = building
            state.then(BuildingDone(seat))
            give_reward(state, seat, BUILDING_REWARDS[state.table[NIGHT]][space], sources.SPACES)
            return
    state.then(Replace(seat, building))


class Replace(Frame[AhauState]):
    """Which of the five buildings a sixth one replaces (§7.8)."""

    kind: ClassVar[int] = 75
    fields: ClassVar[tuple[str, ...]] = ("seat", "building")
    building: int

    def __init__(self, seat: int, building: int) -> None:
        super().__init__(seat)
        self.building = building

    def options(self, state: AhauState, seat: int) -> list[int]:
        return [REPLACE + space for space in range(BUILDING_SPACES)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Box the old building and place the new one; the space gives no reward."""
        at = BUILDINGS + action - REPLACE
        row = state.changing(seat)
        box_building(state, row[at])
        row[at] = self.building
        state.then(BuildingDone(seat))


class BuildingDone(ActorStep[AhauState]):
    """The rewards of Plazas and Ball Courts for a building, which counts itself (§12.2, §12.6, R-54)."""

    kind: ClassVar[int] = 76

    def run(self, state: AhauState) -> None:
        """Gain the Fame of Plazas, then queue a Might step for each Ball Court."""
        actor = self.actor
        state.gain_fame(actor, PLAZA_FAME * owned(state, actor, PLAZA), sources.PLAZA)
        state.then(*[ClimbMight(actor) for _ in range(owned(state, actor, BALL_COURT))])
