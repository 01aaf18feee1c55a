"""Points instead of places: what a duel's margin is worth to the bets, which need a number from 0 to 1.

A margin of m points counts (1 + clip(m / 2 s, -1, 1)) / 2, where s is the spread that the game states
(`Game.points_spread`). It is fixed before the first match, so the bets stay fair whatever the margins are.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import exp, pi, sqrt
from statistics import NormalDist, fmean
from typing import Final

from ballcourt.evaluation.duels import Duel
from ballcourt.evaluation.question import Question
from ballcourt.leaderboard.model.scale import REACH

NORMAL: Final = NormalDist()


def points_share(block: Iterable[Duel], spread: float) -> float:
    """Return what the margins of a block are worth, from 0 to 1; 1/2 if both versions make the same points."""
    return fmean(worth(duel.margin / spread) for duel in block)


def worth(margin: float) -> float:
    """Return what a margin is worth, given in spreads."""
    return (1 + max(-1.0, min(1.0, margin / REACH))) / 2


def margin_of(share: float, spread: float) -> float:
    """Return the mean margin in points, each counted up to the reach, that is worth this."""
    return (2 * share - 1) * REACH * spread


def in_points(question: Question) -> Question:
    """Ask the same of points: the shares of duels become what the margins of such versions are worth.

    For that, margins are taken to be normal with the spread of the game. It decides how long a comparison takes; at a
    floor of one half, where equal versions make the same points, nothing depends on it.
    """
    return replace(question, floor=typical_worth(question.floor), effect=typical_worth(question.effect))


def typical_worth(share: float) -> float:
    """Return what margins are worth on average where they are normal, and this share of them is positive."""
    lead = NORMAL.inv_cdf(share)
    low, high = -REACH - lead, REACH - lead
    inside = lead * (NORMAL.cdf(high) - NORMAL.cdf(low)) + _density(low) - _density(high)
    clipped = inside - REACH * NORMAL.cdf(low) + REACH * (1 - NORMAL.cdf(high))
    return (1 + clipped / REACH) / 2


def _density(value: float) -> float:
    return exp(-value * value / 2) / sqrt(2 * pi)
