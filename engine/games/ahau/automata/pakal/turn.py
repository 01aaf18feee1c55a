"""King Pakal's cards, ruler, pyramid tiles and turn (RULES §15.3 to §15.7, §15.15)."""

from typing import Final

from ballcourt.engine.core.bits import mask, members
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.automata.pakal.build import build_or_produce
from ballcourt.engine.games.ahau.automata.pakal.gods import dance, summon_of_city
from ballcourt.engine.games.ahau.automata.pakal.goods import HUMAN, PAKAL, missing, place_building
from ballcourt.engine.games.ahau.automata.shadow import HAND, best_tiles, draw_cards, favourite, ranks, tiles_in
from ballcourt.engine.games.ahau.pieces.people import cities_of, covers, lay_down, number, plays, without_worker
from ballcourt.engine.games.ahau.pieces.rulers import place_worker, placement_cities, ranked
from ballcourt.engine.games.ahau.pieces.supply import add_tile, building_in, spots, take_building_in, take_tile_at
from ballcourt.engine.games.ahau.state import CARD_DRAW, TILE_DRAW, AhauState, replaced
from ballcourt.engine.games.ahau.tables import (
    ADJACENT_REGIONS,
    MIDDLE_SPACE,
    PAKAL_MIDDLE_MARKERS,
    PERSONALITIES,
    REGION_CITIES,
    REGION_COUNT,
    TILE_COLOUR,
    TILE_GOD,
)

SIX: Final = 6
BORDERING: Final = tuple([tuple([mask(cities) for cities in regions]) for regions in REGION_CITIES])
"""By side of the board and region: the set of cities that border it."""


def reveal(state: AhauState) -> None:
    """Draw two cards, place the ruler and use the War Captain (§15.3, §15.4)."""
    row = state.changing(PAKAL)
    stood = row[at.RULER]
    left, right = draw_cards(state)
    while number(left) == SIX and number(right) == SIX:
        _reshuffle(state, [left, right])
        left, right = draw_cards(state)
    if number(left) == SIX:
        left, right = right, left
    row[at.LEFT] = left
    row[at.RIGHT] = right
    row[at.PLAYED] = 1 << left | 1 << right
    row[at.RULER] = number(left)
    if plays(row, at.WAR_CAPTAIN):
        row[at.RULER] = _captain(state, stood or number(left))


def _reshuffle(state: AhauState, cards: list[int]) -> None:
    """Shuffle two cards back into the deck, together with the discards if it is empty (§15.3)."""
    row = state.changing(PAKAL)
    rest = state.deck[: state.table[at.DECK]]
    if not rest:
        rest = members(row[at.DISCARD])
        row[at.DISCARD] = 0
    state.deck = state.shuffled(CARD_DRAW, [*rest, *cards])[::-1]
    state.table[at.DECK] = len(state.deck)


def _captain(state: AhauState, stood: int) -> int:
    """Return where the War Captain leads him (§15.4, R-26)."""
    side = state.table[at.SIDE]
    left, human = state.actors[PAKAL][at.RULER], state.actors[HUMAN][at.RULER]
    if ranked(state, [HUMAN, PAKAL])[0] == PAKAL:
        return human
    if left == human:
        return favourite(state, list(ADJACENT_REGIONS[side][human]))
    best = PERSONALITIES[state.actors[PAKAL][at.PERSONALITY]][0]
    for region in range(1, REGION_COUNT[side] + 1):
        if region != human and any(TILE_GOD[tile] == best for tile in tiles_in(state, region)):
            return region
    return stood


def take_tile(state: AhauState) -> None:
    """Take the tile of the better god; ties: the only wild, the colour he has built most, the left one (§15.6)."""
    region = state.actors[PAKAL][at.RULER]
    positions = best_tiles(state, region)
    if not positions:
        return
    best = positions[0]
    if len(positions) > 1:
        left, right = [TILE_COLOUR[tile] for tile in spots(state, region)]
        if left != right and _painted(state, right) > _painted(state, left):
            best = positions[1]
    add_tile(state, PAKAL, take_tile_at(state, region, best))


