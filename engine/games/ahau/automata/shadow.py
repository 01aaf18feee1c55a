"""The Shadow Player: an additional ruler, moved by its cards and its Personality (RULES §14.3)."""

from typing import Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.games.ahau.columns import DECK, DISCARD, GODS, LEFT, PERSONALITY, PLAYED, RIGHT, RULER, SIDE, WILD
from ballcourt.engine.games.ahau.pieces.people import cities_of, count_in, covers
from ballcourt.engine.games.ahau.pieces.rulers import place_worker, placement_cities, refuges
from ballcourt.engine.games.ahau.pieces.supply import box_building, building_in, spots, take_building_in, take_tile_at
from ballcourt.engine.games.ahau.state import CARD_DRAW, AhauState
from ballcourt.engine.games.ahau.tables import GOD_RANKS, REGION_COUNT, TILE_COLOUR, TILE_GOD, TILES, Ints

HAND: Final = 2
TILE_ORDERS: Final = tuple(
    [
        (GODS * 2, *[2 * places[TILE_GOD[tile]] + (TILE_COLOUR[tile] != WILD) for tile in range(1, TILES)])
        for places in GOD_RANKS
    ]
)
"""By Personality card and tile: a sort key, the god first, then wilds before colours; no tile comes last."""


def ranks(state: AhauState) -> Ints:
    """Return the ranks of the gods on the automaton's Personality card, 0 for the best."""
    return GOD_RANKS[state.actors[state.seats][PERSONALITY]]


def tiles_in(state: AhauState, region: int) -> list[int]:
    """List the pyramid tiles of a region."""
    return [tile for tile in spots(state, region) if tile]


def best_rank(state: AhauState, region: int) -> int:
    """Return the rank of the best god among the tiles of a region, or GODS if it has no tiles."""
    return min([ranks(state)[TILE_GOD[tile]] for tile in tiles_in(state, region)], default=GODS)


def draw_cards(state: AhauState) -> tuple[int, int]:
    """Draw the left and the right card of the automaton."""
    state.table[DECK] -= HAND
    right, left = state.deck[state.table[DECK] : state.table[DECK] + HAND]
    return left, right


def reveal(state: AhauState) -> None:
    """Draw two cards, the left one for the destination and the right one for strength (§14.3)."""
    row = state.changing(state.seats)
    left, right = draw_cards(state)
    if left > REGION_COUNT[state.table[SIDE]]:
        left, right = right, left
    row[LEFT] = left
    row[RIGHT] = right
    row[PLAYED] = 1 << left | 1 << right
    row[RULER] = left


def favourite(state: AhauState, regions: list[int]) -> int:
    """Return the preferred region: by the best god among its tiles, most own workers, lowest number (§14.3)."""
    row = state.actors[state.seats]

    def key(region: int) -> tuple[int, int, int]:
        workers = sum(count_in(row, city) for city in cities_of(state, region))
        return best_rank(state, region), -workers, region

    return min(regions, key=key)


def relocate(state: AhauState) -> None:
    """Move the ruler to its favourite among the refuges (§14.3)."""
    state.changing(state.seats)[RULER] = favourite(state, refuges(state, state.seats))


def best_tiles(state: AhauState, region: int) -> list[int]:
    """List the positions of the best tiles of a region: of the better god, then the only wild; both if they tie."""
    left, right = spots(state, region)
    orders = TILE_ORDERS[state.actors[state.seats][PERSONALITY]]
    if orders[left] == orders[right]:
        return [0, 1] if left else []
    return [0] if orders[left] < orders[right] else [1]


def take_tile(state: AhauState) -> None:
    """Discard the best tile of the ruler's region, the left one if they tie (§14.3)."""
    region = state.actors[state.seats][RULER]
    positions = best_tiles(state, region)
    if positions:
        state.tiles = [*state.tiles, take_tile_at(state, region, positions[0])]


def act(state: AhauState) -> None:
    """Place a worker where it has fewest, box the building of a covered region, discard the cards (§14.3)."""
    actor = state.seats
    row = state.changing(actor)
    cities = placement_cities(state, actor)
    if cities:

        def key(city: int) -> tuple[int, int, int]:
            return count_in(row, city), ranks(state)[state.gods[city]], city

        place_worker(state, actor, min(cities, key=key))
        if building_in(state, row[RULER]) and covers(state, actor, row[RULER]):
            box_building(state, take_building_in(state, row[RULER]))
    row[DISCARD] |= row[PLAYED]
    row[PLAYED] = 0


def end_round(state: AhauState) -> None:
    """Shuffle the discarded cards into a new deck if the old one is empty (§14.3)."""
    if state.table[DECK]:
        return
    row = state.changing(state.seats)
    state.deck = state.shuffled(CARD_DRAW, members(row[DISCARD]))[::-1]
    state.table[DECK] = len(state.deck)
    row[DISCARD] = 0
