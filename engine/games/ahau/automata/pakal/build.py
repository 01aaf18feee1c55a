"""King Pakal's building, in a fixed sequence, and producing (RULES §15.9)."""

from typing import Final

from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import sources
from ballcourt.engine.games.ahau.automata.pakal.goods import (
    HUMAN,
    PAKAL,
    buy_building,
    cheapest,
    gain_resources,
    reward_pakal,
)
from ballcourt.engine.games.ahau.automata.shadow import ranks
from ballcourt.engine.games.ahau.building.payments import master_discount
from ballcourt.engine.games.ahau.building.pyramid import neighbours_of
from ballcourt.engine.games.ahau.pieces.people import count_in, plays
from ballcourt.engine.games.ahau.pieces.supply import discard_tiles, drop_tile
from ballcourt.engine.games.ahau.pieces.temples import marked_by
from ballcourt.engine.games.ahau.rounds.produce import count_at, deplete, sites
from ballcourt.engine.games.ahau.state import LINK_DRAW, PAINT_DRAW, TILE_DRAW, AhauState
from ballcourt.engine.games.ahau.tables import (
    MASTER_BUILDS,
    MERCHANT_YIELD,
    PAKAL_PYRAMID_REWARDS,
    PAKAL_UNBUILT_FAME,
    SPACE_LEVEL,
    TILE_COLOUR,
    TILE_GOD,
    TOP_SPACE,
)

BUILDING_ITEM: Final = at.NONE
SEQUENCE: Final[tuple[int, ...]] = (0, 1, 2, 3, BUILDING_ITEM, 4, 5, 6, BUILDING_ITEM, 7, 8, 9)
"""The items he builds in order, each a pyramid space or a building; after the last only buildings."""
LAST_THREE: Final = 9
TRADING_LEVEL: Final = 3
"""The lowest level for which he trades in tiles."""
TRADED: Final = 2
"""How many tiles he gives to save one resource."""
PAINTS: Final[tuple[tuple[int, ...], ...]] = (*((colour,) for colour in range(at.COLOURS)), tuple(range(at.COLOURS)))
"""By colour of a tile: the colours that it can take."""


def build_or_produce(state: AhauState) -> None:
    """Build, or produce if he cannot build; the Merchant usually produces first (§15.9, §15.14, R-39, R-43)."""
    merchant = plays(state.actors[PAKAL], at.MERCHANT)
    if merchant and not _would_finish(state):
        if produce(state) or build(state):
            return
    elif not build(state):
        produce(state)


def _would_finish(state: AhauState) -> bool:
    """Return whether building now would put one of the last three tiles on the pyramid (R-39)."""
    row = state.actors[PAKAL]
    done = row[at.ITEMS]
    if done >= len(SEQUENCE) or done + count_in(row, state.table[at.TURN_CITY]) <= LAST_THREE:
        return False
    trial = state.clone()
    build(trial)
    return trial.actors[PAKAL][at.ITEMS] > max(LAST_THREE, done)


def build(state: AhauState) -> bool:
    """Build items up to the worker count and gain Fame for the rest; return whether any was built (R-51)."""
    row = state.changing(PAKAL)
    count = count_in(row, state.table[at.TURN_CITY])
    built = 0
    while built < count and build_item(state, count - built):
        row[at.ITEMS] += 1
        built += 1
    if built:
        state.gain_fame(PAKAL, PAKAL_UNBUILT_FAME * (count - built), sources.NOT_BUILT)
    return built > 0


def item_at(number: int) -> int:
    """Return the item with this index in the sequence."""
    return SEQUENCE[number] if number < len(SEQUENCE) else BUILDING_ITEM


def build_item(state: AhauState, allowed: int) -> bool:
    """Build the next item; return whether he could. `allowed` is how many items are left, including this one."""
    space = item_at(state.actors[PAKAL][at.ITEMS])
    return buy_building(state) if space == BUILDING_ITEM else build_tile(state, space, allowed)


