"""Constructing buildings and monuments (RULES §6)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import sources
from ballcourt.engine.games.tzolkin.actions import BUILD, BUILD_WITH_TRACK, MONUMENT, STOP, WAIVE, WAIVE_ACTION, WAIVERS
from ballcourt.engine.games.tzolkin.economy import effects
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_WAIVED_FROM,
    BUILDING_CORN,
    BUILDING_COST,
    BUILDING_VP,
    CORN_PER_BLOCK_OF_COST,
    CORN_WAIVED,
    MONUMENT_COST,
    SKULL_MONUMENT,
    Cost,
)

NO_BLOCK: Final = -1

# the occasions to construct, and what each allows
TIKAL_2: Final = 0  # one building
TIKAL_4: Final = 1  # a building and perhaps a second one, or a monument
SECOND: Final = 2  # the second building of Tikal 4, the architecture track used up by the first
SECOND_WITH_TRACK: Final = 3  # the same with the track still unused
UXMAL_4: Final = 4  # one building, paid in corn
GRANTED: Final = 5  # one building or none, as the effect of another building

OPTIONAL: Final = (SECOND, SECOND_WITH_TRACK, GRANTED)


def can_pay(player: list[int], cost: Cost, waived: int = NO_BLOCK) -> bool:
    """Return whether the player owns the blocks of a cost, less one of the kind `waived`."""
    return (
        player[at.WOOD] + (waived == 0) >= cost[0]
        and player[at.STONE] + (waived == 1) >= cost[1]
        and player[at.GOLD] + (waived == 2) >= cost[2]
    )


def corn_price(building: int) -> int:
    """Return what a building costs at Uxmal 4: 2 corn for every block (§5.4)."""
    return CORN_PER_BLOCK_OF_COST * sum(BUILDING_COST[building])


def plain_offers(state: TzolkinState, seat: int) -> list[int]:
    """List the buildings that can be paid in blocks without the architecture track."""
    player = state.players[seat]
    return [BUILD + building - 1 for building in state.row if building and can_pay(player, BUILDING_COST[building])]


def track_offers(state: TzolkinState, seat: int) -> list[int]:
    """List the buildings that can be paid in blocks with the track; from level 3 it waives one block (§6.3)."""
    player = state.players[seat]
    if player[at.TECH + at.ARCHITECTURE] < BLOCK_WAIVED_FROM:
        return [action + BUILD_WITH_TRACK - BUILD for action in plain_offers(state, seat)]
    return [
        WAIVE_ACTION[building, kind]
        for building in state.row
        if building
        for kind in range(at.BLOCKS)
        if BUILDING_COST[building][kind] and can_pay(player, BUILDING_COST[building], kind)
    ]


def corn_offers(state: TzolkinState, seat: int, corn: int) -> list[int]:
    """List the buildings that can be paid with `corn`, using the track if the player has one (R-15)."""
    level = state.players[seat][at.TECH + at.ARCHITECTURE]
    base = BUILD_WITH_TRACK if level else BUILD
    return [
        base + building - 1 for building in state.row if building and corn_price(building) - CORN_WAIVED[level] <= corn
    ]


def monument_offers(state: TzolkinState, seat: int) -> list[int]:
    """List the displayed monuments that can be paid; the architecture track never helps (§6.6)."""
    player = state.players[seat]
    return [
        MONUMENT + monument - 1
        for monument in state.display
        if can_pay(player, MONUMENT_COST[monument]) and (monument != SKULL_MONUMENT or player[at.SKULLS] > 0)
    ]


def possible(state: TzolkinState, seat: int, in_corn: bool, monuments: bool, corn: int = 0) -> bool:
    """Return whether the player can construct anything (§5.0), in blocks or with `corn`."""
    if in_corn:
        return bool(corn_offers(state, seat, corn))
    if monuments and monument_offers(state, seat):
        return True
    # the track only ever makes a building cheaper
    has_track = state.players[seat][at.TECH + at.ARCHITECTURE] > 0
    return bool(track_offers(state, seat) if has_track else plain_offers(state, seat))


class Construct(Frame[TzolkinState]):
    """Which tile to build on one of the occasions above, and whether with the architecture track (§6.1, R-15)."""

    kind: ClassVar[int] = 14
    fields: ClassVar[tuple[str, ...]] = ("seat", "occasion")
    occasion: int

    def __init__(self, seat: int, occasion: int) -> None:
        super().__init__(seat)
        self.occasion = occasion

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        """The payable tiles. A player with the track uses it, or at the first of two buildings may save it (R-15)."""
        player = state.players[seat]
        if self.occasion == UXMAL_4:
            options = corn_offers(state, seat, player[at.CORN])
        elif player[at.TECH + at.ARCHITECTURE] == 0 or self.occasion == SECOND:
            options = plain_offers(state, seat)
        else:
            options = track_offers(state, seat)
            if self.occasion == TIKAL_4:
                options += plain_offers(state, seat)
        if self.occasion == TIKAL_4:
            options += monument_offers(state, seat)
        if self.occasion in OPTIONAL:
            options.append(STOP)
        options.sort()
        return options

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Construct, let the tile take effect completely, then perhaps go on to a second building (§6.4, §6.5)."""
        if action == STOP:
            return
        if action < BUILD:
            self.construct_monument(state, seat, action - MONUMENT + 1)
            return
        with_track = action >= BUILD_WITH_TRACK
        if self.occasion == TIKAL_4:
            state.then(Construct(seat, SECOND if with_track else SECOND_WITH_TRACK))
        building, waived = split(action)
        self.pay(state.players[seat], building, waived, with_track)
        take(state, seat, building, with_track)

    def pay(self, player: list[int], building: int, waived: int, with_track: bool) -> None:
        """Return the price to the bank."""
        if self.occasion == UXMAL_4:
            saved = CORN_WAIVED[player[at.TECH + at.ARCHITECTURE]] if with_track else 0
            player[at.CORN] -= corn_price(building) - saved
            return
        for kind, count in enumerate(BUILDING_COST[building]):
            player[at.WOOD + kind] -= count - (kind == waived)

    def construct_monument(self, state: TzolkinState, seat: int, monument: int) -> None:
        """Pay the exact price and keep the monument; a skull goes back to the bank (R-16)."""
        player = state.players[seat]
        for kind, count in enumerate(MONUMENT_COST[monument]):
            player[at.WOOD + kind] -= count
        if monument == SKULL_MONUMENT:
            player[at.SKULLS] -= 1
            state.table[at.SKULL_BANK] += 1
        state.display = [other for other in state.display if other != monument]
        player[at.MONUMENTS] |= 1 << monument


def split(action: int) -> tuple[int, int]:
    """Return the building of a BUILD action and the kind of block it waives."""
    if action >= WAIVE:
        return WAIVERS[action - WAIVE]
    base = BUILD_WITH_TRACK if action >= BUILD_WITH_TRACK else BUILD
    return action - base + 1, NO_BLOCK


def take(state: TzolkinState, seat: int, building: int, with_track: bool) -> None:
    """Take a building from the row: the track's reward first, then the tile's effects (§6.2, §6.3, R-15)."""
    player = state.players[seat]
    state.row[state.row.index(building)] = 0
    player[at.BUILDINGS] |= 1 << building
    if with_track:
        player[at.CORN] += BUILDING_CORN[player[at.TECH + at.ARCHITECTURE]]
        state.score(seat, BUILDING_VP[player[at.TECH + at.ARCHITECTURE]], sources.TECHNOLOGIES)
    state.then(effects.BuildingEffects(seat, building, 0))
