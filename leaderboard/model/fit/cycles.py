"""Rock, paper, scissors: what no ranking can show, and the mix of entrants that no entrant beats.

The pairs fit leaves of each pair of entrants a residual: by how much the one does better against the other than the
ratings say, in rating points. The cyclic share is the part of all differences between entrants that is residual,
weighted by what is known of each pair. Noise makes residuals too, so a residual is only ever multiplied by residuals
of other blocks: in a field without cycles the mean of the estimate is 0.

The decomposition is that of Jiang, Lim, Yao and Ye (2011), "Statistical ranking and combinatorial Hodge theory".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from scipy.special import ndtr

from ballcourt.leaderboard.model.fit.arrays import Floats, inverted
from ballcourt.leaderboard.model.fit.jackknife import Between
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.sums import laplacian
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.results import NotConverged

FEWEST_BLOCKS: Final = 200
"""With fewer blocks the estimate is mostly noise."""
NEWCOMERS: Final = 10
"""How many entrants join a mix at a time."""
NO_PRODUCTS: Final = 1e-9
"""The part of all products that counts as none."""
EVEN: Final = 1e-7
"""An advantage, as a difference of shares, that counts as none."""


@dataclass(frozen=True, slots=True)
class Cycles:
    """The cyclic share of a field and its standard error; by pair, how much better one does than the ratings say.

    `residual` is antisymmetric, in rating points, and shrunk by how little is known of a pair.
    """

    share: float
    error: float
    residual: Floats


@one_thread
def find_cycles(fit: PairFit, covariance: Floats, found: Sequence[Between], model: TrueSkill) -> Cycles | None:
    """Estimate the cyclic share; None with fewer than `FEWEST_BLOCKS` blocks or fewer than three entrants, or
    if no pair met in two blocks.

    `covariance` is that of the skills, `found` the derivatives of all blocks.
    """
    entrants = fit.skill.size
    if sum(len(one.members) for one in found) < FEWEST_BLOCKS or entrants < 3:
        return None
    pull, bend = _by_pair(entrants, found)
    ranking = laplacian(bend[None] / 2)[0]
    inverse = inverted(ranking + np.eye(entrants) / model.sigma**2)
    residual = _divided(pull, bend)
    total, influence = _across_blocks(found, residual, bend, inverse)
    ranked = float(fit.skill @ ranking @ fit.skill - np.sum(ranking * covariance))
    whole = max(ranked, 0.0) + max(total, 0.0)
    if whole == 0 or influence == 0:
        return None
    variance = max(total, 0.0) / (bend.sum() / 2)  # of a true residual
    return Cycles(total / whole, sqrt(influence) / whole, residual * variance * bend / (variance * bend + 1))


def maximal_lottery(fit: PairFit, cycles: Cycles, model: TrueSkill) -> Floats:
    """Return the mix of entrants, as shares, that is placed above any single entrant at least half of the time.

    It is mixed from few of them: beginning with the strongest, those that do best against the mix so far join, until
    none does better than even (the double oracle of McMahan, Gordon and Blum 2003). Raises NotConverged.
    """
    gap = fit.skill[:, None] - fit.skill + cycles.residual
    advantage = np.asarray(2 * ndtr(gap / model.spread) - 1, np.float64)
    shares = np.zeros(fit.skill.size)
    chosen = np.array([advantage.mean(axis=1).argmax()])
    while True:
        mix = _unbeaten(advantage[np.ix_(chosen, chosen)])
        against = advantage[:, chosen] @ mix
        against[chosen] = 0.0
        best = np.argsort(-against)[:NEWCOMERS]
        if not (joining := best[against[best] > EVEN]).size:
            shares[chosen] = mix
            return shares
        chosen = np.append(chosen, joining)


def _unbeaten(advantage: Floats) -> Floats:
    """Return an optimal strategy of a symmetric game of two players whose gains add up to zero."""
    if len(advantage) == 1:
        return np.ones(1)
    from scipy.optimize import linprog  # takes longer to import than most tables take to fit

    count = len(advantage)
    found = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=np.hstack([-advantage.T, np.ones((count, 1))]),
        b_ub=np.zeros(count),
        A_eq=np.append(np.ones(count), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    if not found.success:
        raise NotConverged("the mix of bots that none beats", int(found.nit))
    return np.asarray(found.x[:count], np.float64)


def _by_pair(count: int, found: Sequence[Between]) -> tuple[Floats, Floats]:
    """Sum first and negative second derivatives by pair of entrants: an antisymmetric and a symmetric matrix."""
    cells = np.concatenate([(one.members[:, :, None] * count + one.members[:, None, :]).ravel() for one in found])

    def summed(parts: list[Floats]) -> Floats:
        values = np.concatenate([part.ravel() for part in parts])
        return np.asarray(np.bincount(cells, values, count**2), np.float64).reshape(count, count)

    return summed([one.pull for one in found]), summed([one.bend for one in found])


def _across_blocks(found: Sequence[Between], residual: Floats, bend: Floats, inverse: Floats) -> tuple[float, float]:
    """Return the weighted sum of squared residuals without their noise, and the variance of that sum.

    It comes from products of residuals of different blocks. A pair that met in few blocks has few such products, so
    their sum is divided by the part of all products that they are. Both are 0 if no pair met twice.
    """
    net = (residual * bend).sum(axis=1)
    total = float((residual**2 * bend).sum() / 2 - net @ inverse @ net)
    slope = residual - ((inverse @ net)[:, None] - inverse @ net)
    influences, whole = [], float(bend.sum()) / 2
    across = whole
    for one in found:
        cells = one.members[:, :, None] * len(bend) + one.members[:, None, :]
        weight = bend.take(cells)
        own = _own_products(one, weight, inverse.take(cells))
        influences.append(2 * ((one.pull * slope.take(cells)).sum(axis=(1, 2)) / 2 - own))
        total -= float(own.sum())
        across -= float(_divided(one.bend**2, weight).sum()) / 2
    if across <= NO_PRODUCTS * whole:
        return 0.0, 0.0
    return total * whole / across, float((np.concatenate(influences) ** 2).sum()) * (whole / across) ** 2


def _own_products(one: Between, weight: Floats, inverse: Floats) -> Floats:
    """Return by block the part of the squared residuals that is due to its own noise.

    The fit has adapted to the block, so the squares would be too small, the more so the fewer blocks an entrant has.
    Hence its residuals are multiplied by those at the fit without it.
    """
    net = one.pull.sum(axis=2)
    kept = np.eye(net.shape[1]) - laplacian(one.bend / 2) @ inverse
    moved = np.einsum("bij,bj->bi", inverse, np.linalg.solve(kept, net[:, :, None])[:, :, 0])
    without = one.pull + one.bend * (moved[:, :, None] - moved[:, None, :])
    products: Floats = _divided(one.pull * without, weight).sum(axis=(1, 2)) / 2 - (net * moved).sum(axis=1)
    return products


def _divided(values: Floats, weight: Floats) -> Floats:
    return np.divide(values, weight, out=np.zeros_like(values), where=weight > 0)
