"""Final orders of many tables as integer arrays, and the pairs of seats in them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv, dpotrf, dpotri

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

PIECE: Final = 400_000
"""Pairs handled at once; it bounds memory, not results."""


@dataclass(frozen=True)
class Tables:
    """Final orders of tables: entries starts[t] to starts[t + 1] - 1 of the flat arrays are table t, the best first,
    tied ones by seat.

    `entrant` counts from 0 to entrants - 1; `place` is 1 for the best, equal for ties; `seat` counts from 0 and is 0
    everywhere if there are no seats to distinguish. `block` numbers the block of each table from 0. Every table has at
    least two seats.
    """

    entrants: int
    starts: Integers
    entrant: Integers
    place: Integers
    seat: Integers
    block: Integers

    @cached_property
    def sizes(self) -> Integers:
        """Seats of each table."""
        return np.diff(self.starts)

    @cached_property
    def seats(self) -> int:
        """Number of seats that can be distinguished."""
        return int(self.seat.max()) + 1 if self.seat.size else 1

    @cached_property
    def blocks(self) -> int:
        """Number of blocks."""
        return int(self.block.max()) + 1 if self.block.size else 0

    @cached_property
    def has_ties(self) -> bool:
        """Whether any two seats of a table share a place."""
        return any(bool(pairs.tied.any()) for pairs in pairs_of(self))

    def with_ties_by(self, strength: Floats) -> "Tables":
        """Return the same tables, tied seats in a row that does not depend on names: by seat, then by strength."""
        if self.seats > 1 or not self.has_ties:
            return self
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        order = np.lexsort((np.round(strength[self.entrant], 6), self.place, owner))
        return replace(self, entrant=self.entrant[order], place=self.place[order])

    def rows(self, tables: Integers) -> Integers:
        """Return the flat indices of tables of one size as a matrix with a row per table."""
        size = int(self.sizes[tables[0]])
        return self.starts[tables][:, None] + np.arange(size)


@dataclass(frozen=True)
class Pairs:
    """Pairs of different entrants at one table. `above` is placed above `below`, or level with it where `tied`.

    The weight of a pair is 2 / (seats of its table), so that a
    table of k seats weighs as much as k - 1 independent pairs.
    """

    table: Integers
    above: Integers
    below: Integers
    """Flat indices of seats."""
    tied: NDArray[np.bool_]
    weight: Floats


def pairs_of(tables: Tables, order: Integers | None = None) -> Iterator[Pairs]:
    """Yield the pairs of all tables in pieces; with `order`, of these tables only and in this order."""
    chosen = np.arange(len(tables.sizes)) if order is None else order
    sizes = tables.sizes[chosen]
    for first, last in runs(sizes):
        size = int(sizes[first])
        step = max(1, PIECE // (size * (size - 1) // 2))
        for start in range(first, last, step):
            yield _pairs(tables, chosen[start : min(start + step, last)], size)


def _pairs(tables: Tables, chosen: Integers, size: int) -> Pairs:
    rows = tables.rows(chosen)
    first, second = np.triu_indices(size, 1)
    above, below = rows[:, first].ravel(), rows[:, second].ravel()
    table = np.repeat(chosen, first.size)
    different = tables.entrant.take(above) != tables.entrant.take(below)
    if not different.all():
        above, below, table = above[different], below[different], table[different]
    tied = tables.place.take(above) == tables.place.take(below)
    return Pairs(table, above, below, tied, np.full(above.size, 2.0 / size))


def begins(*keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where a stretch of equal values begins; given several arrays, of values that are equal in all of them."""
    changed = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return np.append(True, changed)[: keys[0].size]


def runs(values: Integers) -> list[tuple[int, int]]:
    """Return the ends of the stretches of equal values."""
    return list(pairwise([*np.flatnonzero(begins(values)).tolist(), values.size]))


def solved(matrix: Floats, right: Floats) -> Floats:
    """Return x with matrix @ x = right, for a symmetric matrix. Raises LinAlgError if it is not positive definite."""
    _, x, failed = dposv(matrix, right)
    _check_definite(failed)
    return np.asarray(x, np.float64)


def inverted(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric matrix. Raises LinAlgError if it is not positive definite."""
    if not matrix.size:  # LAPACK prints that it takes none of these
        return matrix
    factor, failed = dpotrf(matrix)
    _check_definite(failed)
    upper, failed = dpotri(factor)
    _check_definite(failed)
    return np.asarray(np.triu(upper) + np.triu(upper, 1).T, np.float64)


def _check_definite(failed: int) -> None:
    if failed:
        raise np.linalg.LinAlgError("the matrix is not positive definite")
