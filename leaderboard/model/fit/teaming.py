"""Whether an entrant does better against the others at a table when a certain helper sits there than without it.

The surplus of an entrant at a table is how much more often it was placed above its opponents than the ratings say; the
helper is left out of the opponents, so being good against it does not count. Blocks are the unit: their matches are not
independent. The mean surplus in the blocks with the helper, less that in the blocks without it, is tested against zero
by a one-sided t test, with the variances of all blocks of the entrant. A bot that makes the table easier for all helps
no one in this sense, as the surpluses of those who sit with the helper add up to zero. Holm's method corrects for the
number of pairs (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import ndtr, stdtr

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill

FEWEST_BLOCKS: Final = 5
"""A pair is tested if the entrant played at least this number of blocks with the helper, and without it."""


@dataclass(frozen=True, slots=True)
class Gains:
    """The ordered pairs that were tested, in parallel arrays."""

    entrant: Integers
    helper: Integers
    blocks: Integers
    """In which both played."""
    gain: Floats
    """With the helper less without, in the share of the other opponents placed below, from -1 to 1."""
    error: Floats
    """Standard error of the gain."""
    p: Floats
    """How likely a gain as large is by chance, if this pair is looked at alone."""
    corrected: Floats
    """How likely the largest of all gains is as large by chance, by Holm's method."""


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Surpluses by block and cell, a cell being an entrant, or an entrant with a helper."""

    cell: Integers
    value: Floats
    cells: int

    @property
    def count(self) -> Integers:
        """The number of blocks of each cell."""
        return np.bincount(self.cell, minlength=self.cells)

    @property
    def total(self) -> Floats:
        """The sum over the blocks of each cell."""
        return np.asarray(np.bincount(self.cell, self.value, self.cells), float)


def gains(tables: Tables, fit: PairFit, model: TrueSkill) -> Gains:
    """Test every ordered pair of entrants of a ladder that met often enough.

    Raises ValueError for tables with less than three seats.
    """
    size, count = tables.seats, tables.entrants
    if size < 3:
        raise ValueError(f"tables have {size} seats; a helper needs tables of at least 3")
    seated, surplus = tables.entrant.reshape(-1, size), _surplus(tables, fit, model)
    total = surplus.sum(axis=2)
    alone = _blocks(tables.block, seated.T.ravel(), (total / (size - 1)).T.ravel(), count)
    pairs = [(one, other) for one in range(size) for other in range(size) if one != other]
    cells = np.concatenate([seated[:, one] * count + seated[:, other] for one, other in pairs])
    others = np.concatenate([(total[:, one] - surplus[:, one, other]) / (size - 2) for one, other in pairs])
    everyone = np.concatenate([total[:, one] / (size - 1) for one, _ in pairs])
    together = _blocks(tables.block, cells, others, count * count)
    return _compared(alone, together, _blocks(tables.block, cells, everyone, count * count))


def _surplus(tables: Tables, fit: PairFit, model: TrueSkill) -> Floats:
    """Return for each table and ordered pair of its places how much more often the first was above than expected."""
    size = tables.seats
    strength = (fit.skill[tables.entrant] + fit.seat[tables.seat]).reshape(-1, size)
    place = tables.place.reshape(-1, size)
    above = (place[:, :, None] < place[:, None, :]) + 0.5 * (place[:, :, None] == place[:, None, :])
    return np.asarray(above - ndtr((strength[:, :, None] - strength[:, None, :]) / model.spread), float)


def _blocks(block: Integers, cell: Integers, value: Floats, cells: int) -> _Blocks:
    """Average the values of each block and cell; `cell` and `value` repeat the tables that `block` lists once."""
    units, place = np.unique(np.resize(block, cell.size) * cells + cell, return_inverse=True)
    return _Blocks(units % cells, np.bincount(place, value) / np.bincount(place), cells)


def _compared(alone: _Blocks, together: _Blocks, everyone: _Blocks) -> Gains:
    """Compare blocks with and without a helper; `everyone` has the surplus of the first over all opponents."""
    count = alone.cells
    cells = np.flatnonzero(together.count)
    cells = cells[cells // count != cells % count]  # a copy of a bot at its own table
    both = together.count[cells]
    apart = alone.count[cells // count] - both
    tested = (both >= FEWEST_BLOCKS) & (apart >= FEWEST_BLOCKS)
    cells, both, apart = cells[tested], both[tested], apart[tested]
    entrant = cells // count
    without = (alone.total[entrant] - everyone.total[cells]) / apart
    gain = together.total[cells] / both - without
    own = _Blocks(together.cell // count, together.value, count)
    error = np.sqrt(_variance(own)[entrant] / both + _variance(alone)[entrant] / apart)
    p = np.asarray(stdtr(both + apart - 2.0, -gain / np.maximum(error, 1e-12)), float)
    return Gains(entrant, cells % count, both, gain, error, p, _holm(p))


def _variance(blocks: _Blocks) -> Floats:
    """Return the variance of the values of each cell."""
    count = np.maximum(blocks.count, 2)
    squares = np.bincount(blocks.cell, blocks.value**2, blocks.cells)
    return np.asarray((squares - blocks.total**2 / count) / (count - 1), float)


def _holm(p: Floats) -> Floats:
    """Return p-values corrected for their number."""
    order = np.argsort(p)
    corrected = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    found = np.empty(p.size)
    found[order] = np.minimum(corrected, 1.0)
    return found
