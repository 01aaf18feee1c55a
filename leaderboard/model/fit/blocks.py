"""Blocks of tables in pieces of bounded size, each block by its own small set of parameters."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import PIECE, Integers, Pairs, Tables, begins, pairs_of, runs


@dataclass(frozen=True, slots=True)
class Piece:
    """Some blocks with equally many entrants."""

    blocks: Integers
    """Their numbers."""
    members: Integers
    """Entrants of each block in ascending order, a row per block."""
    tables: Integers
    """Their tables in the order of the blocks."""


class Blocks:
    """Which entrants and tables are in which block."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        owner = np.repeat(tables.block, tables.sizes)
        cells, inverse = _numbered(owner * tables.entrants + tables.entrant)
        self._member = cells % tables.entrants
        self._width = np.bincount(cells // tables.entrants, minlength=tables.blocks)
        self._first = np.cumsum(self._width) - self._width
        self.local = inverse - self._first[owner]
        """Position of each seat's entrant among the members of its block."""
        self._row = np.zeros(len(tables.block), np.int64)
        """The row of the block of each table in its piece."""
        self.met = np.bincount(self._member, minlength=tables.entrants)
        """Number of blocks of each entrant."""

    def pieces(self) -> Iterator[Piece]:
        """Yield all blocks. A piece has at most `PIECE` pairs and cells of matrices, unless it is a single block."""
        block = self.tables.block
        order = np.lexsort((block, self._width[block]))
        pairs = (self.tables.sizes * (self.tables.sizes - 1) // 2)[order]
        for start, end in runs(self._width[block[order]]):
            begins = np.flatnonzero(np.diff(block[order[start:end]], prepend=-1))  # a block begins here
            cells = (int(self._width[block[order[start]]]) + self.tables.seats + 1) ** 2
            load = np.cumsum(np.maximum(np.add.reduceat(pairs[start:end], begins), cells))
            cuts = begins[np.diff(load // PIECE, prepend=-1) > 0]
            for first, last in zip(cuts, [*cuts[1:], end - start], strict=True):
                yield self._piece(order[start + first : start + last])

    def pairs(self, piece: Piece) -> Iterator[tuple[Integers, Pairs]]:
        """Yield the pairs of a piece, and the row of the block of each."""
        for pairs in pairs_of(self.tables, piece.tables):
            yield self._row[pairs.table], pairs

    def _piece(self, tables: Integers) -> Piece:
        blocks, self._row[tables] = np.unique(self.tables.block[tables], return_inverse=True)
        members = self._member[self._first[blocks][:, None] + np.arange(self._width[blocks[0]])]
        return Piece(blocks, members, tables)


def _numbered(values: Integers) -> tuple[Integers, Integers]:
    """Return the different values in ascending order, and the index of each value among them.

    It is what `np.unique` does, but in a tenth of the time where the values are nearly in order.
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    first = begins(ascending)
    index = np.empty(values.size, np.int64)
    index[order] = np.cumsum(first) - 1
    return ascending[first], index
