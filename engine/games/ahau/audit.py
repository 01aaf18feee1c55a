"""The conservation laws of the game: what no action may create or destroy (RULES §1)."""

from typing import Final

from ballcourt.engine.games.ahau.building.buildings import Replace
from ballcourt.engine.games.ahau.columns import (
    BAG,
    BOXED_BUILDINGS,
    BOXED_TILES,
    BUILDING,
    BUILDING_SPACES,
    BUILDINGS,
    CITIES,
    COLOURS,
    DECK,
    DISCARD,
    FAME,
    FAMILY,
    GODS,
    KATUN,
    LYING,
    MARKER_SPACES,
    MODE,
    NONE,
    PERSONALITY,
    PLAYED,
    POOL,
    POSITIONS,
    PYRAMID,
    REGION_CARDS,
    REGION_COLUMNS,
    RESOURCES,
    ROLE_DECK,
    ROLE_TAKEN,
    SOLO,
    SPACES,
    STACK,
    STANDING,
    STEP,
    TILE,
    WEAPONS,
)
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    BELOW,
    BUILDING_TILES,
    FIRST_BASE_TILE,
    FIRST_FIVE_TILE,
    FIVE_PLAYER_BUILDINGS,
    KATUNS,
    MAX_WEAPONS,
    ROYAL_PALACE_TILE,
    SITE_COLOUR,
    START_WORKERS,
    TILES,
    TOP_STEP,
)

FIVE: Final = 5
"""The number of players that uses all tiles."""


def violations(state: AhauState) -> list[str]:
    """List the conservation laws that a position breaks, one sentence each."""
    return [*_people(state), *_pyramids(state), *_tiles(state), *_buildings(state), *_sites(state), *_marks(state)]


def open_tiles(state: AhauState) -> list[int]:
    """List the pyramid tiles that all players can see, including the start tiles in the box."""
    regions = state.regions
    found = [
        regions[at + TILE + position] for at in range(0, len(regions), REGION_COLUMNS) for position in range(POSITIONS)
    ]
    found += [*state.tiles, *state.summaries]
    found += [tile for reserve in state.reserves() for tile in reserve]
    found += [tile for row in state.actors for tile in row[PYRAMID : PYRAMID + SPACES]]
    found += [tile for tile in range(FIRST_BASE_TILE) if state.table[BOXED_TILES] >> tile & 1]
    return [tile for tile in found if tile]


def open_buildings(state: AhauState) -> list[int]:
    """List the buildings that all players can see, including those out of the game."""
    regions = state.regions
    found = [regions[at + BUILDING] for at in range(0, len(regions), REGION_COLUMNS)]
    found += [*state.offer, *state.buildings]
    found += [building for row in state.actors for building in row[BUILDINGS : BUILDINGS + BUILDING_SPACES]]
    found += [building for building in range(BUILDING_TILES) if state.table[BOXED_BUILDINGS] >> building & 1]
    found += [frame.building for frame in state.frames if isinstance(frame, Replace)]
    return [building for building in found if building]


def tiles_in_game(seats: int) -> list[int]:
    """List the pyramid tiles in play at this number of seats, including the start tiles (§2.2)."""
    return list(range(1, TILES if seats == FIVE else FIRST_FIVE_TILE))


def buildings_in_game(seats: int, mode: int) -> list[int]:
    """List the buildings in play in this mode (§2.3, §14.2); the solo game lacks the Royal Palace (§15.1)."""
    if mode == FAMILY:
        return []
    return [
        building
        for building in range(1, BUILDING_TILES)
        if (seats == FIVE or building not in FIVE_PLAYER_BUILDINGS)
        and not (mode == SOLO and building == ROYAL_PALACE_TILE)
    ]


def _people(state: AhauState) -> list[str]:
    broken = []
    for actor, row in enumerate(state.actors):
        standing = sum(row[STANDING : STANDING + CITIES])
        lying = sum(row[LYING : LYING + CITIES])
        if row[POOL] + standing + lying != START_WORKERS:
            broken.append(f"actor {actor} has {row[POOL]} + {standing} + {lying} workers instead of {START_WORKERS}")
        counted = [*row[STANDING : STANDING + 2 * CITIES], *row[RESOURCES : RESOURCES + COLOURS], row[POOL], row[FAME]]
        if min(counted) < 0:
            broken.append(f"actor {actor} has a negative count: {counted}")
        if not 0 <= row[WEAPONS] <= MAX_WEAPONS or not 0 <= row[STEP] <= TOP_STEP:
            broken.append(f"actor {actor} has {row[WEAPONS]} weapons and stands on Might step {row[STEP]}")
        if row[PLAYED] & row[DISCARD]:
            broken.append(f"actor {actor} has a card both on the table and discarded")
        if actor < state.seats and (row[PLAYED] | row[DISCARD]) & ~_cards(state, actor):
            broken.append(f"seat {actor} has played a card it does not own")
    return broken


def _cards(state: AhauState, seat: int) -> int:
    role = state.roles[seat]
    return REGION_CARDS | (1 << role if role else 0)


def _pyramids(state: AhauState) -> list[str]:
    return [
        f"actor {actor} has a tile on space {space} that nothing supports"
        for actor, row in enumerate(state.actors)
        for space in range(SPACES)
        if row[PYRAMID + space] and not all(row[PYRAMID + below] for below in BELOW[space])
    ]


def _tiles(state: AhauState) -> list[str]:
    found = sorted([*open_tiles(state), *state.bag[: state.table[BAG]]])
    return [] if found == tiles_in_game(state.seats) else [f"the pyramid tiles are {found}"]


def _buildings(state: AhauState) -> list[str]:
    found = sorted([*open_buildings(state), *state.stack[: state.table[STACK]]])
    return [] if found == buildings_in_game(state.seats, state.table[MODE]) else [f"the buildings are {found}"]


def _sites(state: AhauState) -> list[str]:
    found = sorted([*(site for site in state.sites if site), *state.calendar])
    return [] if found == list(range(1, len(SITE_COLOUR))) else [f"the production sites are {found}"]


def _marks(state: AhauState) -> list[str]:
    """Check that an actor is on Might once and at a Temple at most once, and that Role cards are dealt once."""
    broken = []
    if sorted(state.might) != list(range(len(state.actors))):
        broken.append(f"the markers on Might belong to {state.might}")
    steps = [state.actors[actor][STEP] for actor in state.might]
    if steps != sorted(steps):
        broken.append(f"the markers on Might are not in order: {steps}")
    for god in range(GODS):
        marks = [mark for mark in state.temples[MARKER_SPACES * god : MARKER_SPACES * (god + 1)] if mark != NONE]
        if len(set(marks)) != len(marks):
            broken.append(f"an actor has two markers at Temple {god}: {marks}")
    taken = [role for role in state.roles if role]
    if len(taken) != sum(row[ROLE_TAKEN] for row in state.actors[: state.seats]) or len(set(taken)) != len(taken):
        broken.append(f"the Role cards {taken} disagree with the seats that have taken one")
    if not 1 <= state.table[KATUN] <= KATUNS or len(state.role_deck) < state.table[ROLE_DECK]:
        broken.append(f"it is K'atun {state.table[KATUN]} with {state.table[ROLE_DECK]} Role cards in the deck")
    automata = [row[PERSONALITY] != NONE for row in state.actors]
    if automata != [actor >= state.seats for actor in range(len(state.actors))] or len(state.deck) < state.table[DECK]:
        broken.append("the automaton is not the last actor, or its deck is short")
    return broken
