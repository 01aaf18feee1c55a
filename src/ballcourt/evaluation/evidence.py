"""How far the blocks so far have decided a comparison, whichever test weighs them, by duels and by points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log
from statistics import fmean

import numpy as np

from ballcourt.evaluation.betting import (
    PRIOR_BLOCKS,
    PRIOR_VARIANCE,
    Floats,
    furthest,
    interval,
    log_wealth,
)
from ballcourt.evaluation.duels import Duel, share_won
from ballcourt.evaluation.gsprt import bounds, log_ratio
from ballcourt.evaluation.points import in_points, margin_of, points_share
from ballcourt.evaluation.question import Question, percent
from ballcourt.leaderboard.model.results import LeaderboardError


class Method(StrEnum):
    """What weighs the evidence."""

    BETTING = "betting"
    GSPRT = "gsprt"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the blocks so far say. Shares are from 0 to 1; `better` and `short` reach 1 where they decide."""

    blocks: int
    share: float
    """Mean share of duels that the new version won, a tie counting half."""
    low: float
    high: float
    """The ends of its 95 % interval, which holds at any time."""
    better: float
    """Evidence that the true share is above the floor; below 0 it is evidence against that."""
    short: float
    """Evidence that the true share is below the effect."""
    is_better: bool
    """Whether the share is above the floor, by the test."""
    is_short: bool
    """Whether the share is below the effect, by the test. It may be above the floor nevertheless."""

    blocks_to_go: int
    """About how many more blocks will decide."""
    bound: float | None = None
    """Where the same one-sided test puts the share: above it if that is better, else below it if that is short; None
    while neither is decided, and under the probability ratio test, whose bets are for two shares only."""

    @property
    def is_decided(self) -> bool:
        """Whether the test has come to an end."""
        return self.is_better or self.is_short


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over blocks, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float
    blocks: int


def weigh(
    blocks: Sequence[float] | Floats, question: Question, method: Method, half_width: float | None = None
) -> Evidence:
    """Weigh the share of duels won in each block, in the order of the blocks, for an interval of a half width."""
    shares = np.asarray(blocks, np.float64)
    if not shares.size:
        to_go = _blocks_to_go(shares, question, 0.0)
        return Evidence(0, question.floor, 0.0, 1.0, 0.0, 0.0, is_better=False, is_short=False, blocks_to_go=to_go)
    better, short = curves(shares, question, method)
    low, high = interval(shares, half_width=half_width)
    is_better, is_short = bool((better >= 1).any()), bool((short >= 1).any())
    return Evidence(
        blocks=shares.size,
        share=float(shares.mean()),
        low=float(low),
        high=float(high),
        better=float(better[-1]),
        short=float(short[-1]),
        is_better=is_better,
        is_short=is_short,
        blocks_to_go=_blocks_to_go(shares, question, _nearest(better, short)),
        bound=_bound(shares, question, is_better) if (is_better or is_short) and method is Method.BETTING else None,
    )


def mean_of(values: Sequence[float], least: float = 0.0) -> Mean:
    """Return the mean of values from `least` to 1."""
    width = 1 - least
    low, high = interval((np.array(values) - least) / width)
    return Mean(fmean(values), least + width * float(low), least + width * float(high), len(values))


def _bound(shares: Floats, question: Question, is_better: bool) -> float:
    """Return the share furthest from the floor (or the effect, downwards) that the bets of the answer refute too."""
    if is_better:
        return furthest(shares, question.floor, question.effect - question.floor, question.alpha)
    return 1 - furthest(1 - shares, 1 - question.effect, question.effect - question.floor, question.beta)


