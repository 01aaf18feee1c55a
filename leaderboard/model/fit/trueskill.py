"""The model of play that every fit shares, and the truncated normal distribution it needs."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from scipy.special import erfcx

from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.scale import BETA, MU, SIGMA

_EDGE = 1e-10
_ROOT_HALF = sqrt(0.5)
_V_SCALE = sqrt(2 / np.pi)
_REACH: Final = 8
_PER_UNIT: Final = 256
"""Knots of the interpolation, in each unit."""


@dataclass(frozen=True, slots=True)
class TrueSkill:
    """TrueSkill's model. In a match a seat performs like a normal variable around the sum of skill and seat effect.

    The better performance is placed above; a difference below the margin is a tie. All values are in rating points.
    """

    mean: float = MU
    """Prior mean of a skill."""
    sigma: float | Floats = SIGMA
    """Prior standard deviation of a skill; of each entrant's, if more is known of some."""
    lead: float | Floats = 0.0
    """By how much the prior mean of each entrant's skill is above `mean`."""
    beta: float = BETA
    """Standard deviation of a performance around its mean."""
    seat_sigma: float = BETA
    """How the effect of a seat is distributed before: like a normal variable of this deviation where it is small, but
    strong effects are as likely as in a Cauchy distribution."""
    tie_rate: float = 0.02
    """Prior share of ties between two equal entrants."""
    tie_pairs: float = 2.0
    """Number of pairs that the prior share of ties weighs as much as."""

    @property
    def spread(self) -> float:
        """Standard deviation of the difference of two performances."""
        return sqrt(2) * self.beta


def truncated_above(x: Floats) -> tuple[Floats, Floats]:
    """Return v and w of a standard normal variable shifted by `x` and known to be positive.

    `v` is the shift of its mean, `1 - w` the factor of its variance; also the first and the negative second derivative
    of log Phi at `x`. Fits spend most of their time here, so up to ±8 `v` is interpolated, to 12 digits.
    """
    place = (x + _REACH) * _PER_UNIT
    cell = np.clip(place, 0, len(_CUBICS[0]) - 1).astype(np.int64)
    place -= cell
    v: Floats = _CUBICS[-1].take(cell)
    for coefficients in _CUBICS[-2::-1]:
        v *= place
        v += coefficients.take(cell)
    if max(x.max(initial=0.0), -x.min(initial=0.0)) > _REACH:
        far = np.abs(x) > _REACH
        v[far] = _shift(x[far])
    w = v + x
    w *= v
    return v, np.clip(w, _EDGE, 1 - _EDGE, out=w)


def _shift(x: Floats) -> Floats:
    """Return v of `truncated_above`."""
    return np.asarray(_V_SCALE / erfcx(-_ROOT_HALF * x), np.float64)


def _cubics() -> tuple[Floats, Floats, Floats, Floats]:
    """Return the coefficients, lowest first, of the cubic between each two knots that has v and its slope at both."""
    knots = np.arange(-_REACH * _PER_UNIT, _REACH * _PER_UNIT + 1) / _PER_UNIT
    v = _shift(knots)
    slope, rise = -v * (v + knots) / _PER_UNIT, np.diff(v)
    left, right = slope[:-1], slope[1:]
    return v[:-1], left, 3 * rise - 2 * left - right, left + right - 2 * rise


_CUBICS: Final = _cubics()


def truncated_between(shift: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Return v and w of a standard normal variable shifted by `shift` and known to be within ±`margin`."""
    size = np.abs(shift)
    upper, lower = margin - size, -margin - size
    ratio = np.exp(-2 * margin * size)  # of the densities at the two ends
    mass = (erfcx(-_ROOT_HALF * upper) - erfcx(-_ROOT_HALF * lower) * ratio) / _V_SCALE
    v = (ratio - 1) / mass
    w = v * v + (upper - lower * ratio) / mass
    return np.sign(shift) * v, np.clip(w, _EDGE, 1 - _EDGE)
