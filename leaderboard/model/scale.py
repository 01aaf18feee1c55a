"""The scale of ratings: TrueSkill's usual one."""

from math import sqrt
from statistics import NormalDist
from typing import Final

MU: Final = 25.0
"""The rating of a newcomer, and the mean of a field."""
SIGMA: Final = MU / 3
"""The standard deviation of what is known of a newcomer."""
BETA: Final = SIGMA / 2
"""The standard deviation of a performance in a match around the strength of the bot."""

RENEWED: Final = BETA
"""By how much other rules may change the strength of a bot, as a standard deviation."""

Z95: Final = 1.959964
"""Standard errors to each side that hold 95 % of a normal distribution."""
REACH: Final = 2.0
"""In standard deviations of the margin between two seats, the one from which on more points do not count."""


class Estimated:
    """A rating and its standard error, in rating points."""

    __slots__ = ()
    rating: float
    sigma: float

    @property
    def low(self) -> float:
        """Lower end of the rating's 95 % interval."""
        return self.rating - Z95 * self.sigma

    @property
    def high(self) -> float:
        """Upper end of the rating's 95 % interval."""
        return self.rating + Z95 * self.sigma


def lead_for(share: float) -> float:
    """Return the difference in rating at which the stronger is placed above this share of the time, from 0 to 1."""
    return sqrt(2) * BETA * NormalDist().inv_cdf(share)
