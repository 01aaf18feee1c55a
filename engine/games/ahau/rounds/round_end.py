"""The end of a round: tiles, buildings, and whether a K'atun ends (RULES §10)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.ahau.actions import GIVE, TRADE_TILE
from ballcourt.engine.games.ahau.automata import automaton
from ballcourt.engine.games.ahau.columns import (
    BAG,
    END_TRIGGERED,
    FAMILY,
    KATUN_TRIGGERED,
    MODE,
    POSITIONS,
    ROUND,
    SIDE,
    TILE_SPOTS,
)
from ballcourt.engine.games.ahau.pieces.supply import draw_building, draw_tile, fill_bag, to_bag
from ballcourt.engine.games.ahau.rounds.katun import KatunTrade, Scoring
from ballcourt.engine.games.ahau.rounds.trading import TO_BAG, TradePartner, tile_trades
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import LAST_ROUND, OFFER_SLOTS, REGION_COUNT

SPOTS_OF: Final = tuple([TILE_SPOTS[: POSITIONS * count] for count in REGION_COUNT])
"""By side of the board: the columns of the regions row that hold its pyramid tiles."""


def empty_spots(state: AhauState) -> list[int]:
    """List the columns of the regions row that lack a tile, in the order of the refill (§10.1)."""
    regions = state.regions
    return [spot for spot in SPOTS_OF[state.table[SIDE]] if not regions[spot]]


class RoundEnd(Step[AhauState]):
    """The end of a round: the refill, then a celebration or the next round (§10)."""

    kind: ClassVar[int] = 80

    def run(self, state: AhauState) -> None:
        """Queue the steps; the last round triggers the end (R-41, R-63)."""
        if state.table[ROUND] >= LAST_ROUND:
            state.table[END_TRIGGERED] = 1
        state.then(OFFER_END)
        REFILL.run(state)


ROUND_END: Final = RoundEnd()


class Refill(Step[AhauState]):
    """The refill of all regions to two tiles, if necessary with tiles of the reserves (§10.1, §10.3, R-61)."""

    kind: ClassVar[int] = 81

    def run(self, state: AhauState) -> None:
        """Draw a tile for every empty spot; if bag and discards are too few, collect tiles of the reserves first."""
        spots = empty_spots(state)
        state.regions = state.regions[:]
        for place, spot in enumerate(spots):
            short = not state.table[BAG] and len(state.tiles) < len(spots) - place
            if short and any(state.reserves()):
                state.bag = state.tiles
                state.table[BAG] = len(state.tiles)
                state.tiles = []
                state.then(Shortage())
                return
            state.regions[spot] = draw_tile(state)


class Shortage(Step[AhauState]):
    """Tiles taken from the largest reserves until the bag suffices for the refill (§10.3, R-46)."""

    kind: ClassVar[int] = 82

    def run(self, state: AhauState) -> None:
        """Take a tile from the largest reserve, the first in turn order if several are equal."""
        largest = max(len(reserve) for reserve in state.reserves())
        if state.table[BAG] >= len(empty_spots(state)) or not largest:
            fill_bag(state, [])
            state.then(REFILL)
            return
        owner = next(actor for actor in state.order if len(state.reserve(actor)) == largest)
        if owner >= state.seats:
            to_bag(state, owner, automaton.tile_to_return(state))
            state.then(self)
        else:
            state.then(ForcedDiscard(owner), self)


class ForcedDiscard(Frame[AhauState]):
    """Which reserve tile to put into the bag, or two in a trade (§10.3, R-17, R-46)."""

    kind: ClassVar[int] = 83

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List every tile to give, and every tile that can begin a trade."""
        reserve = state.reserve(seat)
        return [*[GIVE + tile - 1 for tile in reserve], *tile_trades(reserve)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Put the tile into the bag, which `Shortage` shuffles, or begin the trade."""
        if action >= TRADE_TILE:
            state.then(TradePartner(seat, action - TRADE_TILE + 1, TO_BAG))
        else:
            to_bag(state, seat, action - GIVE + 1)


class OfferEnd(Step[AhauState]):
    """The offer moves, the automaton renews its deck, and the K'atun may end (§10.2, §10.4, §14.3)."""

    kind: ClassVar[int] = 84

    def run(self, state: AhauState) -> None:
        """Refill the offer, then celebrate if that was triggered."""
        table = state.table
        if table[MODE] != FAMILY:
            refill_offer(state)
        automaton.end_round(state)
        if table[KATUN_TRIGGERED] or table[END_TRIGGERED]:
            state.then(*[KatunTrade(actor) for actor in state.order if actor < state.seats], Scoring())


REFILL: Final = Refill()
OFFER_END: Final = OfferEnd()


def refill_offer(state: AhauState) -> None:
    """Discard the leftmost building, move the others left and fill the offer from the stack (§10.2)."""
    if state.offer[0]:
        state.buildings = [*state.buildings, state.offer[0]]
    kept = [building for building in state.offer[1:] if building]
    while len(kept) < OFFER_SLOTS:
        kept.append(draw_building(state))
    state.offer = kept
