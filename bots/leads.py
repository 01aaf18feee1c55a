"""The measure that bots compare seats by."""

from collections.abc import Sequence


def lead(amounts: Sequence[float], seat: int) -> float:
    """Return how much more a seat has than the mean of the others; alone, what it has."""
    others = max(1, len(amounts) - 1)
    return amounts[seat] - (sum(amounts) - amounts[seat]) / others
