"""How many points each entrant is ahead of the field. Ratings use only the order at each table.

The scores at a table are taken to be the sum of what the table has in common, of what each entrant is ahead, and of
chance; least squares fit them, so that strong opponents count. A seat that a bot lost counts as far below the others as
bets on points reach (`Columns.counted`). The errors come from leaving out each block, as those of ratings do
(`ballcourt docs ratings`): nothing is supposed about the chance in a block, whose matches share a deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import Columns, block_numbers
from ballcourt.leaderboard.model.certainty import ByPoints
from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, inverted, pairs_of
from ballcourt.leaderboard.model.scale import Z95

FEWEST: Final = 6
"""With fewer blocks of an entrant, nothing is said of it."""
IMAGINED: Final = 2
"""Number of imagined blocks of an entrant, which scatter as those of all do."""


@dataclass(frozen=True, slots=True)
class PointsFit:
    """By entrant, in the order of the columns: points ahead of the mean of the field; nan where too little is known."""

    ahead: Floats
    covariance: Floats

    def error(self, row: int) -> float:
        """Return the standard error of an entrant."""
        return float(np.sqrt(max(self.covariance[row, row], 0.0)))

    def is_ahead(self, row: int, other: int) -> bool:
        """Whether an entrant is ahead of another one with 95 % confidence."""
        known = self.covariance
        error = np.sqrt(max(known[row, row] + known[other, other] - 2 * known[row, other], 0.0))
        return bool(self.ahead[row] - self.ahead[other] > Z95 * error)


def by_points(columns: Columns, ranked: Sequence[BotVersion]) -> list[ByPoints | None]:
    """Return what points say of entrants, which come in the order of their ranks; None where too little is known."""
    fit, number = points_fit(columns), {entrant: row for row, entrant in enumerate(columns.entrants)}
    rows = [number[entrant] for entrant in ranked]
    return [
        None
        if np.isnan(fit.ahead[row])
        else ByPoints(float(fit.ahead[row]), fit.error(row), above is not None and fit.is_ahead(row, above))
        for row, above in zip(rows, [None, *rows], strict=False)
    ]


def points_fit(columns: Columns) -> PointsFit:
    """Fit the points of all seats; matches of one seat are compared on the same deal."""
    tables, score = _tables(columns)
    count = tables.entrants
    curvature, gradient = np.zeros((count, count)), np.zeros(count)
    for pairs in pairs_of(tables):
        first, second, weight = tables.entrant[pairs.above], tables.entrant[pairs.below], pairs.weight / 2
        np.subtract.at(curvature, (first, second), weight)
        margin = weight * (score[pairs.above] - score[pairs.below])
        gradient += np.bincount(first, margin, count) - np.bincount(second, margin, count)
    curvature += curvature.T
    curvature -= np.diag(curvature.sum(axis=1))
    means = _means(curvature)  # of which nothing is known
    inverse = inverted(curvature + means) - means if count else curvature
    ahead = inverse @ gradient
    blocks, scatter = _scatter(tables, score, ahead, np.diag(curvature))
    ahead[blocks < FEWEST] = np.nan
    return PointsFit(ahead, inverse @ _steadied(scatter, curvature, blocks) @ inverse)


def _means(curvature: Floats) -> Floats:
    """Return the matrix that takes the mean of each group of entrants whom a chain of matches connects."""
    group = np.arange(len(curvature))
    met = (curvature != 0) | np.eye(len(curvature), dtype=bool)
    while True:
        joined = np.where(met, group, len(group)).min(axis=1, initial=len(group))
        if (joined == group).all():
            same = group[:, None] == group
            return np.asarray(same / np.maximum(same.sum(axis=1), 1), np.float64)
        group = joined


def _tables(columns: Columns) -> tuple[Tables, Floats]:
    """Return the seats with points that count, by table, and these."""
    matches, seats = columns.entrant.shape
    table = columns.deal if seats == 1 else np.arange(matches)
    block = columns.deal if seats == 1 else block_numbers(columns)
    points = columns.counted.ravel()
    kept = np.flatnonzero(~np.isnan(points))
    order = kept[np.argsort(table[kept // max(seats, 1)], kind="stable")]
    _, first, sizes = np.unique(table[order // max(seats, 1)], return_index=True, return_counts=True)
    order = order[np.repeat(sizes > 1, sizes)]
    first, sizes = first[sizes > 1], sizes[sizes > 1]
    zeros = np.zeros(order.size, np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    entrant = columns.entrant.ravel()[order].astype(np.int64)
    _, numbers = np.unique(block[order[starts[:-1]] // max(seats, 1)], return_inverse=True)
    return Tables(len(columns.entrants), starts, entrant, zeros, zeros, numbers), points[order]


def _scatter(tables: Tables, score: Floats, ahead: Floats, known: Floats) -> tuple[Integers, Floats]:
    """Return the blocks of each entrant, and how the gradients of blocks scatter, each as if it had been left out."""
    count = tables.entrants
    cells, sums = [], []
    for pairs in pairs_of(tables):
        first, second, weight = tables.entrant[pairs.above], tables.entrant[pairs.below], pairs.weight / 2
        rest = weight * (score[pairs.above] - score[pairs.below] - ahead[first] + ahead[second])
        block = tables.block[pairs.table] * count
        cell, inverse = np.unique(np.concatenate([block + first, block + second]), return_inverse=True)
        cells.append(cell)
        sums.append([np.bincount(inverse, np.concatenate(two)) for two in ((rest, -rest), (weight, weight))])
    if not cells:
        return np.zeros(count, np.int64), np.zeros((count, count))
    cell, inverse = np.unique(np.concatenate(cells), return_inverse=True)
    gradient, weight = (np.bincount(inverse, np.concatenate(one)).astype(float) for one in zip(*sums, strict=True))
    entrant, block = cell % count, cell // count
    left = 1 - weight / known[entrant]  # of what is known of an entrant, what the other blocks say
    gradient = np.divide(gradient, left, out=np.zeros(gradient.size), where=left > 0)
    return np.bincount(entrant, minlength=count), _products(count, entrant, block, gradient)


def _steadied(scatter: Floats, curvature: Floats, blocks: Integers) -> Floats:
    """Return the scatter with a part that is the same for all, as a few blocks show little scatter by chance."""
    typical = np.trace(scatter) / max(float(np.trace(curvature)), 1e-9)
    own = np.sqrt(blocks / (blocks + IMAGINED))
    rest = np.sqrt(IMAGINED / (blocks + IMAGINED))
    steadied: Floats = own[:, None] * scatter * own + typical * rest[:, None] * curvature * rest
    return steadied


def _products(count: int, entrant: Integers, block: Integers, gradient: Floats) -> Floats:
    """Return the sum over blocks of the outer products of their gradients, which are given by cell, sorted by block."""
    found = np.diag(np.bincount(entrant, gradient**2, count)).astype(float)
    _, sizes = np.unique(block, return_counts=True)
    zeros = np.zeros(entrant.size, np.int64)
    together = Tables(count, np.concatenate([[0], np.cumsum(sizes)]), entrant, zeros, zeros, np.arange(sizes.size))
    for pairs in pairs_of(together):
        product = gradient[pairs.above] * gradient[pairs.below]
        for one, other in ((pairs.above, pairs.below), (pairs.below, pairs.above)):
            np.add.at(found, (entrant[one], entrant[other]), product)
    return found
