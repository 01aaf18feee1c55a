"""Derivatives of single comparisons, summed up by parameter for each of some groups.

A node is an entrant in a seat. Most sums are taken by node first, as those by entrant and by seat follow from them.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers


@dataclass(frozen=True, slots=True)
class Slopes:
    """Derivatives of the log-likelihood of each comparison.

    `pull` and `bend` are the first and the negative second derivative by the difference of the two. For the `tied`
    comparisons only, `margin_pull` and `margin_bend` are those by the margin, and `mixed` is the negative mixed
    derivative; for all others these are -pull, bend and -bend.
    """

    pull: Floats
    bend: Floats
    tied: Integers
    margin_pull: Floats
    margin_bend: Floats
    mixed: Floats


class Grouped:
    """Comparisons of `groups` groups: who and which seat is compared, as numbers below `entrants` and `seats`.

    With 0 seats there are no effects of seats. The order of parameters is: skills, seat effects, margin.
    """

    def __init__(
        self,
        group: Integers,
        groups: int,
        above: NDArray[np.integer],
        below: NDArray[np.integer],
        seat_above: NDArray[np.integer],
        seat_below: NDArray[np.integer],
        entrants: int,
        seats: int,
    ) -> None:
        self._group, self._groups = group, groups
        self._entrants, self._seats, self._width = entrants, seats, max(seats, 1)
        self._above, self._below = above, below
        self._seat_above, self._seat_below = seat_above.astype(np.int64), seat_below.astype(np.int64)
        self._node_above = self._seat_above * entrants + above
        self._node_below = self._seat_below * entrants + below

    @property
    def size(self) -> int:
        """Number of parameters."""
        return self._entrants + self._seats + 1

    def gradient(self, found: Slopes) -> Floats:
        """Sum first derivatives: a row of parameters for each group."""
        above, below = self._by_node(found.pull)
        total = np.empty((self._groups, self.size))
        total[:, : self._entrants] = (above - below).sum(axis=0).T
        if self._seats:
            total[:, self._entrants : -1] = (above - below).sum(axis=1).T
        total[:, -1] = self._by_group(found.margin_pull + found.pull[found.tied], found.tied) - above.sum(axis=(0, 1))
        return total

    def curvature(self, found: Slopes) -> Floats:
        """Sum negative second derivatives: a symmetric matrix of parameters for each group."""
        entrants = self._entrants
        total = np.empty((self._groups, self.size, self.size))
        total[:, :entrants, :entrants] = laplacian(self._by_pair(found.bend))
        total[:, :, entrants:] = self.cross_curvature(found)
        total[:, entrants:, :entrants] = total[:, :entrants, entrants:].transpose(0, 2, 1)
        return total

    def pulls(self, found: Slopes) -> Floats:
        """Sum first derivatives by pair of entrants: an antisymmetric matrix for each group."""
        by_pair = self._by_pair(found.pull)
        return by_pair - by_pair.transpose(0, 2, 1)

    def cross_curvature(self, found: Slopes) -> Floats:
        """Return the columns of `curvature` for seats and margin."""
        entrants, seats = self._entrants, self._seats
        above, below = self._by_meeting(found.bend)
        mixed = below.sum(axis=0) - above.sum(axis=0)
        margin_bend = above.sum(axis=(0, 1, 2))
        if (tied := found.tied).size:
            more_above, more_below = self._by_node(found.mixed + found.bend[tied], tied)
            mixed += more_above - more_below
            margin_bend += self._by_group(found.margin_bend - found.bend[tied], tied)
        total = np.zeros((self._groups, self.size, seats + 1))
        total[:, :entrants, -1] = mixed.sum(axis=0).T
        if seats:
            both = slice(entrants, entrants + seats)
            total[:, both, :seats] = laplacian(above.sum(axis=2).transpose(2, 0, 1))
            total[:, both, -1] = total[:, -1, :seats] = mixed.sum(axis=1).T
            by_seat, by_opposite_seat = (above + below).sum(axis=0), (above + below).sum(axis=1)
            total[:, :entrants, :seats] = (by_seat - by_opposite_seat).transpose(2, 1, 0)
        total[:, -1, -1] = margin_bend
        return total

    def _by_pair(self, values: Floats) -> Floats:
        """Sum values by group, the entrant above and the one below."""
        cells = (self._group * self._entrants + self._above) * self._entrants + self._below
        found = np.bincount(cells, values, self._groups * self._entrants**2)
        return np.asarray(found.reshape(self._groups, self._entrants, self._entrants), np.float64)

    def _by_node(self, values: Floats, which: Integers | slice = slice(None)) -> tuple[Floats, Floats]:
        """Sum values by the node above, and by the node below: by seat, entrant and group."""
        shape = self._width, self._entrants
        above, below = self._node_above[which], self._node_below[which]
        return self._sums(above, values, which, *shape), self._sums(below, values, which, *shape)

    def _by_meeting(self, values: Floats) -> tuple[Floats, Floats]:
        """Sum values by the seat of the opponent and the node above, and the same for the node below."""
        everything, nodes = slice(None), self._width * self._entrants
        shape = self._width, self._width, self._entrants
        above = self._sums(self._seat_below * nodes + self._node_above, values, everything, *shape)
        return above, self._sums(self._seat_above * nodes + self._node_below, values, everything, *shape)

    def _by_group(self, values: Floats, which: Integers) -> Floats:
        return np.asarray(np.bincount(self._group[which], values, self._groups), np.float64)

    def _sums(self, cells: Integers, values: Floats, which: Integers | slice, *shape: int) -> Floats:
        """Sum values by cell and group; the last axis is the group."""
        if self._groups > 1:
            cells = cells * self._groups + self._group[which]
        total = np.bincount(cells, values, self._groups * prod(shape))
        return np.asarray(total.reshape(*shape, self._groups), np.float64)


def laplacian(between: Floats) -> Floats:
    """Return the curvature by skills, given by group the sums over those who were above and those who were below."""
    both = between + between.transpose(0, 2, 1)
    inside = np.arange(both.shape[1])
    total = -both
    total[:, inside, inside] += both.sum(axis=2)
    return total
