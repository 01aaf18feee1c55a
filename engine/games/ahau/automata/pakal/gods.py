"""King Pakal's summonings: discards, markers and the powers of the gods (RULES §15.8, §15.14)."""

from typing import Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.automata.pakal.goods import (
    HUMAN,
    PAKAL,
    advance_pakal,
    gain_resources,
    missing,
    pieces,
    workers_of_both,
)
from ballcourt.engine.games.ahau.automata.pakal.trade import move_workers
from ballcourt.engine.games.ahau.automata.shadow import ranks
from ballcourt.engine.games.ahau.gods.summon import ALL_COLOURS, built_tiles, colours_of
from ballcourt.engine.games.ahau.pieces.people import (
    cities_of,
    count_in,
    lay_down,
    plays,
    sites_of,
    stand_up,
    to_pool,
    touches,
)
from ballcourt.engine.games.ahau.pieces.supply import discard_tiles, draw_to_reserve
from ballcourt.engine.games.ahau.pieces.temples import has_marker, marker_space, put_marker
from ballcourt.engine.games.ahau.rewards import take_back
from ballcourt.engine.games.ahau.rounds.produce import count_at, deplete
from ballcourt.engine.games.ahau.sources import JAGUAR, MARKERS
from ballcourt.engine.games.ahau.state import CARD_DRAW, TILE_DRAW, AhauState, replaced
from ballcourt.engine.games.ahau.tables import MARKER_FAME, MIDDLE_SPACE, PERSONALITIES, TILE_COLOUR, TILE_GOD

SHARE: Final = 3
"""He discards at most one of this many reserve tiles."""


def summon_of_city(state: AhauState) -> None:
    """Summon the god of the city used, or with the High Priestess the best possible god (§15.14, R-55)."""
    if not plays(state.actors[PAKAL], at.HIGH_PRIESTESS):
        summon(state, state.gods[state.table[at.TURN_CITY]])
        return
    for god in sorted(range(at.GODS), key=lambda god: _preference(state, god)):
        if summon(state, god):
            return


