"""Simulated comparisons of two versions: worlds that decide blocks of duels, and how the tests fare in them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from statistics import NormalDist

import numpy as np
from scipy.optimize import brentq

from ballcourt.evaluation.betting import Floats, interval
from ballcourt.evaluation.evidence import Method, curves
from ballcourt.evaluation.question import Question
from ballcourt.leaderboard.model.scale import REACH

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]
"""Draws the shares of duels won in this number of tests and of blocks in each."""

NORMAL = NormalDist()
AT_ONCE = 250
"""Tests simulated at once; it bounds memory, not results."""
FIRST_BLOCKS = 128
MOST_BLOCKS = 8192
SAMPLE = 10
"""The interval of each tenth test is looked at."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A world of normal performances of variance 1; blocks have two matches in opposite seat splits.

    `seat` is the advantage of the first of two seats, `margin` what is still a tie, `luck` the standard deviation of
    what a deal adds to every performance of the new version. With `by_points`, a block shows what margins are worth
    instead of who won.
    """

    seats: int = 4
    seat: float = 0.0
    margin: float = 0.0
    luck: float = 0.0
    by_points: bool = False

    def with_share(self, share: float) -> Draw:
        """Return what draws blocks in which the new version wins this share of the duels."""
        gap = float(brentq(lambda gap: self._share(gap) - share, -9, 9))
        return partial(self._draw, gap)

    def _share(self, gap: float) -> float:
        """Return the expected share, given by how much the new version is stronger."""
        spread = sqrt(2 + self.luck**2)
        ends = [gap + sign * self.seat + side * self.margin for sign in (1, -1) for side in (1, -1)]
        return sum(NORMAL.cdf(end / spread) for end in ends) / 4

    def _draw(self, gap: float, chance: np.random.Generator, shape: tuple[int, int]) -> Floats:
        stronger = gap + chance.normal(0, self.luck, shape) if self.luck else gap
        won: Floats = np.zeros(shape)
        for first in (0, 1):  # the seats of the new version are this one and each second after it
            performance = chance.standard_normal((self.seats, *shape))
            performance[0] += self.seat
            performance[first::2] += stronger
            for new in performance[first::2]:
                for old in performance[1 - first :: 2]:
                    won += shown(new - old, by_points=self.by_points, margin=self.margin)
        return won / (self.seats * self.seats / 2)


def shown(ahead: Floats, *, by_points: bool, margin: float = 0.0) -> Floats:
    """Return what duels show, given by how much one of the two performs better; what is within the margin is a tie."""
    if by_points:
        spread = sqrt(2)  # of the performances of equals
        return np.asarray((1 + np.clip(ahead / (REACH * spread), -1, 1)) / 2)
    return np.asarray((ahead > margin) + 0.5 * (np.abs(ahead) <= margin))


WORLDS = {
    "normal, 4 seats": Versions(),
    "normal, 2 seats": Versions(seats=2),
    "seats win 85:15": Versions(seats=2, seat=sqrt(2) * NORMAL.inv_cdf(0.85)),
    "30 % ties": Versions(seats=2, margin=sqrt(2) * NORMAL.inv_cdf(0.65)),
    "a deal suits a version": Versions(luck=0.7 * sqrt(2)),
}


BY_POINTS = {name: replace(world, by_points=True) for name, world in WORLDS.items() if not world.margin}


def rare_disasters(chance: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Versions that differ in one block of ten: nine small gains for each disaster, which cancel out."""
    gain = np.where(chance.random(shape) < 0.1, -0.5, 0.5 / 9)
    return 0.5 + np.where(chance.random(shape) < 0.1, gain, 0.0)


def disasters(chance: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Small gains in 95 of 100 blocks, and disasters in the others, which cancel out."""
    return 0.5 + np.where(chance.random(shape) < 0.05, -0.475, 0.025)


SKEWED: dict[str, tuple[Draw, float]] = {
    "1 in 10 differs, skewed": (rare_disasters, 0.505),
    "5:95 skewed": (disasters, 0.51),
}
"""Worlds of equal versions, and an effect as small as what a small change of a bot makes in them."""


@dataclass(frozen=True, slots=True)
class Fate:
    """How tests fared: shares of those that said "better", that never ended, and of intervals that hold the truth."""

    better: float
    blocks: float
    """Mean number of blocks."""
    undecided: float
    covered: float


def fate(draw: Draw, truth: float, question: Question, method: Method, tests: int) -> Fate:
    """Simulate tests that look after every block; `truth` is the share of duels that is really won."""
    chance = np.random.default_rng(7)
    sizes = [len(part) for part in np.array_split(np.arange(tests), -(-tests // AT_ONCE))]
    found = np.concatenate([_ends(draw, truth, question, method, size, chance) for size in sizes])
    better, blocks, decided, covered = found.T
    return Fate(better.mean(), blocks.mean(), 1 - decided.mean(), np.nanmean(covered))


def _ends(
    draw: Draw, truth: float, question: Question, method: Method, tests: int, chance: np.random.Generator
) -> Floats:
    """Return for each of some tests whether it said "better", its blocks, whether it ended, whether it covers."""
    found = np.full((tests, 4), np.nan)
    going = np.arange(tests)
    shares = np.zeros((tests, 0))
    while going.size and shares.shape[1] < MOST_BLOCKS:
        shares = np.hstack([shares, draw(chance, (going.size, max(FIRST_BLOCKS, shares.shape[1])))])
        better, short = (side >= 1 for side in curves(shares, question, method))
        ended = (better | short).any(axis=1)
        last = np.where(ended, (better | short).argmax(axis=1), shares.shape[1] - 1)
        found[going, 0] = better[np.arange(going.size), last]
        found[going, 1] = last + 1
        found[going, 2] = ended
        for row in np.flatnonzero(going % SAMPLE == 0):
            low, high = interval(shares[row, : last[row] + 1])
            found[going[row], 3] = low <= truth <= high
        going, shares = going[~ended], shares[~ended]
    return found


def fixed_blocks(draw: Draw, question: Question) -> float:
    """Return the blocks that a test of fixed length takes for the same question, given the draw of equal versions."""
    deviation = draw(np.random.default_rng(1), (400, 500)).std()
    quantiles = NORMAL.inv_cdf(1 - question.alpha) + NORMAL.inv_cdf(1 - question.beta)
    return float((quantiles * deviation / (question.effect - question.floor)) ** 2)
