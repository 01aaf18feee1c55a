"""Rock, paper, scissors: what no ranking can show, and the mix of entrants that no entrant beats.

The pairs fit leaves of each pair of entrants a residual: by how much the one does better against the other than the
ratings say, in rating points. The cyclic share is the part of all differences between entrants that is residual,
weighted by what is known of each pair. Noise makes residuals too, so a residual is only ever multiplied by residuals
of other blocks: in a field without cycles the mean of the estimate is 0.

The decomposition is that of Jiang, Lim, Yao and Ye (2011), "Statistical ranking and combinatorial Hodge theory".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from scipy.special import ndtr

from ballcourt.leaderboard.fit.arrays import Floats, Integers, inverted
from ballcourt.leaderboard.fit.blocks import Blocks
from ballcourt.leaderboard.fit.model import Model
from ballcourt.leaderboard.fit.pairs import PairFit, compared, slopes
from ballcourt.leaderboard.fit.threads import one_thread

FEWEST_BLOCKS: Final = 200
"""With fewer blocks the estimate is mostly noise."""
OfBlocks = tuple[Integers, Floats, Floats]
"""Some blocks: their members, a row per block; by pair of members the sums of first and negative second derivatives."""
NEWCOMERS: Final = 10
"""How many entrants join a mix at a time."""
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
def find_cycles(blocks: Blocks, fit: PairFit, covariance: Floats, model: Model) -> Cycles | None:
    """Estimate the cyclic share; None with fewer than `FEWEST_BLOCKS` blocks or fewer than three entrants."""
    tables = blocks.tables
    if tables.blocks < FEWEST_BLOCKS or tables.entrants < 3:
        return None
    found = list(_of_blocks(blocks, fit, model))
    pull, bend = _by_pair(tables.entrants, found)
    laplacian = np.diag(bend.sum(axis=1)) - bend
    inverse = inverted(laplacian + np.eye(tables.entrants) / model.sigma**2)
    residual: Floats = np.divide(pull, bend, out=np.zeros_like(pull), where=bend > 0)
    total, influence = _across_blocks(found, residual, bend, inverse)
    ranked = float(fit.skill @ laplacian @ fit.skill - np.sum(laplacian * covariance))
    whole = max(ranked, 0.0) + max(total, 0.0)
    if whole == 0:
        return None
    variance = max(total, 0.0) / (bend.sum() / 2)  # of a true residual
    return Cycles(total / whole, sqrt(influence) / whole, residual * variance * bend / (variance * bend + 1))


def maximal_lottery(fit: PairFit, cycles: Cycles, model: Model) -> Floats:
    """Return the mix of entrants, as shares, that is placed above any single entrant at least half of the time.

    It is mixed from few of them: beginning with the strongest, those that do best against the mix so far join, until
    none does better than even (the double oracle of McMahan, Gordon and Blum 2003).
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
    return np.asarray(found.x[:count], np.float64)


def _by_pair(count: int, found: Sequence[OfBlocks]) -> tuple[Floats, Floats]:
    """Sum first and negative second derivatives by pair of entrants: an antisymmetric and a symmetric matrix."""
    cells = np.concatenate([(members[:, :, None] * count + members[:, None, :]).ravel() for members, _, _ in found])

    def summed(parts: list[Floats]) -> Floats:
        values = np.concatenate([part.ravel() for part in parts])
        return np.asarray(np.bincount(cells, values, count**2), np.float64).reshape(count, count)

    return summed([pull for _, pull, _ in found]), summed([bend for _, _, bend in found])


def _of_blocks(blocks: Blocks, fit: PairFit, model: Model) -> Iterator[OfBlocks]:
    """Yield all blocks."""
    for piece in blocks.pieces():
        rows, width = piece.members.shape
        pull, bend = np.zeros(rows * width * width), np.zeros(rows * width * width)
        for row, pairs in blocks.pairs(piece):
            found = slopes(compared(blocks.tables, pairs), fit.skill, fit.seat, fit.margin, model)
            cells = (row * width + blocks.local[pairs.above]) * width + blocks.local[pairs.below]
            pull += np.bincount(cells, found.pull, pull.size)
            bend += np.bincount(cells, found.bend, bend.size)
        pull, bend = pull.reshape(rows, width, width), bend.reshape(rows, width, width)
        yield piece.members, pull - pull.transpose(0, 2, 1), bend + bend.transpose(0, 2, 1)


def _across_blocks(found: Sequence[OfBlocks], residual: Floats, bend: Floats, inverse: Floats) -> tuple[float, float]:
    """Return the weighted sum of products of residuals of different blocks, and the variance of that sum."""
    net = (residual * bend).sum(axis=1)
    total = float((residual**2 * bend).sum() / 2 - net @ inverse @ net)
    slope = residual - ((inverse @ net)[:, None] - inverse @ net)
    influences = []
    for members, pull, _ in found:
        pairs = members[:, :, None], members[:, None, :]
        weight = bend[pairs]
        own_net = pull.sum(axis=2)
        squares = np.divide(pull**2, weight, out=np.zeros_like(pull), where=weight > 0).sum(axis=(1, 2)) / 2
        own = squares - np.einsum("bi,bij,bj->b", own_net, inverse[pairs], own_net)
        influences.append(2 * ((pull * slope[pairs]).sum(axis=(1, 2)) / 2 - own))
        total -= float(own.sum())
    return total, float((np.concatenate(influences) ** 2).sum())
