"""Points beside places: what a margin counts, and what a question of duels asks of points."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.evaluation.duels import Duel
from ballcourt.evaluation.evidence import Measure, Method, Weighing
from ballcourt.evaluation.points import in_points, margin_of, points_share, typical_worth, worth
from ballcourt.evaluation.question import Question
from ballcourt.leaderboard.model.results import LeaderboardError


def of_margins(*margins: float) -> list[Duel]:
    return [Duel(0, 1, 0.5, margin) for margin in margins]


@pytest.mark.parametrize(
    ("margin", "share"), [(0, 0.5), (5, 0.625), (20, 1), (900, 1), (inf, 1), (-10, 0.25), (-inf, 0)]
)
def test_a_margin_counts_up_to_twice_the_spread(margin: float, share: float) -> None:
    assert points_share(of_margins(margin), 10.0) == share


@given(some.floats(allow_nan=False))
def test_what_a_margin_is_worth_mirrors(margin: float) -> None:
    assert worth(margin) + worth(-margin) == pytest.approx(1)


def test_the_mean_of_what_margins_are_worth_is_that_of_margins_within_reach() -> None:
    assert margin_of(points_share(of_margins(3, 5, -2), 10.0), 10.0) == pytest.approx(2)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.55, 0.9])
def test_the_typical_worth_is_that_of_normal_margins_of_which_this_share_is_positive(share: float) -> None:
    margins = np.random.default_rng(1).standard_normal(400_000)
    margins += -np.quantile(margins, 1 - share)
    assert np.mean([np.clip(margins / 2, -1, 1) / 2 + 0.5]) == pytest.approx(typical_worth(share), abs=2e-3)


def test_versions_that_make_the_same_points_are_where_those_that_win_half_of_the_duels_are() -> None:
    assert in_points(Question()).floor == 0.5
    assert in_points(Question(floor=0.48, effect=0.5)).effect == 0.5
    assert 0.5 < in_points(Question()).effect < Question().effect


def test_points_decide_only_in_a_game_that_says_how_far_apart_they_are() -> None:
    with pytest.raises(LeaderboardError, match="does not state how far apart points are"):
        Weighing(Question(), Method.BETTING, None, Measure.POINTS)


@pytest.mark.parametrize("by", list(Measure))
def test_the_measure_that_decides_is_the_one_that_was_asked_for(by: Measure) -> None:
    """A version that wins each duel by a point, out of 20 that count."""
    weighing = Weighing(Question(), Method.BETTING, 10.0, by)
    blocks = [[Duel(0, 1, 1.0, 1.0)]] * 12
    assert weighing.duels(blocks).is_better
    assert weighing.deciding(blocks).is_better == (by is Measure.DUELS)


def test_several_margins_of_a_block_are_one_number() -> None:
    weighing = Weighing(Question(), Method.BETTING, 10.0)
    found = weighing.points([of_margins(20, -20), of_margins(20, 20)])
    assert found is not None
    assert (found.blocks, found.share) == (2, 0.75)
