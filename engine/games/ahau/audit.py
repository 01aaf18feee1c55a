"""The conservation laws of the game: what no action may create or destroy (RULES §1)."""

from typing import Final

from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.building.buildings import Replace
from ballcourt.engine.games.ahau.state import AhauState

FIVE: Final = 5
"""The number of players that uses all tiles."""


def violations(state: AhauState) -> list[str]:
    """List the conservation laws that a position breaks, one sentence each."""
    return [*_people(state), *_pyramids(state), *_tiles(state), *_buildings(state), *_sites(state), *_marks(state)]


def open_tiles(state: AhauState) -> list[int]:
    """List the pyramid tiles that all players can see, including the start tiles in the box."""
    regions = state.regions
    found = [
        regions[start + at.TILE + position]
        for start in range(0, len(regions), at.REGION_COLUMNS)
        for position in range(at.POSITIONS)
    ]
    found += [*state.tiles, *state.summaries]
    found += [tile for reserve in state.reserves() for tile in reserve]
    found += [tile for row in state.actors for tile in row[at.PYRAMID : at.PYRAMID + at.SPACES]]
    found += [tile for tile in range(tables.FIRST_BASE_TILE) if state.table[at.BOXED_TILES] >> tile & 1]
    return [tile for tile in found if tile]


def open_buildings(state: AhauState) -> list[int]:
    """List the buildings that all players can see, including those out of the game."""
    regions = state.regions
    found = [regions[start + at.BUILDING] for start in range(0, len(regions), at.REGION_COLUMNS)]
    found += [*state.offer, *state.buildings]
    found += [building for row in state.actors for building in row[at.BUILDINGS : at.BUILDINGS + at.BUILDING_SPACES]]
    found += [building for building in range(tables.BUILDING_TILES) if state.table[at.BOXED_BUILDINGS] >> building & 1]
    found += [frame.building for frame in state.frames if isinstance(frame, Replace)]
    return [building for building in found if building]


def tiles_in_game(seats: int) -> list[int]:
    """List the pyramid tiles in play at this number of seats, including the start tiles (§2.2)."""
    return list(range(1, tables.TILES if seats == FIVE else tables.FIRST_FIVE_TILE))


def buildings_in_game(seats: int, mode: int) -> list[int]:
    """List the buildings in play in this mode (§2.3, §14.2); the solo game lacks the Royal Palace (§15.1)."""
    if mode == at.FAMILY:
        return []
    return [
        building
        for building in range(1, tables.BUILDING_TILES)
        if (seats == FIVE or building not in tables.FIVE_PLAYER_BUILDINGS)
        and not (mode == at.SOLO and building == tables.ROYAL_PALACE_TILE)
    ]


def _people(state: AhauState) -> list[str]:
    broken = []
    for actor, row in enumerate(state.actors):
        standing = sum(row[at.STANDING : at.STANDING + at.CITIES])
        lying = sum(row[at.LYING : at.LYING + at.CITIES])
        if row[at.POOL] + standing + lying != tables.START_WORKERS:
            broken.append(
                f"actor {actor} has {row[at.POOL]} + {standing} + {lying} workers instead of {tables.START_WORKERS}"
            )
        counted = [
            *row[at.STANDING : at.STANDING + 2 * at.CITIES],
            *row[at.RESOURCES : at.RESOURCES + at.COLOURS],
            row[at.POOL],
            row[at.FAME],
        ]
        if min(counted) < 0:
            broken.append(f"actor {actor} has a negative count: {counted}")
        if not 0 <= row[at.WEAPONS] <= tables.MAX_WEAPONS or not 0 <= row[at.STEP] <= tables.TOP_STEP:
            broken.append(f"actor {actor} has {row[at.WEAPONS]} weapons and stands on Might step {row[at.STEP]}")
        if row[at.PLAYED] & row[at.DISCARD]:
            broken.append(f"actor {actor} has a card both on the table and discarded")
        if actor < state.seats and (row[at.PLAYED] | row[at.DISCARD]) & ~_cards(state, actor):
            broken.append(f"seat {actor} has played a card it does not own")
    return broken


def _cards(state: AhauState, seat: int) -> int:
    role = state.roles[seat]
    return at.REGION_CARDS | (1 << role if role else 0)


def _pyramids(state: AhauState) -> list[str]:
    return [
        f"actor {actor} has a tile on space {space} that nothing supports"
        for actor, row in enumerate(state.actors)
        for space in range(at.SPACES)
        if row[at.PYRAMID + space] and not all(row[at.PYRAMID + below] for below in tables.BELOW[space])
    ]


def _tiles(state: AhauState) -> list[str]:
    found = sorted([*open_tiles(state), *state.bag[: state.table[at.BAG]]])
    return [] if found == tiles_in_game(state.seats) else [f"the pyramid tiles are {found}"]


def _buildings(state: AhauState) -> list[str]:
    found = sorted([*open_buildings(state), *state.stack[: state.table[at.STACK]]])
    return [] if found == buildings_in_game(state.seats, state.table[at.MODE]) else [f"the buildings are {found}"]


def _sites(state: AhauState) -> list[str]:
    found = sorted([*(site for site in state.sites if site), *state.calendar])
    return [] if found == list(range(1, len(tables.SITE_COLOUR))) else [f"the production sites are {found}"]


def _marks(state: AhauState) -> list[str]:
    """Check that an actor is on Might once and at a Temple at most once, and that Role cards are dealt once."""
    broken = []
    if sorted(state.might) != list(range(len(state.actors))):
        broken.append(f"the markers on Might belong to {state.might}")
    steps = [state.actors[actor][at.STEP] for actor in state.might]
    if steps != sorted(steps):
        broken.append(f"the markers on Might are not in order: {steps}")
    for god in range(at.GODS):
        marks = [
            mark for mark in state.temples[at.MARKER_SPACES * god : at.MARKER_SPACES * (god + 1)] if mark != at.NONE
        ]
        if len(set(marks)) != len(marks):
            broken.append(f"an actor has two markers at Temple {god}: {marks}")
    broken += _roles(state)
    if not 1 <= state.table[at.KATUN] <= tables.KATUNS or len(state.role_deck) < state.table[at.ROLE_DECK]:
        broken.append(f"it is K'atun {state.table[at.KATUN]} with {state.table[at.ROLE_DECK]} Role cards in the deck")
    automata = [row[at.PERSONALITY] != at.NONE for row in state.actors]
    if (
        automata != [actor >= state.seats for actor in range(len(state.actors))]
        or len(state.deck) < state.table[at.DECK]
    ):
        broken.append("the automaton is not the last actor, or its deck is short")
    return broken


def _roles(state: AhauState) -> list[str]:
    """Check that Role cards are dealt once, and that what a seat left in the deck is there or was taken later."""
    order = [row[at.ROLE_ORDER] for row in state.actors[: state.seats]]
    takers = sorted([seat for seat in range(state.seats) if order[seat]], key=lambda seat: order[seat])
    taken = [state.roles[seat] for seat in takers]
    if [order[seat] for seat in takers] != list(range(1, len(takers) + 1)) or len({*taken, 0}) != len(taken) + 1:
        return [f"the Role cards {state.roles} disagree with the order in which seats have taken one, {order}"]
    broken = []
    for place, seat in enumerate(takers):
        left = [at.ROLE + role for role in state.role_deck[: state.table[at.ROLE_DECK]]] + taken[place + 1 :]
        if state.known[seat] and state.known[seat] != sum([1 << role - at.ROLE for role in left]):
            broken.append(f"seat {seat} left other Role cards in the deck than were there or taken later: {left}")
    return broken
