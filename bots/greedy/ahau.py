"""Greedy's values of Ahau positions, in Fame: all that is owned, at prices that fall towards the end.

Before the seat's turn, the prospects of the ruler's region and then of the city are part of it.
"""

from typing import Final

from ballcourt.engine.games.ahau import actions, columns, tables
from ballcourt.engine.games.ahau.gods import summon
from ballcourt.engine.games.ahau.pieces import metrics, people
from ballcourt.engine.games.ahau.rounds import produce
from ballcourt.engine.games.ahau.rounds.turn import Main
from ballcourt.engine.games.ahau.state import AhauState

SUMMON_QUESTION: Final = summon.Summon.kind
MAIN_QUESTION: Final = Main.kind

# worth at the start; all of these are worth nothing at the end
RESOURCE: Final = (0.0, 0.9, 1.5, 2.0, 2.4, 2.7, 3.0)  # by resources of one colour
TILE: Final = (0.0, 0.8, 1.5, 2.1, 2.6, 3.0, 3.3, 3.5)  # by tiles in the reserve
BUILT: Final = 1.5  # a tile on the pyramid: it summons, and carries others
BUILDING: Final = 3.0
WEAPON: Final = 0.5
STEP: Final = 0.7  # on Might
LYING: Final = 0.7  # a worker that counts twice
ROLE: Final = 1.5

KATUN: Final = 5.0  # rounds between two celebrations
STRENGTH: Final = 0.8  # of a god that can be summoned in the city
YIELD: Final = 0.6  # a resource that can be produced there
CITY: Final = 0.5  # the share of the best city that a ruler's region is worth
RIGHT: Final = 0.01  # a stronger card in the conflicts


def candidates(legal: list[int]) -> list[int]:
    """Leave trades and the Queen out where something else can be answered."""
    return [action for action in legal if action < actions.QUEEN] or legal


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen; what to build is part of building."""
    first = legal[0]
    return first >= actions.PRODUCE_AT or actions.NO_SUMMON < first < actions.SWAP


def value(state: AhauState, seat: int) -> float:
    """Price what the seat has, in Fame."""
    row = state.actors[seat]
    fame = row[columns.FAME]
    if not state.frames:
        return fame
    early = row[columns.POOL] / tables.START_WORKERS
    celebrated = markers(state, seat) + majorities(state, seat)
    return fame + celebrated + early * holdings(state, seat) + outlook(state, seat)


def holdings(state: AhauState, seat: int) -> float:
    """Price what can be used later."""
    row = state.actors[seat]
    goods = row[columns.RESOURCES : columns.RESOURCES + columns.COLOURS]
    pyramid = row[columns.PYRAMID : columns.PYRAMID + columns.SPACES]
    buildings = row[columns.BUILDINGS : columns.BUILDINGS + columns.BUILDING_SPACES]
    return (
        sum(RESOURCE[min(count, len(RESOURCE) - 1)] for count in goods)
        + TILE[min(len(state.reserve(seat)), len(TILE) - 1)]
        + BUILT * (columns.SPACES - pyramid.count(0))
        + BUILDING * (columns.BUILDING_SPACES - buildings.count(0))
        + WEAPON * row[columns.WEAPONS]
        + STEP * row[columns.STEP]
        + LYING * sum(row[columns.LYING : columns.LYING + columns.CITIES])
        + ROLE * bool(row[columns.ROLE_ORDER])
    )


def markers(state: AhauState, seat: int) -> int:
    """Return what the seat's markers would score if the K'atun ended now."""
    personal = state.table[columns.PERSONAL] or state.table[columns.MODE] == columns.FAMILY
    scorers = [seat] if personal else range(state.seats)
    spaces = columns.MARKER_SPACES
    return sum(
        max(metrics.metric(state, actor, state.scoring[god]) for actor in scorers)
        for god in range(columns.GODS)
        if seat in state.temples[spaces * god : spaces * god + spaces]
    )


def majorities(state: AhauState, seat: int) -> float:
    """Return what the cities bring the seat in all celebrations to come if no worker moves."""
    pool = state.actors[seat][columns.POOL]
    celebrations = 1 + min(tables.KATUNS - state.table[columns.KATUN], pool / KATUN)
    fame = 0.0
    for city in range(columns.CITIES):
        counts = [people.count_in(row, city) for row in state.actors]
        if counts[seat] and counts[seat] == max(counts):
            fame += tables.MAJORITY_FAME if counts.count(counts[seat]) == 1 else tables.TIE_FAME
    return fame * celebrations


def outlook(state: AhauState, seat: int) -> float:
    """Price the prospects of the turn: in a region, in a city before a god is summoned, and after that."""
    row = state.actors[seat]
    if state.answers[seat]:
        left, right = actions.CARD_PAIRS[state.answers[seat] - actions.SELECT]
        return region(state, seat, people.number(left)) + RIGHT * people.number(right)
    if state.table[columns.TURN] == seat:
        kind, city = state.frames[-1].kind, state.table[columns.TURN_CITY]
        gods = god(state, seat, city) if kind == SUMMON_QUESTION else 0.0
        return gods + (harvest(state, seat, city) if kind in (SUMMON_QUESTION, MAIN_QUESTION) else 0.0)
    return region(state, seat, row[columns.RULER]) if row[columns.PLAYED] else 0.0


def region(state: AhauState, seat: int, number: int) -> float:
    """Price a region by its best city, and by how many of its cities lack a worker for its building."""
    cities = people.cities_of(state, number)
    row = state.actors[seat]
    best = max(god(state, seat, city) + harvest(state, seat, city) for city in cities)
    missing = sum(1 for city in cities if not people.count_in(row, city))
    return CITY * best + BUILDING / (1 + missing)


def god(state: AhauState, seat: int, city: int) -> float:
    """Price the summoning of a city's god by its strength."""
    number = state.gods[city]
    strength = summon.built_tiles(state.actors[seat], number)[0] + len(summon.discardable(state, seat, number))
    return STRENGTH * strength


def harvest(state: AhauState, seat: int, city: int) -> float:
    """Price the best production at a city."""
    row = state.actors[seat]
    yields = [produce.count_at(row, link) for link in people.TOUCHING[city] if state.sites[link]]
    return YIELD * max(yields, default=0)
