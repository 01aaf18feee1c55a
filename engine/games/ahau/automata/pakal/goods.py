"""King Pakal's gains: resources, rewards, buildings (RULES §15.2, §15.10, §15.11)."""

from typing import Final

from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import sources, tables
from ballcourt.engine.games.ahau.automata.shadow import ranks
from ballcourt.engine.games.ahau.building.payments import master_discount
from ballcourt.engine.games.ahau.pieces.metrics import metric
from ballcourt.engine.games.ahau.pieces.people import count_in, lay_down, standing_cities
from ballcourt.engine.games.ahau.pieces.supply import box_building
from ballcourt.engine.games.ahau.pieces.temples import marked_by, marker_space, put_marker
from ballcourt.engine.games.ahau.rewards import climb, gain_at_once
from ballcourt.engine.games.ahau.state import AhauState, replaced

HUMAN: Final = 0
PAKAL: Final = 1


def missing(state: AhauState, city: int) -> int:
    """Return how many workers King Pakal lacks for the majority in a city; by Night he wins ties (§15.2)."""
    own, other = count_in(state.actors[PAKAL], city), count_in(state.actors[HUMAN], city)
    needed = other if other and state.table[at.SOLO_NIGHT] else other + 1
    return needed - own if needed > own else 0


def gain_resources(state: AhauState, count: int) -> None:
    """Gain resources from one cause; an overflow of the counter buys a building instead (§15.10, R-53, R-34)."""
    row = state.changing(PAKAL)
    if row[at.RESOURCES] + count <= tables.PAKAL_MAX_RESOURCES:
        row[at.RESOURCES] += count
    else:
        buy_building(state)


def cheapest(state: AhauState, discount: int) -> tuple[int, int]:
    """Return the price and slot of the cheapest building in the offer, the rightmost if tied; (0, NONE) if empty."""
    best = (0, at.NONE)
    for slot, building in enumerate(state.offer):
        if building:
            price = max(0, len(tables.BUILDING_COLOURS[tables.BUILDING_KIND[building]]) - (slot == 0) - discount)
            if best[1] == at.NONE or price <= best[0]:
                best = (price, slot)
    return best


def buy_building(state: AhauState) -> bool:
    """Buy the cheapest building of the offer; return whether he could. He cannot from an empty offer (R-34)."""
    row = state.changing(PAKAL)
    discount = master_discount(row)
    price, slot = cheapest(state, discount)
    if slot == at.NONE or price > row[at.RESOURCES]:
        return False
    row[at.RESOURCES] -= price
    row[at.DISCOUNTS] += discount
    state.gain_fame(PAKAL, tables.OFFER_FAME[slot], sources.OFFER)
    building = state.offer[slot]
    state.offer = replaced(state.offer, slot, 0)
    place_building(state, building)
    return True


def place_building(state: AhauState, building: int) -> None:
    """Place a building face down; a sixth one replaces the leftmost, without the reward of the space (§15.10, R-32)."""
    row = state.changing(PAKAL)
    state.gain_fame(PAKAL, tables.PAKAL_BUILDING_FAME[state.table[at.DIFFICULTY]], sources.HIS_BUILDINGS)
    for space in range(at.BUILDING_SPACES):
        if not row[at.BUILDINGS + space]:
            row[at.BUILDINGS + space] = building
            reward = tables.PAKAL_BUILDING_REWARDS[state.table[at.SOLO_NIGHT]][space]
            reward_pakal(state, reward, sources.SPACES)
            return
    box_building(state, row[at.BUILDINGS])
    row[at.BUILDINGS] = building


def reward_pakal(state: AhauState, gained: tables.Reward, source: str) -> None:
    """Grant him a reward of a source; fixed rules make his choices (§15.11)."""
    kind, count = gained
    if gain_at_once(state, PAKAL, gained, source):
        return
    if kind == tables.GAIN_MIGHT:
        advance_pakal(state)
    elif kind == tables.GAIN_RESOURCE:
        gain_resources(state, count)
    elif kind == tables.GAIN_TEMPLE:
        _mark_best(state)
    elif kind == tables.GAIN_LAY_DOWN:
        _lay_down_best(state)


def advance_pakal(state: AhauState) -> None:
    """Advance on Might and grant the reward of the step; from the top step it is 3 Fame."""
    if climb(state, PAKAL):
        state.gain_fame(PAKAL, tables.BEYOND_TOP_FAME, sources.MIGHT)
    else:
        reward_pakal(state, tables.MIGHT_REWARDS[state.actors[PAKAL][at.STEP]], sources.MIGHT)


def _mark_best(state: AhauState) -> None:
    """Mark the Temple that would score most now; ties: the least-preferred god (§15.11, R-52)."""
    marked, places = marked_by(state, PAKAL), ranks(state)
    gods = [god for god in range(at.GODS) if not marked >> god & 1 and marker_space(state, god) != at.NONE]
    if gods:
        put_marker(state, PAKAL, max([(_worth(state, god), places[god], god) for god in gods])[-1])


def _worth(state: AhauState, god: int) -> int:
    tile = state.scoring[god]
    own = metric(state, PAKAL, tile) + (tile == tables.SCORE_TEMPLES)
    return max(own, metric(state, HUMAN, tile))


def _lay_down_best(state: AhauState) -> None:
    """Lay down a worker where that makes a majority, or else anywhere; ties: least-preferred god, topmost."""
    row, places = state.changing(PAKAL), ranks(state)
    orders = [(missing(state, city) != 1, -places[state.gods[city]], city) for city in standing_cities(row)]
    if orders:
        lay_down(row, min(orders)[-1])


def pieces(row: list[int], city: int) -> int:
    """Return how many workers an actor has in a city; a lying one counts once."""
    return row[at.STANDING + city] + row[at.LYING + city]


def workers_of_both(state: AhauState, city: int) -> int:
    """Return the worker count of the human and King Pakal in a city."""
    return count_in(state.actors[HUMAN], city) + count_in(state.actors[PAKAL], city)
