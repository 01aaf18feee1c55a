"""What people ask of ratings with a covariance: who is first, who is really ahead, which rank might be whose."""

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from scipy.special import log_ndtr, ndtr

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA, Z95

DRAWS: Final = 2000
LEAD: Final = BETA / 2
"""The typical size of a lead, in rating points. Others take longer to be known, but wrong ones are not likelier."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """For each entrant the best and the worst rank in 95 % of the draws, and how often it was the best, 0 to 1."""

    first: Integers
    last: Integers
    best: Floats


def placed_above(difference: float, model: TrueSkill) -> float:
    """Return how often the stronger of two is placed above the weaker, a tie counting half, 0 to 1."""
    return float(ndtr(difference / model.spread))


def separated(rating: Floats, covariance: Floats, one: int, other: int) -> bool:
    """Whether the 95 % interval of the difference of two ratings excludes zero."""
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    return bool(abs(rating[one] - rating[other]) > Z95 * sqrt(max(float(variance), 0.0)))


def log_evidence(rating: Floats, covariance: Floats, one: int, others: Integers) -> Floats:
    """Return the logarithm of the evidence that an entrant is stronger than each of some others, at any time.

    It is a likelihood ratio: how much better the difference of two ratings is explained by a lead from a half-normal
    distribution than by none. While there is none, or one of the other, its mean is at most 1; so it ever exceeds
    1 / alpha with a probability of at most alpha, however often one looks (H. Robbins, "Statistical methods related to
    the law of the iterated logarithm", 1970). That is exact if estimates are normal with known errors.
    """
    variance = covariance[one, one] + covariance[others, others] - 2 * covariance[one, others]
    error = np.sqrt(np.maximum(variance, 1e-12))
    ratio = (LEAD / error) ** 2
    z, share = (rating[one] - rating[others]) / error, ratio / (1 + ratio)
    return np.asarray(log(2) + log_ndtr(z * np.sqrt(share)) + z * z * share / 2 - np.log1p(ratio) / 2)


def groups_in(fit: PairFit) -> int:
    """Count the groups of entrants that no chain of comparisons connects."""
    from scipy.sparse.csgraph import connected_components  # takes longer to import than many tables take to fit

    met = fit.curvature[: fit.skill.size, : fit.skill.size] != 0
    return int(connected_components(met, directed=False, return_labels=False))


@one_thread
def ranks(rating: Floats, covariance: Floats) -> Ranks:
    """Draw the true strengths from what is known of them, and count ranks.

    The draws are the same in every run and follow the order of ratings, so they do not depend on names.
    """
    count = rating.size
    order = np.lexsort((np.diag(covariance), -rating))
    jitter = 1e-9 * max(float(np.trace(covariance)) / count, 1e-12)
    root = np.linalg.cholesky(covariance[np.ix_(order, order)] + jitter * np.eye(count))
    drawn = np.random.default_rng(1).standard_normal((DRAWS, count)) @ root.T + rating[order]
    by_draw = np.empty(drawn.shape, np.int32)
    np.put_along_axis(by_draw, np.argsort(-drawn, axis=1), np.arange(1, count + 1, dtype=np.int32)[None], axis=1)
    low, high = np.quantile(by_draw, [0.025, 0.975], axis=0, method="nearest")
    first, last = np.empty(count, np.int64), np.empty(count, np.int64)
    best = np.empty(count)
    first[order], last[order], best[order] = low, high, (by_draw == 1).mean(axis=0)
    return Ranks(first, last, best)