def curves(shares: Floats, question: Question, method: Method) -> tuple[Floats, Floats]:
    """Return the evidence for "better" and for "short" after each block, along the last axis; at 1 it decides.

    Under the probability ratio test it stays where it was when one of them decided, as that test must end there.
    """
    if method is Method.GSPRT:
        lower, upper = bounds(question)
        ratio = _ended(log_ratio(shares, question), lower, upper)
        return ratio / upper, ratio / lower
    above = log_wealth(shares, question.floor, question.effect)
    below = log_wealth(1 - shares, 1 - question.effect, 1 - question.floor)
    return above / log(1 / question.alpha), below / log(1 / question.beta)


def _nearest(better: Floats, short: Floats) -> float:
    """Return how near one of them is to a decision, from 0 to 1."""
    is_over = bool((better >= 1).any() or (short >= 1).any())
    return 1.0 if is_over else max(float(better[-1]), float(short[-1]), 0.0)


def _blocks_to_go(shares: Floats, question: Question, nearest: float) -> int:
    """Guess what the rest of the evidence takes: as long per unit as so far, but no longer than a typical comparison.

    That is one whose true share is the floor or the effect.
    """
    if nearest >= 1:
        return 0
    variance = (PRIOR_BLOCKS * PRIOR_VARIANCE + float(((shares - question.floor) ** 2).sum())) / (
        PRIOR_BLOCKS + shares.size
    )
    typical = 2 * log(1 / question.alpha) * variance / (question.effect - question.floor) ** 2
    as_before = shares.size / nearest if nearest > 0 else typical
    return max(1, round(min(as_before, typical) * (1 - nearest)))


def _ended(ratio: Floats, lower: float, upper: float) -> Floats:
    over = (ratio <= lower) | (ratio >= upper)
    first = np.where(over.any(axis=-1), over.argmax(axis=-1), ratio.shape[-1] - 1)[..., None]
    stopped = np.minimum(np.arange(ratio.shape[-1]), first)
    return np.take_along_axis(ratio, stopped, axis=-1)


class Measure(StrEnum):
    """What decides a comparison."""

    DUELS = "duels"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Weighing:
    """The question, the test that weighs its evidence, and which of the two measures decides.

    Raises LeaderboardError if points decide in a game that states no spread.
    """

    question: Question
    method: Method
    spread: float | None = None
    """That of the game, `Game.points_spread`; without one, points are not weighed."""
    by: Measure = Measure.DUELS

    def __post_init__(self) -> None:
        if self.by is Measure.POINTS and self.spread is None:
            raise LeaderboardError(
                "this game does not state how far apart points are (points_spread); compare by duels instead"
            )

    @property
    def decides_on(self) -> Question:
        """The question as the deciding measure is asked it."""
        return in_points(self.question) if self.by is Measure.POINTS else self.question

    @property
    def unit(self) -> str:
        """What a share of the deciding measure is of."""
        return "points a duel" if self.by is Measure.POINTS else "of the duels"

    def duels(self, blocks: Iterable[Sequence[Duel]]) -> Evidence:
        """Weigh the shares of duels won in each block."""
        return weigh([share_won(block) for block in blocks], self.question, self.method)

    def points(self, blocks: Iterable[Sequence[Duel]]) -> Evidence | None:
        """Weigh the margins of each block; None where points are not weighed."""
        if self.spread is None:
            return None
        return weigh([points_share(block, self.spread) for block in blocks], in_points(self.question), self.method)

    def deciding(self, blocks: Iterable[Sequence[Duel]]) -> Evidence:
        """Weigh what decides."""
        return (self.points(blocks) if self.by is Measure.POINTS else None) or self.duels(blocks)

    def written(self, share: float) -> str:
        """Write a share as the deciding measure shows it: of duels, or as points of margin."""
        return self._margin(share) or f"{share:.1%}"

    def bound_written(self, share: float) -> str:
        """Write the floor or the effect that was asked for."""
        return self._margin(share) or percent(share)

    def _margin(self, share: float) -> str:
        is_by_points = self.by is Measure.POINTS and self.spread is not None
        return f"{margin_of(share, self.spread or 0.0):+.1f}" if is_by_points else ""
