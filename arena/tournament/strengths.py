"""Provisional strengths, for schedules that play where the ranking is open. Ratings are the leaderboard's.

The model is that of Bradley and Terry (1952): of two at a table, one is placed above the other with the logistic
function of the difference of their strengths. A strength is normal with mean 0 before the first match. The most
probable strengths come from Newton's method, whose linear systems conjugate gradients solve.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.tournament.schedule import PlayedBlock, PlayedMatch

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PRIOR_PRECISION: Final = 0.2
"""Of a strength before the first match: twice the standard deviation with which a bot's performances vary."""
CONVERGED: Final = 1e-4
"""A step of this length is the last, as errors are squared with each."""
MOST_STEPS: Final = 50
PRECISE: Final = 1e-12
"""By how much a step reduces the square of what is left."""


class Strengths:
    """What results say about the strengths of a field."""

    def __init__(self, entrants: int) -> None:
        self.blocks = 0
        """How many blocks of results were taken into account."""
        self._strength: Floats = np.zeros(entrants)
        """The most probable ones."""
        self._deviation: Floats = np.full(entrants, PRIOR_PRECISION**-0.5)
        self._won: Floats = np.zeros((entrants, entrants))
        """By winner and loser: how often the one was placed above the other; ties count half for each."""

    def add(self, played: Sequence[PlayedBlock]) -> None:
        """Take results into account. A table of k weighs as much as k - 1 independent pairs."""
        self.blocks += len(played)
        matches = sorted((match for block in played for match in block.matches), key=_size)
        for size, alike in groupby(matches, key=_size):
            self._count(size, list(alike))
        self._solve()

    def leaders(self, seed: int, tables: int, most: int) -> list[list[int]]:
        """Draw the strengths once for each of some tables; list for each the `most` who come out on top, best first."""
        chance = np.random.RandomState(seed)  # unlike newer ones, it gives the same numbers in every version of NumPy
        drawn = self._strength + self._deviation * chance.standard_normal((tables, len(self._strength)))
        best = np.argpartition(-drawn, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(drawn, best, axis=1), axis=1)
        found: list[list[int]] = np.take_along_axis(best, order, axis=1).tolist()
        return found

    def _count(self, size: int, matches: list[PlayedMatch]) -> None:
        tables = np.array([match.table for match in matches])
        places = np.array([[outcome.placement for outcome in match.outcomes] for match in matches])
        for one in range(size):
            for other in range(one + 1, size):
                better = (1 + np.sign(places[:, other] - places[:, one])) / 2
                np.add.at(self._won, (tables[:, one], tables[:, other]), better * 2 / size)
                np.add.at(self._won, (tables[:, other], tables[:, one]), (1 - better) * 2 / size)

    def _solve(self) -> None:
        """Move to the maximum of the posterior density, which is log-concave."""
        one, other = np.nonzero(np.triu(self._won + self._won.T))
        won, met = self._won.sum(axis=1), self._won[one, other] + self._won[other, one]
        for _ in range(MOST_STEPS):
            share = 1 / (1 + np.exp(self._strength[other] - self._strength[one]))
            pairs = _Pairs(one, other, met * share * (1 - share), len(won))
            gradient = won - pairs.sums(met * share, met * (1 - share)) - PRIOR_PRECISION * self._strength
            step = pairs.solved(gradient)
            length = float(np.abs(step).max())
            self._strength = self._strength + step / max(1.0, length)
            if length < CONVERGED:
                break
        self._deviation = pairs.diagonal**-0.5


class _Pairs:
    """The curvature of the posterior density: a matrix with `bend` of each pair, and sums and prior in the diagonal."""

    def __init__(self, one: Integers, other: Integers, bend: Floats, size: int) -> None:
        self._one, self._other, self._bend, self._size = one, other, bend, size
        self.diagonal = self.sums(bend, bend) + PRIOR_PRECISION

    def sums(self, of_one: Floats, of_other: Floats) -> Floats:
        """Add up by entrant what the pairs give to each of the two."""
        found = np.bincount(self._one, of_one, self._size) + np.bincount(self._other, of_other, self._size)
        return np.asarray(found, np.float64)

    def solved(self, right: Floats) -> Floats:
        """Solve for `right` by conjugate gradients, scaled by the diagonal."""
        found, residual = np.zeros_like(right), right
        direction = scaled = residual / self.diagonal
        size = first = float(residual @ scaled)
        while size > PRECISE * first:
            image = self.diagonal * direction - self.sums(
                self._bend * direction[self._other], self._bend * direction[self._one]
            )
            length = size / float(direction @ image)
            found, residual = found + length * direction, residual - length * image
            scaled = residual / self.diagonal
            size, before = float(residual @ scaled), size
            direction = scaled + size / before * direction
        return found


def _size(match: PlayedMatch) -> int:
    return len(match.table)
