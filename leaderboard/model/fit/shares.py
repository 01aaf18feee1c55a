"""Shares of comparisons won, with intervals that treat a block as the unit.

Comparisons of one block share a table and may share a deal, so they count as fewer than there are. How many they are
worth is estimated from how the shares of the blocks scatter: the variance of the share with each block left out, over
that of as many independent comparisons. A few blocks, or blocks that all went one way, say little about that, so
either variance gets two imagined blocks of even shares, in which comparisons are correlated by half. The interval is
that of Wilson (1927), "Probable inference, the law of succession, and statistical inference", for the number they are
worth; it stays between 0 and 1 and has a width even where everything was won.
"""

from dataclasses import dataclass

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, pairs_of
from ballcourt.leaderboard.model.scale import Z95

IMAGINED = 2
"""Number of imagined blocks."""


@dataclass(frozen=True, slots=True)
class Shares:
    """By group: comparisons and blocks, the share won from 0 to 1, a tie counting half, and its 95 % interval.

    A group without comparisons has the share 0.5 and the interval from 0 to 1.
    """

    count: Integers
    blocks: Integers
    share: Floats
    low: Floats
    high: Floats


def shares(group: Integers, groups: int, block: Integers, won: Floats) -> Shares:
    """Sum up comparisons, each of a group and a block, of which `won` (0, 0.5 or 1) says how they ended."""
    cells, inverse = np.unique(group * (int(block.max(initial=0)) + 1) + block, return_inverse=True)
    owner = cells // (int(block.max(initial=0)) + 1)
    size = np.bincount(inverse, minlength=cells.size).astype(np.float64)
    total = np.bincount(owner, size, groups)
    blocks = np.bincount(owner, minlength=groups)
    share = np.full(groups, 0.5)
    np.divide(np.bincount(group, won, groups), total, out=share, where=total > 0)
    residual = np.bincount(inverse, won, cells.size) - share[owner] * size
    rest = 1 - size / total[owner]
    left_out = np.divide(residual, rest, out=np.zeros_like(residual), where=rest > 1e-9)
    mean_size = total / np.maximum(blocks, 1)
    seen = np.bincount(owner, left_out**2, groups) + IMAGINED * mean_size * (1 + mean_size) / 8
    independent = total * share * (1 - share) + IMAGINED * mean_size / 4
    worth = np.divide(total * independent, seen, out=np.zeros(groups), where=total > 0)
    low, high = _wilson(share, worth)
    return Shares(total.astype(np.int64), blocks, share, low, high)


def by_opponent(tables: Tables) -> Shares:
    """Return the shares of each entrant against each, in a group per cell of a square matrix, row by row."""
    n = tables.entrants
    cells, blocks, wins = [_EMPTY[0]], [_EMPTY[1]], [_EMPTY[2]]
    for pairs in pairs_of(tables):
        level = np.where(pairs.tied, 0.5, 0.0)
        above, below = tables.entrant[pairs.above], tables.entrant[pairs.below]
        cells += [above * n + below, below * n + above]
        blocks += [tables.block[pairs.table]] * 2
        wins += [1 - level, level]
    return shares(np.concatenate(cells), n * n, np.concatenate(blocks), np.concatenate(wins))


def by_seat(tables: Tables, entrant: int | None = None, opponent: int | None = None) -> Shares:
    """Return the shares of each seat against the others at its tables.

    With an entrant, only where it sits there; with an opponent, only against that one.
    """
    seats, blocks, wins = [_EMPTY[0]], [_EMPTY[1]], [_EMPTY[2]]
    for pairs in pairs_of(tables):
        level = np.where(pairs.tied, 0.5, 0.0)
        for own, other, won in ((pairs.above, pairs.below, 1 - level), (pairs.below, pairs.above, level)):
            chosen = np.ones(own.size, np.bool_)
            if entrant is not None:
                chosen &= tables.entrant[own] == entrant
            if opponent is not None:
                chosen &= tables.entrant[other] == opponent
            seats.append(tables.seat[own][chosen])
            blocks.append(tables.block[pairs.table][chosen])
            wins.append(won[chosen])
    return shares(np.concatenate(seats), tables.seats, np.concatenate(blocks), np.concatenate(wins))


def _wilson(share: Floats, count: Floats) -> tuple[Floats, Floats]:
    square = Z95**2
    middle = (share * count + square / 2) / (count + square)
    half = Z95 / (count + square) * np.sqrt(count * share * (1 - share) + square / 4)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


_EMPTY = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
