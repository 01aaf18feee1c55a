"""A test by betting, valid for any distribution of results, at any time, and however often one looks.

A gambler bets before each block that the new version will win more than its fair share of the duels. If it does not win
more in truth, the game is fair or worse, so the wealth exceeds 1 / alpha with probability alpha at most, ever (Ville's
inequality). This holds for rare and for skewed differences too, and when more blocks are played after a verdict.

The method is that of Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting".
"""

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STAKES: Final = np.array([0.7, 1.4, np.inf])
"""Bets in units of the one that would be best if the effect were as hoped; the last is the largest possible one."""
PURSES: Final = np.array([0.45, 0.45, 0.1])
"""The share of the initial wealth that goes into each kind of bet."""
LARGEST: Final = 0.98
"""The largest part of the wealth that is ever at risk."""
PRIOR_BLOCKS: Final = 4.0
PRIOR_VARIANCE: Final = 0.125
"""What the variance of a block is taken for before there are any: a typical one of two players."""

LEVEL: Final = 0.95
"""The confidence of the intervals that are shown."""
FIXED: Final = np.linspace(0.02, 0.98, 25)
"""Parts of the wealth that the bets behind an interval put at risk."""
EVEN_PURSES: Final = np.full(FIXED.size, 1 / FIXED.size)
TUNED: Final = 0.9
"""The part of the wealth that is bet for the width that an interval is to have, if one is asked for."""
HALVINGS: Final = 17
"""Steps towards an end of an interval, which leave it right to 1e-5."""


def log_wealth(shares: Floats, mean: float, hoped: float) -> Floats:
    """Return the logarithm of the wealth after each block of bets that the mean share is above `mean`.

    `shares` are from 0 to 1, the blocks along the last axis. The bets are the best ones for a mean of `hoped` and the
    variance of the blocks so far.
    """
    before = np.arange(shares.shape[-1])
    squares = (shares - (mean + hoped) / 2) ** 2
    seen = np.cumsum(squares, axis=-1) - squares
    variance = (PRIOR_BLOCKS * PRIOR_VARIANCE + seen) / (PRIOR_BLOCKS + before)
    bets = np.minimum(STAKES * ((hoped - mean) / variance)[..., None], LARGEST / mean)
    return _total(np.cumsum(np.log1p(bets * (shares - mean)[..., None]), axis=-2), PURSES)


def furthest(shares: Floats, mean: float, gap: float, risk: float) -> float:
    """Return the largest share that bets against it, for an effect of `gap` more, refute at this risk like `mean`."""
    low, high = mean, 1 - gap
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        refuted = bool((log_wealth(shares, middle, middle + gap) >= log(1 / risk)).any())
        low, high = (middle, high) if refuted else (low, middle)
    return low


def interval(shares: Floats, level: float = LEVEL, half_width: float | None = None) -> tuple[Floats, Floats]:
    """Return the ends of an interval for the mean share that holds it with probability `level` or more at any time.

    It consists of all means that bets in neither direction refute. With `half_width`, most of the wealth is bet as is
    best for an interval of that half width, which takes about 0.7 of the blocks until it is as narrow.
    """
    refuted = log(2 / (1 - level))
    return _lowest(shares, refuted, half_width), 1 - _lowest(1 - shares, refuted, half_width)


def _lowest(shares: Floats, refuted: float, half_width: float | None) -> Floats:
    """Return the largest mean that is refuted from above: the wealth falls with the mean, so halve towards it."""
    low, high = np.zeros(shares.shape[:-1]), np.ones(shares.shape[:-1])
    stakes = None if half_width is None else half_width / _variance(shares)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        logs = np.log1p(FIXED * (shares / middle[..., None] - 1)[..., None]).sum(axis=-2)
        purses = EVEN_PURSES
        if stakes is not None:
            bets = np.minimum(stakes, LARGEST / middle[..., None]) * (shares - middle[..., None])
            logs = np.concatenate([logs, np.log1p(bets).sum(axis=-1)[..., None]], axis=-1)
            purses = np.append((1 - TUNED) * EVEN_PURSES, TUNED)
        above = _total(logs, purses) >= refuted
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return low


def _variance(shares: Floats) -> Floats:
    """Return the variance of a block as the blocks before it show it, along the last axis."""
    weight = PRIOR_BLOCKS + np.arange(shares.shape[-1])
    mean = (PRIOR_BLOCKS / 2 + np.cumsum(shares, axis=-1) - shares) / weight
    squares = (shares - mean) ** 2
    found: Floats = (PRIOR_BLOCKS * PRIOR_VARIANCE + np.cumsum(squares, axis=-1) - squares) / weight
    return found


def _total(logs: Floats, purses: Floats) -> Floats:
    """Return the logarithm of the wealth in all purses, given how each has grown, as logarithms along the last axis."""
    most = logs.max(axis=-1, keepdims=True)
    found: Floats = np.log(np.exp(logs - most) @ purses) + most[..., 0]
    return found
