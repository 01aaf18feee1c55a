"""The values that God Scoring tiles count (RULES §11.1)."""

from ballcourt.engine.games.ahau.columns import CITIES, COLOURS, GODS, PYRAMID, RESOURCES, SPACES, STEP, WILD
from ballcourt.engine.games.ahau.pieces.people import count_in
from ballcourt.engine.games.ahau.pieces.temples import has_marker
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    RESOURCES_PER_POINT,
    SCORE_BUILDINGS,
    SCORE_MIGHT,
    SCORE_RESERVE,
    SCORE_RESOURCES,
    SCORE_SYMBOLS,
    SCORE_TEMPLES,
    STEPS_PER_POINT,
    TILE_COLOUR,
    TILE_GOD,
)


def metric(state: AhauState, actor: int, tile: int) -> int:
    """Return the value of an actor on a God Scoring tile (R-18); King Pakal's resources have no colours (§15.13).

    The last tile counts the gods of the cities where the actor has a worker.
    """
    row = state.actors[actor]
    if tile == SCORE_MIGHT:
        return row[STEP] // STEPS_PER_POINT
    if tile == SCORE_SYMBOLS:
        return len({TILE_GOD[built] for built in row[PYRAMID : PYRAMID + SPACES] if built})
    if tile == SCORE_RESERVE:
        return len({TILE_COLOUR[kept] for kept in state.reserves[actor]} - {WILD})
    if tile == SCORE_TEMPLES:
        return sum(1 for god in range(GODS) if has_marker(state, actor, god))
    if tile == SCORE_RESOURCES:
        if actor >= state.seats:
            return row[RESOURCES] // RESOURCES_PER_POINT
        return sum(1 for colour in range(COLOURS) if row[RESOURCES + colour])
    if tile == SCORE_BUILDINGS:
        return state.tiles_built(actor) - sum(1 for built in row[PYRAMID : PYRAMID + SPACES] if built)
    return len({state.gods[city] for city in range(CITIES) if count_in(row, city)})
