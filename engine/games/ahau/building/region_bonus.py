"""The bonus of a region for a seat with workers in all its cities (RULES §5.3, §6.3, §14.2)."""

from typing import ClassVar

from ballcourt.engine.games.ahau.actions import BONUS, NO_BONUS
from ballcourt.engine.games.ahau.building.buildings import build_free
from ballcourt.engine.games.ahau.columns import FAMILY, GIFT, MODE, REGION_COLUMNS, RESOURCES, RULER
from ballcourt.engine.games.ahau.pieces.people import covers
from ballcourt.engine.games.ahau.pieces.supply import building_in, take_building_in
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.state import AhauState, replaced


def bonus_of(state: AhauState, region: int) -> bool:
    """Return whether a region still has a bonus."""
    gift = REGION_COLUMNS * (region - 1) + GIFT
    return bool(building_in(state, region) or state.regions[gift] or state.regions[gift + 1])


class RegionBonus(Windowed):
    """Whether to take the bonus of a covered region: its building or, in Ahau Family, its resources (§5.3, R-38)."""

    kind: ClassVar[int] = 33

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List both answers; lapse if the region is not covered or has no bonus."""
        region = state.actors[seat][RULER]
        if not bonus_of(state, region) or not covers(state, seat, region):
            return []
        return [BONUS, NO_BONUS]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Build the building free of charge, or take the resources."""
        if action == NO_BONUS:
            return
        region = state.actors[seat][RULER]
        if state.table[MODE] == FAMILY:
            take_gifts(state, seat, region)
        else:
            build_free(state, seat, take_building_in(state, region))


def take_gifts(state: AhauState, seat: int, region: int) -> None:
    """Take the resources of a region (§14.2)."""
    gift = REGION_COLUMNS * (region - 1) + GIFT
    for at in (gift, gift + 1):
        if state.regions[at]:
            state.changing(seat)[RESOURCES + state.regions[at] - 1] += 1
            state.regions = replaced(state.regions, at, 0)
