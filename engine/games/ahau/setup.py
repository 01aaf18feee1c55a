"""The set-up (RULES §2, §14)."""

from typing import ClassVar, NamedTuple

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.actions import SUMMARY as TAKE_SUMMARY
from ballcourt.engine.games.ahau.audit import buildings_in_game, tiles_in_game
from ballcourt.engine.games.ahau.automata.pakal.turn import mark_middle
from ballcourt.engine.games.ahau.movement.cards import RoundStart
from ballcourt.engine.games.ahau.pieces.supply import add_tile
from ballcourt.engine.games.ahau.state import HALF, AhauState


class Variant(NamedTuple):
    """The options of a match as the ints of the table row."""

    mode: int
    night: int
    personal: int
    shadow: int
    start: int
    difficulty: int = 0
    solo_night: int = 0
    personality: int = at.NONE


class Chance:
    """The random streams of a set-up, each named after what it draws."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def stream(self, name: str) -> Stream:
        """Return a new stream with this name."""
        return stream(self.seed, name)

    def shuffled(self, name: str, items: list[int]) -> list[int]:
        """Return the items in an order drawn from the stream with this name."""
        return self.stream(name).shuffled(items)


def deal(seats: int, seed: int, variant: Variant) -> AhauState:
    """Set the table up until the summary cards are picked (§2.1 to §2.8)."""
    chance = Chance(seed)
    personality = _personality(chance, variant)
    state = AhauState(seats, [])
    state.table = _table(seats, variant)
    state.chance = _draws(chance)
    _lay_out_map(state, chance)
    _lay_out_temples(state, chance)
    _deal_cards(state, chance, personality)
    _seat_actors(state, variant, personality)
    _hand_out_summaries(state, chance)
    return state


def _lay_out_map(state: AhauState, chance: Chance) -> None:
    """Lay out city tiles, sites, pyramid tiles and buildings (§2.1 to §2.3), in Ahau Family resources too (§14.2)."""
    table = state.table
    bag = chance.shuffled("tiles", [tile for tile in tiles_in_game(state.seats) if tile >= tables.FIRST_BASE_TILE])
    stack = chance.shuffled("buildings", buildings_in_game(state.seats, table[at.MODE]))
    state.offer = [0, stack.pop(), stack.pop()] if stack else [0] * tables.OFFER_SLOTS
    state.regions = _regions(table[at.SIDE], bag, stack)
    if table[at.MODE] == at.FAMILY:
        bag = chance.shuffled("bag", region_gifts(state.regions, bag))
    state.bag, state.stack = bag, stack
    table[at.BAG], table[at.STACK] = len(bag), len(stack)
    state.tiles, state.buildings = [], []
    state.gods = chance.shuffled("city gods", list(tables.CITY_GODS))
    state.sites, state.calendar = _sites(
        table[at.SIDE], chance.shuffled("sites", list(range(1, len(tables.SITE_COLOUR))))
    )


def _lay_out_temples(state: AhauState, chance: Chance) -> None:
    """Lay out the empty Temples, a God Scoring tile for each (§2.4, §14.2b), and the summary cards (§2.8)."""
    tiles = [
        tile
        for tile in range(len(tables.SCORING_NAMES))
        if state.table[at.MODE] != at.FAMILY or tile != tables.SCORE_BUILDINGS
    ]
    state.temples = [at.NONE] * (at.GODS * at.MARKER_SPACES)
    state.scoring = chance.shuffled("scoring", tiles)[: at.GODS]
    state.summaries = chance.shuffled("start tiles", list(range(1, tables.FIRST_BASE_TILE)))


def _deal_cards(state: AhauState, chance: Chance, personality: int) -> None:
    """Draw the Role deck and shuffle the deck of the automaton, if there is one."""
    seats, mode = state.seats, state.table[at.MODE]
    state.role_deck = _role_deck(chance, mode, seats, personality)
    cards = _automaton_cards(mode, personality) if personality != at.NONE else []
    state.deck = chance.shuffled("automaton", cards)
    state.table[at.ROLE_DECK], state.table[at.DECK] = len(state.role_deck), len(state.deck)
    state.roles, state.known, state.answers = [0] * seats, [0] * seats, [0] * seats


def _seat_actors(state: AhauState, variant: Variant, personality: int) -> None:
    """Give every actor its pieces and stack the markers on Might, the automaton's on top (§2.6, §2.7, R-23)."""
    seats = state.seats
    state.actors = [new_actor() for _ in range(seats)]
    if personality != at.NONE:
        automaton = new_actor()
        automaton[at.WEAPONS] = (
            tables.PAKAL_WEAPONS[variant.difficulty] if variant.mode == at.SOLO else tables.SHADOW_WEAPONS
        )
        automaton[at.PERSONALITY] = personality
        state.actors.append(automaton)
    state.might = [*_clockwise(state), *range(seats, len(state.actors))]
    state.order = []
    if variant.mode == at.SOLO:
        _equip_pakal(state, seats)


def _hand_out_summaries(state: AhauState, chance: Chance) -> None:
    """Ask every seat for a summary card (§2.8); in Ahau Family deal them (§14.2)."""
    if state.table[at.MODE] != at.FAMILY:
        state.then(*[PickSummary(seat) for seat in _clockwise(state)], BoxSummaries(), RoundStart())
        return
    cards = chance.shuffled("summaries", list(range(1, len(tables.SUMMARY_RESOURCES))))
    for seat in _clockwise(state):
        take_summary(state, seat, cards.pop())
    state.then(BoxSummaries(), RoundStart())


def _clockwise(state: AhauState) -> list[int]:
    """List the seats from the starting player on (§2.7)."""
    return [(state.table[at.START_SEAT] + turn) % state.seats for turn in range(state.seats)]


