"""What people ask of ratings with a covariance: who is first, who is really ahead, which rank might be whose."""

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, logsumexp, ndtr

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, pairs_of
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA

DRAWS: Final = 2000
STAKES: Final = (0.2, 0.5, 1.0, 1.5, 1.9)
"""What is bet of the wealth on a lead of one duel, in equal parts; less than 2, so that it never is negative."""
RISK: Final = 0.05
"""How likely any range of ranks is wrong at any time."""
_NONE: Final = np.zeros(0, np.int64)
LEAD: Final = BETA / 2
"""The typical size of a lead, in rating points. Others take longer to be known, but wrong ones are not likelier."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """For each entrant the best and the worst rank that it may have, see `ranks`, and how likely it is the best."""

    first: Integers
    last: Integers
    best: Floats
    ahead: NDArray[np.bool_]
    """Whether there is enough evidence that the entrant of the row is stronger than that of the column."""


def placed_above(difference: float, model: TrueSkill) -> float:
    """Return how often the stronger of two is placed above the weaker, a tie counting half, 0 to 1."""
    return float(ndtr(difference / model.spread))


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


def ranks(rating: Floats, covariance: Floats, tables: Tables) -> Ranks:
    """Return which ranks results leave open, and how likely each entrant is the best, from 0 to 1.

    An entrant is behind all those for which there is enough evidence that they are stronger: in their ratings
    (`log_evidence`), or in the duels of the two (`ahead_in_duels`). Every pair takes an equal part of the risk and each
    kind of evidence half of that, so all ranges together hold with 95 % confidence, however often one looks.
    """
    count = rating.size
    needed = log(max(1.0, count * (count - 1)) / RISK)
    everyone = np.arange(count)
    ahead = np.array([log_evidence(rating, covariance, one, everyone) >= needed for one in range(count)])
    ahead |= ahead_in_duels(tables, ~(ahead | ahead.T), needed) & (rating[:, None] > rating)
    return Ranks(1 + ahead.sum(axis=0), count - ahead.sum(axis=1), _best(rating, covariance), ahead)


def ahead_in_duels(tables: Tables, asked: NDArray[np.bool_], needed: float) -> NDArray[np.bool_]:
    """Return which entrants, by row, win more than half of their duels with others, by the evidence of their blocks.

    Where one always wins, ratings never say how far ahead it is. But bets on its share of each block grow: without a
    lead the mean wealth is 1 at most at any time (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
    variables by betting"). `asked` has the pairs that are looked at, symmetric, and `needed` is the logarithm of the
    wealth. Blocks count in which the two sat both ways round, as seats may be unequal.
    """
    n, found = tables.entrants, np.zeros(asked.shape, np.bool_)
    cells, wins, firsts = [_NONE], [np.zeros(0)], [np.zeros(0)]
    for pairs in pairs_of(tables):
        one, other = tables.entrant[pairs.above], tables.entrant[pairs.below]
        is_first = (one < other) == (tables.seat[pairs.above] < tables.seat[pairs.below])
        pair = np.minimum(one, other) * n + np.maximum(one, other)
        chosen = asked.ravel()[pair]
        cells.append((pair * tables.blocks + tables.block[pairs.table])[chosen])
        wins.append(np.where(pairs.tied, 0.5, one < other)[chosen])
        firsts.append(is_first[chosen].astype(np.float64))
    cell, inverse = np.unique(np.concatenate(cells), return_inverse=True)
    size = np.bincount(inverse, minlength=cell.size)
    first = np.bincount(inverse, np.concatenate(firsts), cell.size)
    counts = ((first > 0) & (first < size)) | (tables.seats == 1)
    pair, owner = np.unique(cell[counts] // tables.blocks, return_inverse=True)
    lead = (np.bincount(inverse, np.concatenate(wins), cell.size) / size)[counts] - 0.5
    for sign, row, column in ((1, pair // n, pair % n), (-1, pair % n, pair // n)):
        wealth = [np.bincount(owner, np.log1p(stake * sign * lead), pair.size) for stake in STAKES]
        found[row, column] = logsumexp(wealth, axis=0) - log(len(STAKES)) >= needed
    return found


@one_thread
def _best(rating: Floats, covariance: Floats) -> Floats:
    """Draw the true strengths from what is known of them, and count how often each entrant is the best.

    The draws are the same in every run and follow the order of ratings, so they do not depend on names.
    """
    count = rating.size
    order = np.lexsort((np.diag(covariance), -rating))
    jitter = 1e-9 * max(float(np.trace(covariance)) / count, 1e-12)
    root = np.linalg.cholesky(covariance[np.ix_(order, order)] + jitter * np.eye(count))
    drawn = np.random.default_rng(1).standard_normal((DRAWS, count)) @ root.T + rating[order]
    best = np.empty(count)
    best[order] = np.bincount(drawn.argmax(axis=1), minlength=count) / DRAWS
    return best
