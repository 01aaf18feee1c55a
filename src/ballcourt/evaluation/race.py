"""A race of many candidates: which few are the best, for as few matches as possible.

All that are left meet the same deals, block by block. After every block bets are made against each candidate: that
another one is better on these deals (see `ballcourt.evaluation.betting`), with an equal part of the
wealth for each other. A candidate leaves when the wealth against it has become `1 / RISK`. Against the best one no such
bet is favourable, so it leaves by bets with a probability of at most `RISK` in the whole race, whatever the results are
like (Ville's inequality).

The budget has as many rounds as it takes to halve the field to those that are kept. After each round the worse half
leaves, by their means over all blocks so far (successive halving: Karnin, Koren, Somekh 2013); that promises nothing.
"""

from collections.abc import Collection, Mapping
from math import ceil, log2
from statistics import fmean
from typing import Final

import numpy as np

from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.betting import log_wealth
from ballcourt.evaluation.question import EFFECT, HALF

RISK: Final = 0.05
"""The most risk that the best candidate is taken for worse than another."""
MOST: Final = 100.0
"""The largest logarithm of a wealth that is distinguished from larger ones."""


class RaceError(WrongInput):
    """There can be no such race; the sentence says why."""


def rounds_of(candidates: int, keep: int) -> int:
    """Return the rounds that halve a field to those that are kept. Raises RaceError if there is no such race."""
    if candidates < 2:
        raise RaceError(f"a race needs at least 2 different candidates, and has {candidates}; evaluate one alone")
    if not 1 <= keep < candidates:
        raise RaceError(f"keep is {keep}; it must be from 1 to {candidates - 1}, fewer than the candidates")
    return max(1, ceil(log2(candidates / keep)))


class Race:
    """A race so far. It is a pure function of the shares of duels won."""

    def __init__(self, candidates: int, keep: int, blocks: int) -> None:
        """`blocks` are the most that are played, counted once for each candidate: at least one in each round.

        Raises RaceError.
        """
        self._rounds = rounds_of(candidates, keep)
        self.alive = list(range(candidates))
        """The candidates that are left, by index."""
        self.played = 0
        """How many blocks each of them has met."""
        self._shares: list[list[float]] = [[] for _ in range(candidates)]
        self._keep = keep
        self._wealth = np.zeros(
            (candidates, candidates)
        )  # logarithms, of bets that the first is better than the second
        self._each, self._left = blocks // self._rounds, blocks
        self._round, self._spent = 1, 0

    @property
    def is_over(self) -> bool:
        """Whether no more is to be played."""
        return len(self.alive) <= self._keep or self._left < len(self.alive)

    def mean(self, candidate: int) -> float:
        """Return the share of its duels that a candidate has won so far."""
        return fmean(self._shares[candidate]) if self._shares[candidate] else 0.0

    def learn(self, shares: Mapping[int, float]) -> None:
        """Add the shares of all candidates that are left, on the next block."""
        for candidate in self.alive:
            self._shares[candidate].append(shares[candidate])
        self.played += 1
        self._spent += len(self.alive)
        self._left -= len(self.alive)
        self._retire_worse()
        if self._spent + len(self.alive) > self._each:
            self._end_round()

    def retire(self, candidates: Collection[int]) -> None:
        """Drop candidates that cannot win, the last ones first, but never below the number that is kept."""
        behind = [one for one in reversed(self.ranked()) if one in candidates]
        gone = behind[: max(0, len(self.alive) - self._keep)]
        self.alive = [candidate for candidate in self.alive if candidate not in gone]

    def ranked(self) -> list[int]:
        """Return the candidates that are left, the best first."""
        return sorted(self.alive, key=lambda candidate: (-self.mean(candidate), candidate))

    def _end_round(self) -> None:
        halved = max(self._keep, ceil(len(self.alive) / 2))
        self.alive = sorted(self.ranked()[:halved])
        self._round, self._spent = self._round + 1, 0
        if self._round <= self._rounds:
            self._each = self._left // (self._rounds - self._round + 1)

    def _retire_worse(self) -> None:
        """Drop those that are known to be worse than others; bets on those that have left stay as they were then."""
        shares = np.array([self._shares[one] for one in self.alive])
        ahead = (1 + shares[:, None] - shares[None]) / 2
        self._wealth[np.ix_(self.alive, self.alive)] = log_wealth(ahead, HALF, EFFECT)[..., -1]
        against = np.exp(np.minimum(self._wealth, MOST)).mean(axis=0)
        self.retire([one for one in self.alive if against[one] >= 1 / RISK])
