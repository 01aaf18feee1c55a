"""Markers at the Temples (RULES §5.4, §8.2)."""

from ballcourt.engine.games.ahau.columns import MARKER_SPACES, NONE
from ballcourt.engine.games.ahau.sources import MARKERS
from ballcourt.engine.games.ahau.state import AhauState, replaced
from ballcourt.engine.games.ahau.tables import MARKER_FAME


def markers_at(state: AhauState, god: int) -> list[int]:
    """Return the owners of the markers at a Temple by space, NONE for an empty one."""
    return state.temples[MARKER_SPACES * god : MARKER_SPACES * (god + 1)]


def marker_space(state: AhauState, god: int) -> int:
    """Return the leftmost empty space of a Temple, or NONE if it is full."""
    markers = markers_at(state, god)
    return markers.index(NONE) if NONE in markers else NONE


def has_marker(state: AhauState, actor: int, god: int) -> bool:
    """Return whether an actor has a marker at a Temple."""
    return actor in markers_at(state, god)


def marked_by(state: AhauState, actor: int) -> int:
    """Return the set of gods at whose Temples an actor has a marker."""
    gods = 0
    space = -1
    for _ in range(state.temples.count(actor)):
        space = state.temples.index(actor, space + 1)
        gods |= 1 << space // MARKER_SPACES
    return gods


def put_marker(state: AhauState, actor: int, god: int) -> None:
    """Put a marker on the leftmost empty space of a Temple and gain its Fame (§8.2)."""
    space = marker_space(state, god)
    state.temples = replaced(state.temples, MARKER_SPACES * god + space, actor)
    state.gain_fame(actor, MARKER_FAME[space], MARKERS)
