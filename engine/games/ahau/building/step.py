"""The build step: what to build next, and how much (RULES §7.5)."""

from typing import ClassVar

from ballcourt.engine.games.ahau.actions import BUILD_OFFER, BUILD_TILE, STOP_BUILDING
from ballcourt.engine.games.ahau.building.buildings import PayForBuilding, payable_offers
from ballcourt.engine.games.ahau.building.payments import savings
from ballcourt.engine.games.ahau.building.pyramid import BuildAt, payable_tiles
from ballcourt.engine.games.ahau.columns import BUILT, NONE, TURN_CITY
from ballcourt.engine.games.ahau.pieces.people import count_in, owned
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import WORKSHOP


def builds_left(state: AhauState, seat: int) -> int:
    """Return how many more tiles a seat may build: its workers in the city used (§6.6) and Workshops (§12.8, R-12)."""
    city = state.table[TURN_CITY]
    workers = 0 if city == NONE else count_in(state.actors[seat], city)
    return workers + owned(state, seat, WORKSHOP) - state.table[BUILT] if workers else 0


class BuildNext(Windowed):
    """What to build next, or to stop (§7.5)."""

    kind: ClassVar[int] = 70

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the tiles and buildings that the seat can pay for, and to stop."""
        options = []
        if builds_left(state, seat) > 0:
            discount, stand_ins = savings(state, seat)
            options = [BUILD_TILE + tile - 1 for tile in payable_tiles(state, seat, discount, stand_ins)]
            options += [BUILD_OFFER + slot for slot in payable_offers(state, seat, discount, stand_ins)]
        return [*options, STOP_BUILDING]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Ask for space and payment, then for the next thing to build."""
        if action == STOP_BUILDING:
            return
        if action >= BUILD_OFFER:
            state.frames += (self, PayForBuilding(seat, action - BUILD_OFFER))
        else:
            state.frames += (self, BuildAt(seat, action - BUILD_TILE + 1))
