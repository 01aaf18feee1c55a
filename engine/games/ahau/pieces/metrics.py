"""The values that God Scoring tiles count (RULES §11.1)."""

from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.columns import COLOURS, PYRAMID, RESOURCES, SPACES, STEP, WILD
from ballcourt.engine.games.ahau.pieces.people import counts
from ballcourt.engine.games.ahau.state import AhauState


def metric(state: AhauState, actor: int, tile: int) -> int:
    """Return the value of an actor on a God Scoring tile (R-18); King Pakal's resources have no colours (§15.13).

    The last tile counts the gods of the cities where the actor has a worker.
    """
    row = state.actors[actor]
    if tile == tables.SCORE_MIGHT:
        return row[STEP] // tables.STEPS_PER_POINT
    if tile == tables.SCORE_SYMBOLS:
        return len({tables.TILE_GOD[built] for built in row[PYRAMID : PYRAMID + SPACES] if built})
    if tile == tables.SCORE_RESERVE:
        return len({tables.TILE_COLOUR[kept] for kept in state.reserve(actor)} - {WILD})
    if tile == tables.SCORE_TEMPLES:
        return state.temples.count(actor)  # never two at a Temple
    if tile == tables.SCORE_RESOURCES:
        if actor >= state.seats:
            return row[RESOURCES] // tables.RESOURCES_PER_POINT
        return COLOURS - row[RESOURCES : RESOURCES + COLOURS].count(0)
    if tile == tables.SCORE_BUILDINGS:
        return state.buildings_built(actor)
    return len({god for god, workers in zip(state.gods, counts(row), strict=True) if workers})
