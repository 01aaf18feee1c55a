"""Bag, stacks and discard piles (RULES §1, §10.3)."""

from ballcourt.engine.games.ahau.columns import (
    ACTOR_COLUMNS,
    BAG,
    BOXED_BUILDINGS,
    BUILDING,
    POSITIONS,
    REGION_COLUMNS,
    STACK,
    TILE,
)
from ballcourt.engine.games.ahau.state import BUILDING_DRAW, TILE_DRAW, AhauState, replaced


def add_tile(state: AhauState, actor: int, tile: int) -> None:
    """Add a tile to a reserve, which stays in ascending order."""
    state.changing(actor)[ACTOR_COLUMNS:] = sorted([*state.reserve(actor), tile])


def drop_tile(state: AhauState, actor: int, tile: int) -> None:
    """Remove a tile from a reserve."""
    row = state.changing(actor)
    del row[row.index(tile, ACTOR_COLUMNS)]


def discard_tiles(state: AhauState, actor: int, tiles: list[int]) -> None:
    """Move tiles from a reserve to the discard pile."""
    for tile in tiles:
        drop_tile(state, actor, tile)
    state.tiles = [*state.tiles, *tiles]


def to_bag(state: AhauState, actor: int, tile: int) -> None:
    """Move a tile from a reserve to the bag, without shuffling it."""
    drop_tile(state, actor, tile)
    state.bag = [*state.bag[: state.table[BAG]], tile]
    state.table[BAG] += 1


def can_draw(state: AhauState) -> bool:
    """Return whether a tile can be drawn, if necessary after refilling the bag."""
    return bool(state.table[BAG] or state.tiles)


def draw_tile(state: AhauState) -> int:
    """Draw a tile, or return 0 if there is none; refill an empty bag with the discards first (§10.3)."""
    if not state.table[BAG]:
        if not state.tiles:
            return 0
        fill_bag(state, state.tiles)
        state.tiles = []
    state.table[BAG] -= 1
    return state.bag[state.table[BAG]]


def fill_bag(state: AhauState, added: list[int]) -> None:
    """Add tiles to the bag and shuffle it."""
    state.bag = state.shuffled(TILE_DRAW, [*state.bag[: state.table[BAG]], *added])[::-1]
    state.table[BAG] = len(state.bag)


def draw_to_reserve(state: AhauState, actor: int, count: int) -> None:
    """Draw up to `count` tiles into a reserve, as many as there are (§8.1)."""
    for _ in range(count):
        tile = draw_tile(state)
        if tile:
            add_tile(state, actor, tile)


def draw_building(state: AhauState) -> int:
    """Draw a building, or return 0 if there is none; reshuffle the discards into an empty stack first (§10.2)."""
    if not state.table[STACK]:
        if not state.buildings:
            return 0
        state.stack = state.shuffled(BUILDING_DRAW, state.buildings)[::-1]
        state.table[STACK] = len(state.stack)
        state.buildings = []
    state.table[STACK] -= 1
    return state.stack[state.table[STACK]]


def box_building(state: AhauState, building: int) -> None:
    """Remove a building from the game."""
    state.table[BOXED_BUILDINGS] |= 1 << building


def spots(state: AhauState, region: int) -> list[int]:
    """Return the pyramid tiles of a region by position, 0 for none."""
    first = REGION_COLUMNS * (region - 1) + TILE
    return state.regions[first : first + POSITIONS]


def tile_at(state: AhauState, region: int, position: int) -> int:
    """Return the pyramid tile of a region at a position, or 0."""
    return state.regions[REGION_COLUMNS * (region - 1) + TILE + position]


def take_tile_at(state: AhauState, region: int, position: int) -> int:
    """Remove the pyramid tile of a region at a position and return it."""
    at = REGION_COLUMNS * (region - 1) + TILE + position
    tile = state.regions[at]
    state.regions = replaced(state.regions, at, 0)
    return tile


def building_in(state: AhauState, region: int) -> int:
    """Return the building of a region, or 0."""
    return state.regions[REGION_COLUMNS * (region - 1) + BUILDING]


def take_building_in(state: AhauState, region: int) -> int:
    """Remove the building of a region and return it."""
    at = REGION_COLUMNS * (region - 1) + BUILDING
    building = state.regions[at]
    state.regions = replaced(state.regions, at, 0)
    return building
