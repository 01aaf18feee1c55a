"""Checks of a match as a whole."""

from collections.abc import Iterator

from ballcourt.engine.conformance.walk import Walk
from ballcourt.engine.core.state import digest


def ends(walk: Walk) -> Iterator[str]:
    """Check that the walk reached the end of the match."""
    walk.at = len(walk.decisions)
    if walk.trouble:
        yield walk.trouble


def repeats(walk: Walk) -> Iterator[str]:
    """Check that a replay of the match passes through the same positions."""
    chain = b""
    for state in walk.positions():
        chain = digest(state, chain)
        if chain != walk.digests[walk.at]:
            yield "the same seed and actions led to a different position"
            return
