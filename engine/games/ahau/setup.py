"""The set-up (RULES §2, §14)."""

from typing import ClassVar, NamedTuple

from engine.core.chance import Stream, stream
from engine.core.frames import Frame
from engine.games.ahau.actions import SUMMARY as PICK
from engine.games.ahau.columns import (
    ACTOR_COLUMNS,
    BAG,
    BOXED_TILES,
    BUILDING,
    DECK,
    FAMILY,
    GIFT,
    GODS,
    KATUN,
    LINKS,
    MARKER_SPACES,
    MODE,
    NIGHT,
    NONE,
    PERSONAL,
    PERSONALITY,
    POOL,
    POSITIONS,
    REGION_CARDS,
    REGION_COLUMNS,
    REGIONS,
    RESOURCES,
    ROLE_DECK,
    SIDE,
    SIDE_A,
    SIDE_B,
    STACK,
    START_SEAT,
    SUMMARY,
    TABLE_COLUMNS,
    TILE,
    TURN,
    TURN_CITY,
    WEAPONS,
    WILD,
)
from engine.games.ahau.movement import RoundStart
from engine.games.ahau.people import members
from engine.games.ahau.state import HALF, AhauState
from engine.games.ahau.supply import add_tile
from engine.games.ahau.tables import (
    BUILDING_TILES,
    CITY_GODS,
    FIRST_BASE_TILE,
    FIRST_FIVE_TILE,
    FIVE_PLAYER_BUILDINGS,
    MISSING_LINK,
    OFFER_SLOTS,
    PERSONALITIES,
    REGION_COUNT,
    ROLE_NAMES,
    SCORE_BUILDINGS,
    SCORING_NAMES,
    SHADOW_WEAPONS,
    SITE_COLOUR,
    START_WORKERS,
    SUMMARY_RESOURCES,
    TILE_COLOUR,
    TILES,
)

FIVE = 5
"""Players with whom all tiles are used."""


class Variant(NamedTuple):
    """What the options of a match come to, as ints of the table row."""

    mode: int
    night: int
    personal: int
    shadow: int
    start: int