def _personality(chance: Chance, variant: Variant) -> int:
    """Return the Personality card of the automaton, given or drawn; NONE without one (§14.3, §15.1)."""
    if variant.mode != at.SOLO and not variant.shadow:
        return at.NONE
    drawn = chance.stream("personality").below(len(tables.PERSONALITIES))
    return drawn if variant.personality == at.NONE else variant.personality


def _role_deck(chance: Chance, mode: int, seats: int, personality: int) -> list[int]:
    """Draw the Role deck (§2.5); the solo game leaves out King Pakal's Role (§15.1)."""
    if mode == at.FAMILY:
        return []
    roles = chance.shuffled("roles", list(range(1, len(tables.ROLE_NAMES) + 1)))
    if mode == at.SOLO:
        return [role for role in roles if role != personality + 1][: tables.PAKAL_ROLE_DECK]
    return roles[: seats + 1]


def _automaton_cards(mode: int, personality: int) -> list[int]:
    """List the cards in the deck of an automaton: the Region cards, and King Pakal's Role card."""
    cards = members(at.REGION_CARDS)
    return [*cards, at.ROLE + personality + 1] if mode == at.SOLO else cards


def _equip_pakal(state: AhauState, actor: int) -> None:
    """Give King Pakal his resources, the start tile of his best god, and his first markers (§15.1)."""
    row = state.changing(actor)
    row[at.RESOURCES] = tables.PAKAL_START_RESOURCES
    best = tables.PERSONALITIES[row[at.PERSONALITY]][0]
    tile = next(tile for tile in state.summaries if tables.TILE_GOD[tile] == best)
    add_tile(state, actor, tile)
    state.summaries = [0 if other == tile else other for other in state.summaries]
    mark_middle(state)


def _table(seats: int, variant: Variant) -> list[int]:
    table = [0] * at.TABLE_COLUMNS
    table[at.MODE] = variant.mode
    table[at.SIDE] = at.SIDE_A if seats <= 3 else at.SIDE_B
    table[at.NIGHT] = variant.night
    table[at.PERSONAL] = variant.personal
    table[at.KATUN] = 1
    table[at.TURN] = table[at.TURN_CITY] = at.NONE
    table[at.START_SEAT] = variant.start
    table[at.DIFFICULTY] = variant.difficulty
    table[at.SOLO_NIGHT] = variant.solo_night
    return table


def _regions(side: int, bag: list[int], stack: list[int]) -> list[int]:
    """Draw two tiles into each region and, if the mode has buildings, one building (§2.2, §2.3)."""
    regions = [0] * (at.REGIONS * at.REGION_COLUMNS)
    for region in range(tables.REGION_COUNT[side]):
        for position in range(at.POSITIONS):
            regions[at.REGION_COLUMNS * region + at.TILE + position] = bag.pop()
    for region in range(tables.REGION_COUNT[side]):
        regions[at.REGION_COLUMNS * region + at.BUILDING] = stack.pop() if stack else 0
    return regions


def region_gifts(regions: list[int], bag: list[int]) -> list[int]:
    """Put resources into every region, in the colours of its tiles (§14.2).

    A wild tile takes the colour of the next coloured tile drawn. Return the bag with the tiles drawn put back.
    """
    for start in range(0, len(regions), at.REGION_COLUMNS):
        for position in range(at.POSITIONS):
            tile = regions[start + at.TILE + position]
            drawn = len(bag)
            while tile and tables.TILE_COLOUR[tile] == at.WILD:
                drawn -= 1
                tile = bag[drawn]
            regions[start + at.GIFT + position] = tables.TILE_COLOUR[tile] + 1 if tile else 0
            bag = [*bag[drawn:], *bag[:drawn]]
    return bag


def _sites(side: int, sites: list[int]) -> tuple[list[int], list[int]]:
    """Put a site on every link; return the links and the sites left over, which go on the calendar (§2.1)."""
    placed = [0 if side == at.SIDE_A and link == tables.MISSING_LINK else sites.pop() for link in range(at.LINKS)]
    return placed, sites


def _draws(chance: Chance) -> list[int]:
    """Return the chance row: the key and count of the stream for all later draws."""
    key = chance.stream("draws").key
    return [key & (1 << HALF) - 1, key >> HALF, 0]


def new_actor() -> list[int]:
    """Return the row of an actor before it has a summary card (§2.6, §2.9, R-03)."""
    row = [0] * at.ACTOR_COLUMNS
    row[at.POOL] = tables.START_WORKERS
    row[at.PERSONALITY] = at.NONE
    return row


def take_summary(state: AhauState, seat: int, card: int) -> None:
    """Take a summary card with its resources and its start tile (§2.8)."""
    row = state.changing(seat)
    row[at.SUMMARY] = card
    for colour in tables.SUMMARY_RESOURCES[card]:
        row[at.RESOURCES + colour] += 1
    add_tile(state, seat, state.summaries[card - 1])
    state.summaries = [0 if other == card else tile for other, tile in enumerate(state.summaries, 1)]


class PickSummary(Frame[AhauState]):
    """Which summary card to take (§2.8)."""

    kind: ClassVar[int] = 7

    def options(self, state: AhauState, seat: int) -> list[int]:
        return [TAKE_SUMMARY + index for index, tile in enumerate(state.summaries) if tile]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        take_summary(state, seat, action - TAKE_SUMMARY + 1)


class BoxSummaries(Step[AhauState]):
    """The step that removes the remaining start tiles from the game (§2.8)."""

    kind: ClassVar[int] = 8

    def run(self, state: AhauState) -> None:
        for tile in state.summaries:
            state.table[at.BOXED_TILES] |= 1 << tile if tile else 0
        state.summaries = [0] * len(state.summaries)
