"""The measures that bots compare seats by."""

from collections.abc import Sequence
from typing import Final

PLACES: Final = 20.0
"""As many points in the lead are worth as much as going from the last place to the first."""


def lead(amounts: Sequence[float], seat: int) -> float:
    """Return how much more a seat has than the mean of the others; alone, what it has."""
    others = max(1, len(amounts) - 1)
    return amounts[seat] - (sum(amounts) - amounts[seat]) / others


def worth_at_end(scores: Sequence[float], returns: Sequence[float], seat: int) -> float:
    """Return what the end of a match is worth to a seat, in points: its lead, and its place."""
    return lead(scores, seat) + PLACES / 2 * returns[seat]