def _painted(state: AhauState, colour: int) -> int:
    """Count the tiles of a colour on his pyramid."""
    row = state.actors[PAKAL]
    return len([space for space in range(at.SPACES) if row[at.PYRAMID + space] and row[at.PAINT + space] == colour])


def act(state: AhauState) -> None:
    """Take his turn: place, summon, build or produce, discard the cards (§15.7 to §15.9, §15.14)."""
    row = state.changing(PAKAL)
    cities = placement_cities(state, PAKAL)
    if cities:
        place_worker(state, PAKAL, _city(state, cities))
        if building_in(state, row[at.RULER]) and covers(state, PAKAL, row[at.RULER]):
            place_building(state, take_building_in(state, row[at.RULER]))
        summon_of_city(state)
        if not (plays(row, at.DANCER) and dance(state)):
            build_or_produce(state)
        if plays(state.actors[PAKAL], at.QUEEN):
            _queen(state)
    _discard(state)


def _city(state: AhauState, cities: list[int]) -> int:
    """Return the city where he places his worker (§15.7)."""
    row = state.actors[PAKAL]
    region = row[at.RULER]
    empty = without_worker(row, cities_of(state, region))
    if len(empty) == 1 and building_in(state, region) and empty[0] in cities:
        return empty[0]
    choices = _near_buildings(state, [city for city in empty if city in cities], region) or cities
    if len(choices) == 1:
        return choices[0]
    built = [TILE_GOD[tile] for tile in row[at.PYRAMID : at.PYRAMID + at.SPACES]]
    places = ranks(state)
    best = -at.GODS
    tied: list[int] = []
    for city in choices:
        god = state.gods[city]
        value = at.GODS * built.count(god) - places[god]  # no two gods have the same
        if value > best:
            best, tied = value, []
        if value == best:
            tied.append(city)
    for city in tied:
        if missing(state, city):
            return city
    return tied[0]


def _near_buildings(state: AhauState, cities: list[int], region: int) -> list[int]:
    """List those of some cities that also border another region with a building."""
    buildings = state.regions[at.BUILDING :: at.REGION_COLUMNS]
    buildings[region - 1] = 0
    near = 0  # a set of cities
    for place, building in enumerate(buildings):
        if building:
            near |= BORDERING[state.table[at.SIDE]][place + 1]
    return [city for city in cities if near >> city & 1]


def _queen(state: AhauState) -> None:
    """Use the Queen: lay down a worker in the city of his turn for a resource (§15.14, R-49)."""
    row = state.changing(PAKAL)
    city = state.table[at.TURN_CITY]
    if row[at.RESOURCES] and row[at.STANDING + city]:
        row[at.RESOURCES] -= 1
        lay_down(row, city)


def _discard(state: AhauState) -> None:
    """Discard his cards; if the deck has fewer than two, shuffle all cards into it (§15.15)."""
    row = state.changing(PAKAL)
    row[at.DISCARD] |= row[at.PLAYED]
    row[at.PLAYED] = 0
    if state.table[at.DECK] < HAND:
        cards = [*state.deck[: state.table[at.DECK]], *members(row[at.DISCARD])]
        state.deck = state.shuffled(CARD_DRAW, cards)[::-1]
        state.table[at.DECK] = len(state.deck)
        row[at.DISCARD] = 0


def tile_to_return(state: AhauState) -> int:
    """Return a random tile of his reserve, which he must put into the bag (R-47)."""
    return state.picked(TILE_DRAW, state.reserve(PAKAL), 1)[0]


def mark_middle(state: AhauState) -> None:
    """Put his markers on the middle spaces of the Temples of his lowest gods (§15.1, §15.12)."""
    count = PAKAL_MIDDLE_MARKERS[state.table[at.DIFFICULTY]][state.table[at.KATUN] - 1]
    for god in PERSONALITIES[state.actors[PAKAL][at.PERSONALITY]][at.GODS - count :]:
        state.temples = replaced(state.temples, at.MARKER_SPACES * god + MIDDLE_SPACE, PAKAL)
