"""Derivatives of single comparisons, summed up by parameter for each of some groups.

A node is an entrant in a seat. Most sums are taken by node first, as those by entrant and by seat follow from them.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ballcourt.leaderboard.fit.arrays import Floats, Integers


@dataclass(frozen=True, slots=True)
class Slopes:
    """Derivatives of the log-likelihood of each comparison.

    `pull` and `bend` are the first and the negative second derivative by the difference of the two; `margin_pull` and
    `margin_bend` those by the margin; `mixed` is the negative mixed derivative.
    """

    pull: Floats
    bend: Floats
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
        self._seat_above, self._seat_below = seat_above, seat_below
        self._above, self._below = group * entrants + above, group * entrants + below
        self._first_above, self._first_below = self._above * self._width, self._below * self._width
        self._node_above, self._node_below = self._first_above + seat_above, self._first_below + seat_below
        self._local_below = below

    @property
    def size(self) -> int:
        """Number of parameters."""
        return self._entrants + self._seats + 1

    def gradient(self, found: Slopes) -> Floats:
        """Sum first derivatives: a row of parameters for each group."""
        by_node = self._by_node(found.pull, -1)
        total = np.empty((self._groups, self.size))
        total[:, : self._entrants] = by_node.sum(axis=2)
        if self._seats:
            total[:, self._entrants : -1] = by_node.sum(axis=1)
        total[:, -1] = self._sums(self._group, found.margin_pull)
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
        total = np.zeros((self._groups, self.size, seats + 1))
        mixed = self._by_node(found.mixed, -1)
        total[:, :entrants, -1] = mixed.sum(axis=2)
        if seats:
            both = slice(entrants, entrants + seats)
            between = (self._group * seats + self._seat_above) * seats + self._seat_below
            total[:, both, :seats] = laplacian(self._sums(between, found.bend, seats, seats))
            total[:, both, -1] = total[:, -1, :seats] = mixed.sum(axis=1)
            total[:, :entrants, :seats] = self._by_node(found.bend, 1) - self._by_opposite_seat(found.bend)
        total[:, -1, -1] = self._sums(self._group, found.margin_bend)
        return total

    def _by_pair(self, values: Floats) -> Floats:
        """Sum values by the entrant above and the one below."""
        return self._sums(self._above * self._entrants + self._local_below, values, self._entrants, self._entrants)

    def _by_node(self, values: Floats, sign: int) -> Floats:
        """Sum values by the node above, plus `sign` times those by the node below."""
        shape = self._entrants, self._width
        return self._sums(self._node_above, values, *shape) + sign * self._sums(self._node_below, values, *shape)

    def _by_opposite_seat(self, values: Floats) -> Floats:
        """Sum values by entrant and the seat of its opponent."""
        shape = self._entrants, self._width
        above = self._sums(self._first_above + self._seat_below, values, *shape)
        return above + self._sums(self._first_below + self._seat_above, values, *shape)

    def _sums(self, cells: NDArray[np.integer], values: Floats, *shape: int) -> Floats:
        total = np.bincount(cells, values, self._groups * prod(shape))
        return np.asarray(total.reshape(self._groups, *shape), np.float64)


def laplacian(between: Floats) -> Floats:
    """Return the curvature by skills, given by group the sums over those who were above and those who were below."""
    both = between + between.transpose(0, 2, 1)
    inside = np.arange(both.shape[1])
    total = -both
    total[:, inside, inside] += both.sum(axis=2)
    return total
