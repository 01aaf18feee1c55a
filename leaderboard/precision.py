"""How precisely results tell strengths apart, as far as that follows from the number of meetings alone."""

from math import sqrt
from typing import Final

from ballcourt.leaderboard.scale import BETA, SIGMA, Z95

INFORMATION: Final = 0.48
"""What a meeting of two bots says about their difference, in units of 1 / (2 beta^2): the mean of
phi(x)^2 / (Phi(x) Phi(-x)) over x ~ N(0, 1), which is a field whose strengths have a standard deviation of beta."""


def expected_half_width(variance: float, seats: int) -> float:
    """Return by how much a rating may be off in either direction, with 95 % confidence, in rating points.

    `variance` is the mean variance of a rating in units of what one meeting leaves. The bots are taken to differ by as
    much as two performances of one bot do, which is common.
    """
    weight = 2 / seats  # of a pair in the pairs model: see leaderboard/README.md
    known = weight * INFORMATION / (2 * BETA**2 * variance)
    return Z95 / sqrt(known + SIGMA**-2)