def _preference(state: AhauState, god: int) -> tuple[int, ...]:
    """Return a sort key for the High Priestess: a marker on the first space, strength, no marker yet, rank."""
    if state.temples[at.MARKER_SPACES * god] == at.NONE and _movable(state, god):
        return (0, ranks(state)[god])
    built = built_tiles(state.actors[PAKAL], god)[0]
    fitting = [tile for tile in state.reserve(PAKAL) if TILE_GOD[tile] == god]
    strength = built + min(len(state.reserve(PAKAL)) // SHARE, len(fitting))
    return (1, -strength, has_marker(state, PAKAL, god), ranks(state)[god])


def _movable(state: AhauState, god: int) -> bool:
    """Return whether he has no marker at a Temple, or one on the middle space."""
    middle = state.temples[at.MARKER_SPACES * god + MIDDLE_SPACE] == PAKAL
    return middle or not has_marker(state, PAKAL, god)


def dance(state: AhauState) -> bool:
    """Summon the best-ranked god possible, except gods summoned this turn; return whether he did (§15.14)."""
    favourites = PERSONALITIES[state.actors[PAKAL][at.PERSONALITY]]
    return any(summon(state, god) for god in favourites if not state.table[at.SUMMONED] >> god & 1)


def summon(state: AhauState, god: int) -> bool:
    """Summon a god if he has built a tile of it and the power is possible; return whether he did (§15.8, R-48)."""
    row = state.actors[PAKAL]
    built, colours = built_tiles(row, god)
    if not built:
        return False
    discards = _discards(state, god)
    colours |= colours_of(discards)
    if (god == at.RAIN and not sites_of(state, colours)) or (god == at.JAGUAR and not _victims(state)):
        return False
    state.table[at.SUMMONED] |= 1 << god
    discard_tiles(state, PAKAL, discards)
    _mark(state, god)
    _power(state, god, built + len(discards) + plays(row, at.HIGH_PRIESTESS), colours)
    return True


def _discards(state: AhauState, god: int) -> list[int]:
    """Return the reserve tiles to discard: coloured ones at random, wilds last."""
    reserve = state.reserve(PAKAL)
    share = len(reserve) // SHARE
    fitting = [tile for tile in reserve if TILE_GOD[tile] == god] if share else []
    if not fitting:
        return []
    coloured = [tile for tile in fitting if TILE_COLOUR[tile] != at.WILD]
    wilds = [tile for tile in fitting if TILE_COLOUR[tile] == at.WILD]
    return [*state.picked(TILE_DRAW, coloured, share), *wilds][:share]


def _mark(state: AhauState, god: int) -> None:
    """Put a marker into the Temple, or move the one on the middle space to the left (R-27)."""
    if not has_marker(state, PAKAL, god):
        put_marker(state, PAKAL, god)
    elif state.temples[at.MARKER_SPACES * god + MIDDLE_SPACE] == PAKAL:
        space = marker_space(state, god)
        if at.NONE < space < MIDDLE_SPACE:
            state.temples = replaced(state.temples, at.MARKER_SPACES * god + MIDDLE_SPACE, at.NONE)
            state.temples = replaced(state.temples, at.MARKER_SPACES * god + space, PAKAL)
            state.gain_fame(PAKAL, MARKER_FAME[space], MARKERS)


def _power(state: AhauState, god: int, strength: int, colours: int) -> None:
    if god == at.CHIEF:
        draw_to_reserve(state, PAKAL, strength)
    elif god == at.RAIN:
        _rain(state, strength, colours)
    elif god == at.TRADE:
        move_workers(state, strength)
    elif god == at.JAGUAR:
        _jaguar(state, strength)
    else:
        _sun(state, strength)


def _rain(state: AhauState, strength: int, colours: int) -> None:
    """Deplete the site with the most human workers; ties: fewest of his own, topmost."""
    row, human = state.actors[PAKAL], state.actors[HUMAN]
    orders = [(-count_at(human, link), count_at(row, link), link) for link in sites_of(state, colours)]
    deplete(state, min(orders)[-1])
    gain_resources(state, strength)


def _sun(state: AhauState, strength: int) -> None:
    """Shuffle cards back into the deck, preferring his Role card; then lay down a worker in his region."""
    row = state.changing(PAKAL)
    cards = members(row[at.PLAYED] | row[at.DISCARD])
    role = at.ROLE + 1 + row[at.PERSONALITY]
    returned = [role] if role in cards else []
    others = [card for card in cards if card != role]
    returned += state.picked(CARD_DRAW, others, strength - len(returned))
    for card in returned:
        take_back(row, card)
    state.deck = state.shuffled(CARD_DRAW, [*state.deck[: state.table[at.DECK]], *returned])[::-1]
    state.table[at.DECK] = len(state.deck)
    cities = [city for city in cities_of(state, row[at.RULER]) if row[at.STANDING + city]]
    if cities:
        lay_down(row, min([_lying(state, city) for city in cities])[-1])


def _lying(state: AhauState, city: int) -> tuple[int, ...]:
    """Return a sort key for laying down: a new majority, fewest workers; ties: a site, rank, topmost."""
    ties = (not touches(state, city, ALL_COLOURS), ranks(state)[state.gods[city]], city)
    return (0, *ties) if missing(state, city) == 1 else (1, workers_of_both(state, city), *ties)


def _victims(state: AhauState) -> list[int]:
    """List the cities where Jaguar can take a worker, which is not the one just placed; sites do not matter (R-49)."""
    row = state.actors[PAKAL]
    return [city for city in range(at.CITIES) if pieces(row, city) > (city == state.table[at.TURN_CITY])]


def _jaguar(state: AhauState, strength: int) -> None:
    """Stand up or remove a worker where he is furthest behind; gain Fame and a step on Might."""
    row, human = state.changing(PAKAL), state.actors[HUMAN]
    counts = [(city, count_in(row, city), count_in(human, city)) for city in _victims(state)]
    orders = [(-max(0, other - own), -own, -ranks(state)[state.gods[city]], city) for city, own, other in counts]
    city = min(orders)[-1]
    if row[at.LYING + city]:
        stand_up(row, city)
    else:
        to_pool(row, city)
    state.gain_fame(PAKAL, strength, JAGUAR)
    advance_pakal(state)