def build_tile(state: AhauState, space: int, allowed: int) -> bool:
    """Build a tile on a space, trading in tiles if necessary; return whether he could."""
    row = state.changing(PAKAL)
    reserve = state.reserve(PAKAL)
    if not reserve:
        return False
    traded = to_trade(state, space, allowed)
    discount = master_discount(row)
    price = max(0, SPACE_LEVEL[space] - discount - traded // TRADED)
    if price > row[at.RESOURCES]:
        return False
    tile, colour, shared = choose_tile(state, space)
    if traded:
        others = [other for other in reserve if other != tile]
        discard_tiles(state, PAKAL, state.picked(TILE_DRAW, others, traded))
    row[at.RESOURCES] -= price
    row[at.DISCOUNTS] += discount
    drop_tile(state, PAKAL, tile)
    row[at.PYRAMID + space] = tile
    row[at.PAINT + space] = colour
    if space == TOP_SPACE:
        state.table[at.END_TRIGGERED] = 1
    reward_pakal(state, PAKAL_PYRAMID_REWARDS[state.table[at.SOLO_NIGHT]][space], sources.PYRAMID)
    state.gain_fame(PAKAL, shared, sources.NEIGHBOURS)
    return True


def to_trade(state: AhauState, space: int, allowed: int) -> int:
    """Return how many other tiles he trades in: 0 or 2 from level 3 on, also 4 on level 4 (§15.9, R-31, R-56)."""
    level = SPACE_LEVEL[space]
    if level < TRADING_LEVEL:
        return 0
    missing = total_price(state, allowed) - state.actors[PAKAL][at.RESOURCES]
    others = len(state.reserve(PAKAL)) - 1
    if level > TRADING_LEVEL and missing >= 2 and others >= 2 * TRADED:
        return 2 * TRADED
    return TRADED if missing >= 1 and others >= TRADED else 0


def total_price(state: AhauState, allowed: int) -> int:
    """Return the total price of the items left to build, with discounts (R-56)."""
    row = state.actors[PAKAL]
    discounts = MASTER_BUILDS - row[at.DISCOUNTS] if master_discount(row) else 0
    total = 0
    for place in range(allowed):
        discount = int(place < discounts)
        space = item_at(row[at.ITEMS] + place)
        if space == BUILDING_ITEM:
            total += cheapest(state, discount)[0]
        else:
            total += max(0, SPACE_LEVEL[space] - discount)
    return total


def choose_tile(state: AhauState, space: int) -> tuple[int, int, int]:
    """Return the tile that he builds on a space, its colour, and the traits it shares (§15.9, R-30, R-65)."""
    reserve = state.reserve(PAKAL)
    gods, colours = neighbours_of(state.actors[PAKAL], space)
    best = 0
    tied: list[int] = []
    for tile in reserve:
        traits = gods.count(TILE_GOD[tile])
        for colour in PAINTS[TILE_COLOUR[tile]]:
            shared = traits + colours.count(colour) if colours else traits
            if shared > best:
                best, tied = shared, []
            if shared == best:
                tied.append(at.COLOURS * tile + colour)
    if len(tied) > 1:
        tied = state.picked(PAINT_DRAW, _preferred(state, tied), 1)
    tile, colour = divmod(tied[0], at.COLOURS)
    return tile, colour, best


def _preferred(state: AhauState, choices: list[int]) -> list[int]:
    """List the best of some tiles and colours: no marker yet, rank, most tiles of the colour in reserve, not wild."""
    kept = [TILE_COLOUR[tile] for tile in state.reserve(PAKAL)]
    marked = marked_by(state, PAKAL)
    places = ranks(state)
    values: list[tuple[int, int, int]] = []
    for choice in choices:
        tile, colour = divmod(choice, at.COLOURS)
        god = TILE_GOD[tile]
        values.append((at.GODS * (marked >> god & 1) + places[god], -kept.count(colour), TILE_COLOUR[tile] == at.WILD))
    best = min(values)
    return [choice for choice, value in zip(choices, values, strict=True) if value == best]


def produce(state: AhauState) -> bool:
    """Produce at the best site that touches the city used; return whether there was one."""
    row, human = state.actors[PAKAL], state.actors[HUMAN]
    links = sites(state, PAKAL)
    if not links:
        return False
    counts = [(count_at(row, link), count_at(human, link)) for link in links]
    best = max(counts)
    tied = [link for link, both in zip(links, counts, strict=True) if both == best]
    link = state.picked(LINK_DRAW, tied, 1)[0]
    gain_resources(state, best[0] + (MERCHANT_YIELD if plays(row, at.MERCHANT) else 0))
    deplete(state, link)
    return True
