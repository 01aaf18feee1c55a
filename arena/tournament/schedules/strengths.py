"""Provisional strengths, for schedules that play where the ranking is uncertain. Ratings are the leaderboard's.

The model is that of Bradley and Terry (1952): of two at a table, one is placed above the other with the logistic
function of the difference of their strengths. A strength is normal with mean 0 before the first match. The most
probable strengths come from Newton's method, whose linear systems conjugate gradients solve.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Counts = NDArray[np.int32]

PRIOR_PRECISION: Final = 0.2
"""Of a strength before the first match: twice the standard deviation with which a bot's performances vary."""
RENEWED: Final = 1 / PRIOR_PRECISION / 4
"""The variance by which other rules may change a strength: that of a performance. Glickman (1999), "Parameter
estimation in large dynamic paired comparison experiments", adds one for the time that has passed, up to that of a
newcomer."""
CONVERGED: Final = 1e-4
"""A step of this length is the last, as errors are squared with each."""
MOST_STEPS: Final = 50
PRECISE: Final = 1e-12
"""By how much a step reduces the square of what is left."""


class Meetings:
    """How often each entrant of a field was placed above each other. The order of the results does not matter."""

    def __init__(self, field: Sequence[int]) -> None:
        """Count for these entrants; others at their tables are left out."""
        self.field = tuple(field)
        self._places = np.full(max(self.field, default=-1) + 2, -1)
        self._places[list(self.field)] = np.arange(len(self.field))
        self.expected = np.zeros(len(self.field))
        """The most probable strengths before the first of these meetings."""
        self.precision = np.full(len(self.field), PRIOR_PRECISION)
        """How certain they were: one over the variance."""
        self._halves: dict[int, Counts] = {}
        """By table size, winner and loser: 2 for each time that the one was placed above the other, 1 for each tie."""

    def add(self, matches: Iterable[PlayedMatch]) -> None:
        """Count the results of matches."""
        for size, alike in groupby(sorted(matches, key=_size), key=_size):
            self._count(self._halves.setdefault(size, self._empty()), size, list(alike))

    def among(self, field: Sequence[int]) -> "Meetings":
        """Return the meetings that those of another field had in this one."""
        found = Meetings(field)
        both = sorted({*field} & {*self.field})
        mine, others = self._places[both], found._places[both]
        found.expected[others], found.precision[others] = self.expected[mine], self.precision[mine]
        old, new = np.ix_(mine, mine), np.ix_(others, others)
        for size, halves in self._halves.items():
            found._halves[size] = found._empty()
            found._halves[size][new] = halves[old]
        return found

    def renewed(self) -> "Meetings":
        """Return those under other rules, none so far; strengths begin where these lead, but are less certain."""
        strengths, found = Strengths.of(self), Meetings(self.field)
        variance = np.minimum(strengths.deviation**2 + RENEWED, 1 / PRIOR_PRECISION)
        found.expected, found.precision = strengths.most_probable, 1 / variance
        return found

    @property
    def pairs(self) -> tuple[Integers, Integers, Floats, Floats]:
        """All pairs that met: the one, the other, and how often the one was placed above the other, and vice versa.

        Ties count half for each. A table of k weighs as much as k - 1 independent pairs.
        """
        met = np.zeros((len(self.field), len(self.field)), np.bool_)
        for halves in self._halves.values():
            met |= halves > 0
        one, other = np.nonzero(np.triu(met | met.T))
        won, lost = np.zeros(len(one)), np.zeros(len(one))
        for size in sorted(self._halves):
            won += self._halves[size][one, other] / size
            lost += self._halves[size][other, one] / size
        return one, other, won, lost

    def _empty(self) -> Counts:
        return np.zeros((len(self.field), len(self.field)), np.int32)

    def _count(self, halves: Counts, size: int, matches: list[PlayedMatch]) -> None:
        known = np.array([match.table for match in matches]).clip(max=len(self._places) - 1)
        tables = self._places[known]
        places = np.array([[outcome.placement for outcome in match.outcomes] for match in matches])
        for one in range(size):
            for other in range(one + 1, size):
                met = (tables[:, one] >= 0) & (tables[:, other] >= 0)
                better = 1 + np.sign(places[met, other] - places[met, one])
                np.add.at(halves, (tables[met, one], tables[met, other]), better)
                np.add.at(halves, (tables[met, other], tables[met, one]), 2 - better)


class Strengths:
    """The strengths of a field as far as results show them."""

    def __init__(self, entrants: int) -> None:
        self.blocks = 0
        """How many blocks of results were added."""
        self._meetings = Meetings(range(entrants))
        self.most_probable: Floats = self._meetings.expected
        """By place in the field."""
        self.deviation: Floats = self._meetings.precision**-0.5

    @classmethod
    def of(cls, meetings: Meetings) -> "Strengths":
        """Return the strengths that follow from these meetings; the same meetings always give the same."""
        found = cls(len(meetings.field))
        found._meetings, found.most_probable = meetings, meetings.expected
        found._solve()
        return found

    @property
    def field(self) -> Sequence[int]:
        """The entrants."""
        return self._meetings.field

    @property
    def order(self) -> list[int]:
        """The entrants from the strongest to the weakest, as far as is known."""
        return [self.field[place] for place in np.argsort(-self.most_probable, kind="stable")]

    def add(self, played: Sequence[PlayedBlock]) -> None:
        """Take results into account."""
        self.blocks += len(played)
        self._meetings.add(match for block in played for match in block.matches)
        self._solve()

    def leaders(self, seed: int, tables: int, most: int) -> list[list[int]]:
        """Draw the strengths once for each of some tables; list for each the `most` who come out on top, best first."""
        drawn = self._drawn(seed, tables)
        best = np.argpartition(-drawn, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(drawn, best, axis=1), axis=1)
        found: list[list[int]] = np.take_along_axis(best, order, axis=1).tolist()
        return found

    def orders(self, seed: int, number: int) -> list[list[int]]:
        """Draw the strengths this number of times; list for each all entrants from the weakest to the strongest."""
        order = np.argsort(self._drawn(seed, number), axis=1, kind="stable")
        found: list[list[int]] = np.array(self.field)[order].tolist()
        return found

    def _drawn(self, seed: int, number: int) -> Floats:
        chance = np.random.RandomState(seed)  # unlike newer ones, it gives the same numbers in every version of NumPy
        return self.most_probable + self.deviation * chance.standard_normal((number, len(self.most_probable)))

    def _solve(self) -> None:
        """Move to the maximum of the posterior density, which is log-concave."""
        one, other, above, below = self._meetings.pairs
        met, expected, prior = above + below, self._meetings.expected, self._meetings.precision
        for _ in range(MOST_STEPS):
            share = 1 / (1 + np.exp(self.most_probable[other] - self.most_probable[one]))
            pairs = _Pairs(one, other, met * share * (1 - share), prior)
            pull = prior * (self.most_probable - expected)
            gradient = pairs.sums(above, below) - pairs.sums(met * share, met * (1 - share)) - pull
            step = pairs.solved(gradient)
            length = float(np.abs(step).max())
            self.most_probable = self.most_probable + step / max(1.0, length)
            if length < CONVERGED:
                break
        self.deviation = pairs.diagonal**-0.5


class _Pairs:
    """The curvature of the posterior density: a matrix with `bend` of each pair, and sums and prior in the diagonal."""

    def __init__(self, one: Integers, other: Integers, bend: Floats, prior: Floats) -> None:
        self._one, self._other, self._bend, self._size = one, other, bend, prior.size
        self.diagonal = self.sums(bend, bend) + prior

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
