"""Palenque: fishing and clearing the jungle (RULES §5.1)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.actions import BURN, HARVEST_CORN, HARVEST_WOOD, TILELESS
from ballcourt.engine.games.tzolkin.economy.temples import lowerable
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    EXTRACTION_FROM,
    FIELD_CORN,
    FIELD_WOOD,
    FISHING_BONUS,
    FISHING_CORN,
    JUNGLE_BONUS,
    TILELESS_FROM,
)

FISHING: Final = 1


def performable(state: TzolkinState, seat: int, action: int) -> bool:
    """Return whether the action has an effect (§5.0): a tile is left, or none is needed."""
    if action == FISHING or state.table[at.JUNGLE_CORN + action - at.FIRST_GROUP] > 0:
        return True
    return state.players[seat][at.TECH + at.AGRICULTURE] >= TILELESS_FROM


def perform(state: TzolkinState, seat: int, action: int) -> None:
    """Fish (1) or harvest in jungle group 2..5."""
    if action == FISHING:
        player = state.players[seat]
        player[at.CORN] += FISHING_CORN + FISHING_BONUS[player[at.TECH + at.AGRICULTURE]]
    else:
        state.then(Harvest(seat, action))


class Harvest(Frame[TzolkinState]):
    """What to bring home from a jungle group (§5.1)."""

    kind: ClassVar[int] = 7
    fields: ClassVar[tuple[str, ...]] = ("seat", "group")
    group: int

    def __init__(self, seat: int, group: int) -> None:
        super().__init__(seat)
        self.group = group

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """Visible corn, wood, burning for every temple that can anger (R-11), corn without a tile (R-10)."""
        player = state.players[seat]
        corn = state.table[at.JUNGLE_CORN + self.group - at.FIRST_GROUP]
        wood = state.table[at.JUNGLE_WOOD + self.group - at.FIRST_GROUP]
        options = []
        if corn > wood:
            options.append(HARVEST_CORN)
        if wood:
            options.append(HARVEST_WOOD)
            options += [BURN + temple for temple in lowerable(player)]
        if corn == wood and player[at.TECH + at.AGRICULTURE] >= TILELESS_FROM:
            options.append(TILELESS)
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Harvest; burning gives the corn first, then angers the god (R-12)."""
        player = state.players[seat]
        if action == HARVEST_WOOD:
            self.take_wood(state, player)
            return
        player[at.CORN] += FIELD_CORN[self.group] + JUNGLE_BONUS[player[at.TECH + at.AGRICULTURE]]
        if action == TILELESS:
            return
        state.table[at.JUNGLE_CORN + self.group - at.FIRST_GROUP] -= 1
        player[at.CORN_TILES] += 1
        if action != HARVEST_CORN:
            state.table[at.JUNGLE_WOOD + self.group - at.FIRST_GROUP] -= 1
            player[at.TEMPLE + action - BURN] -= 1

    def take_wood(self, state: TzolkinState, player: list[int]) -> None:
        """Keep the wood tile and take its wood, one more with extraction (§5.1)."""
        bonus = 1 if player[at.TECH + at.EXTRACTION] >= EXTRACTION_FROM[0] else 0
        player[at.WOOD] += FIELD_WOOD[self.group] + bonus
        player[at.WOOD_TILES] += 1
        state.table[at.JUNGLE_WOOD + self.group - at.FIRST_GROUP] -= 1