class Chance:
    """The streams of a set-up, each named after what it draws."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def stream(self, name: str) -> Stream:
        """Open the stream of a name."""
        return stream(self.seed, name)

    def shuffled(self, name: str, items: list[int]) -> list[int]:
        """Shuffle items with the stream of a name."""
        return self.stream(name).shuffled(items)


def deal(seats: int, seed: int, variant: Variant) -> AhauState:
    """Set the table up to the choice of the summary cards (§2.1 to §2.8)."""
    chance = Chance(seed)
    table = _table(seats, variant)
    bag = chance.shuffled("tiles", list(range(FIRST_BASE_TILE, TILES if seats == FIVE else FIRST_FIVE_TILE)))
    stack = [] if variant.mode == FAMILY else chance.shuffled("buildings", buildings_in_game(seats))
    offer = [0, stack.pop(), stack.pop()] if stack else [0] * OFFER_SLOTS
    regions = _regions(table[SIDE], bag, stack)
    if variant.mode == FAMILY:
        bag = chance.shuffled("bag", _gifts(regions, bag))
    sites, calendar = _sites(table[SIDE], chance.shuffled("sites", list(range(1, len(SITE_COLOUR)))))
    roles = [] if variant.mode == FAMILY else chance.shuffled("roles", list(range(1, len(ROLE_NAMES) + 1)))[: seats + 1]
    deck = chance.shuffled("automaton", members(REGION_CARDS)) if variant.shadow else []
    table[BAG], table[STACK], table[ROLE_DECK], table[DECK] = len(bag), len(stack), len(roles), len(deck)
    seated = [(variant.start + turn) % seats for turn in range(seats)]
    actors = [new_actor() for _ in range(seats)]
    if variant.shadow:
        actors.append(new_actor())
        actors[seats][WEAPONS] = SHADOW_WEAPONS
        actors[seats][PERSONALITY] = chance.stream("personality").below(len(PERSONALITIES))
    public = [
        table,
        chance.shuffled("city gods", list(CITY_GODS)),
        sites,
        calendar,
        regions,
        offer,
        [NONE] * (GODS * MARKER_SPACES),
        _scoring(chance, variant),
        [*seated, *range(seats, len(actors))],
        [],
        [],
        chance.shuffled("start tiles", list(range(1, FIRST_BASE_TILE))),
        [],
    ]
    secret = [_draws(chance), bag, stack, roles, deck, [0] * seats, [0] * seats, [0] * seats]
    state = AhauState(seats, [], public, actors, [[] for _ in actors], secret)
    if variant.mode == FAMILY:
        cards = chance.shuffled("summaries", list(range(1, len(SUMMARY_RESOURCES))))
        for seat in seated:
            take_summary(state, seat, cards.pop())
        state.then(BoxSummaries(), RoundStart())
    else:
        state.then(*[PickSummary(seat) for seat in seated], BoxSummaries(), RoundStart())
    return state


def _table(seats: int, variant: Variant) -> list[int]:
    table = [0] * TABLE_COLUMNS
    table[MODE] = variant.mode
    table[SIDE] = SIDE_A if seats <= 3 else SIDE_B
    table[NIGHT] = variant.night
    table[PERSONAL] = variant.personal
    table[KATUN] = 1
    table[TURN] = table[TURN_CITY] = NONE
    table[START_SEAT] = variant.start
    return table


def buildings_in_game(seats: int) -> list[int]:
    """List the buildings used with a number of players (§2.3)."""
    return [building for building in range(1, BUILDING_TILES) if seats == FIVE or building not in FIVE_PLAYER_BUILDINGS]


def _regions(side: int, bag: list[int], stack: list[int]) -> list[int]:
    """Draw two tiles and, where there are buildings, one building into each region (§2.2, §2.3)."""
    regions = [0] * (REGIONS * REGION_COLUMNS)
    for region in range(REGION_COUNT[side]):
        for position in range(POSITIONS):
            regions[REGION_COLUMNS * region + TILE + position] = bag.pop()
    for region in range(REGION_COUNT[side]):
        regions[REGION_COLUMNS * region + BUILDING] = stack.pop() if stack else 0
    return regions


def _gifts(regions: list[int], bag: list[int]) -> list[int]:
    """Give every region resources of the colours of its tiles, for a wild one of the next coloured one (§14.2c)."""
    for at in range(0, len(regions), REGION_COLUMNS):
        for position in range(POSITIONS):
            tile = regions[at + TILE + position]
            drawn = len(bag)
            while tile and TILE_COLOUR[tile] == WILD:
                drawn -= 1
                tile = bag[drawn]
            regions[at + GIFT + position] = TILE_COLOUR[tile] + 1 if tile else 0
            bag = [*bag[drawn:], *bag[:drawn]]
    return bag


def _sites(side: int, sites: list[int]) -> tuple[list[int], list[int]]:
    """Put a site on every link; one left over goes on the calendar (§2.1)."""
    placed = [0 if side == SIDE_A and link == MISSING_LINK else sites.pop() for link in range(LINKS)]
    return placed, sites


def _scoring(chance: Chance, variant: Variant) -> list[int]:
    """Draw a God Scoring tile for every Temple (§2.4, §14.2b)."""
    tiles = [tile for tile in range(len(SCORING_NAMES)) if variant.mode != FAMILY or tile != SCORE_BUILDINGS]
    return chance.shuffled("scoring", tiles)[:GODS]


def _draws(chance: Chance) -> list[int]:
    """Open the stream of everything drawn after the set-up."""
    key = chance.stream("draws").key
    return [key & (1 << HALF) - 1, key >> HALF, 0]


def new_actor() -> list[int]:
    """Return the row of an actor before the choice of a summary card (§2.6, R3)."""
    row = [0] * ACTOR_COLUMNS
    row[POOL] = START_WORKERS
    row[PERSONALITY] = NONE
    return row


def take_summary(state: AhauState, seat: int, card: int) -> None:
    """Take a summary card with its resources and its start tile (§2.8)."""
    row = state.actors[seat]
    row[SUMMARY] = card
    for colour in SUMMARY_RESOURCES[card]:
        row[RESOURCES + colour] += 1
    add_tile(state, seat, state.summaries[card - 1])
    state.summaries = [0 if other == card else tile for other, tile in enumerate(state.summaries, 1)]


class PickSummary(Frame[AhauState]):
    """Which summary card to take (§2.8)."""

    kind: ClassVar[int] = 7

    def options(self, state: AhauState, seat: int) -> list[int]:
        """Every card still there."""
        return [PICK + index for index, tile in enumerate(state.summaries) if tile]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take it."""
        take_summary(state, seat, action - PICK + 1)


class BoxSummaries(Frame[AhauState]):
    """The start tiles nobody took leave the game (§2.8)."""

    kind: ClassVar[int] = 8

    def row(self) -> list[int]:
        """Return the constructor's arguments: none."""
        return []

    def run(self, state: AhauState) -> None:
        """Box them."""
        for tile in state.summaries:
            state.table[BOXED_TILES] |= 1 << tile if tile else 0
        state.summaries = [0] * len(state.summaries)
