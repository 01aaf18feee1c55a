"""Bets: they must be fair whatever the distribution, and find the interval that they say."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.optimize import brentq

from ballcourt.evaluation.betting import Floats, interval, log_wealth
from ballcourt.evaluation.evidence import Method, curves
from ballcourt.evaluation.gsprt import log_ratio
from ballcourt.evaluation.question import Question


@given(some.floats(0.05, 0.5), some.floats(0.01, 0.45), some.floats(0.0, 1.0))
def test_a_gambler_without_an_edge_gains_nothing_on_average(mean: float, gain: float, low: float) -> None:
    """Over all courses of four blocks of any two-valued distribution with this mean: the bets see only the past."""
    below, above = low * mean, mean + (1 - mean) * (gain + 0.05)
    up = (mean - below) / (above - below)
    total = 0.0
    for course in product((True, False), repeat=4):
        chance = np.prod([up if won else 1 - up for won in course])
        shares = np.array([above if won else below for won in course])
        total += float(chance) * exp(log_wealth(shares, mean, min(mean + gain, 0.99))[-1])
    assert total == pytest.approx(1.0, abs=1e-9)


def test_wealth_never_runs_out() -> None:
    lost = log_wealth(np.zeros(500), 0.5, 0.55)
    assert np.isfinite(lost).all()
    assert (np.diff(lost) <= 0).all()


def test_the_wealth_after_a_block_does_not_depend_on_later_ones() -> None:
    shares = np.random.default_rng(1).random(50)
    whole = log_wealth(shares, 0.5, 0.55)
    assert whole[:20] == pytest.approx(log_wealth(shares[:20], 0.5, 0.55))


def test_many_tests_at_once_are_the_same_as_one_by_one() -> None:
    shares = np.random.default_rng(2).random((4, 30))
    assert log_wealth(shares, 0.5, 0.55) == pytest.approx(np.array([log_wealth(row, 0.5, 0.55) for row in shares]))
    low, high = interval(shares)
    assert [(low[row], high[row]) for row in range(4)] == [interval(row) for row in shares]


@given(some.lists(some.floats(0, 1), min_size=1, max_size=60))
def test_the_interval_holds_the_mean_of_the_blocks_and_mirrors(values: list[float]) -> None:
    shares = np.array(values)
    low, high = interval(shares)
    assert 0 <= low <= shares.mean() + 1e-9
    assert shares.mean() - 1e-9 <= high <= 1
    mirrored = interval(1 - shares)
    assert np.allclose((1 - mirrored[1], 1 - mirrored[0]), (low, high), atol=1e-4)


def test_the_interval_closes_in() -> None:
    shares = np.random.default_rng(3).choice([0.0, 0.5, 1.0], 4000)
    widths = [np.subtract(*interval(shares[:blocks])[::-1]) for blocks in (40, 400, 4000)]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]
    assert widths[2] < 0.06


def test_versions_that_never_differ_fall_short_of_any_effect() -> None:
    better, short = curves(np.full(80, 0.5), Question(), Method.BETTING)
    assert better[-1] <= 0
    assert short[-1] > 1


@pytest.mark.parametrize(("wins", "verdict"), [(1.0, True), (0.0, False)])
def test_a_version_that_wins_everything_is_found_out_within_ten_deals(wins: float, verdict: bool) -> None:
    better, short = curves(np.full(10, wins), Question(), Method.BETTING)
    assert (better[-1] >= 1, short[-1] >= 1) == (verdict, not verdict)


def test_the_ratio_is_that_of_normal_distributions_with_their_most_likely_variances() -> None:
    shares = np.random.default_rng(4).normal(0.53, 0.2, 400)
    ratio = log_ratio(shares, Question())[-1]
    at_floor, at_effect = (np.mean((shares - mean) ** 2) for mean in (0.5, 0.55))
    assert ratio == pytest.approx(200 * log(at_floor / at_effect), abs=0.05)


def most_likely(frequencies: Floats, mean: float) -> Floats:
    """Return the most likely chances of 0, 1/4, 1/2, 3/4 and 1 with this mean, as fishtest finds them."""
    away = np.linspace(0, 1, 5) - mean
    tilt = brentq(lambda tilt: frequencies @ (away / (1 + tilt * away)), 1e-6 - 1 / away[-1], -1e-6 - 1 / away[0])
    return np.asarray(frequencies / (1 + tilt * away))


@pytest.mark.parametrize("seed", range(4))
def test_the_ratio_of_two_seats_is_that_of_the_pentanomial_model(seed: int) -> None:
    shares = np.random.default_rng(seed).choice(np.linspace(0, 1, 5), 600, p=[0.1, 0.2, 0.35, 0.22, 0.13])
    frequencies = np.bincount((4 * shares).astype(int), minlength=5) / shares.size
    question = Question(effect=0.54)
    chances = [most_likely(frequencies, mean) for mean in (question.floor, question.effect)]
    theirs = shares.size * float(frequencies @ np.log(chances[1] / chances[0]))
    assert log_ratio(shares, question)[-1] == pytest.approx(theirs, abs=0.1)


def test_a_ratio_test_that_has_ended_is_not_reopened() -> None:
    """Its risks hold only if it stops; more blocks do not turn its answer."""
    shares = np.concatenate([np.full(60, 0.5), np.full(400, 1.0)])
    better, short = curves(shares, Question(), Method.GSPRT)
    assert short.max() >= 1
    assert better.max() < 1


def test_bets_may_be_reopened_and_say_more() -> None:
    shares = np.concatenate([np.full(60, 0.5), np.full(400, 1.0)])
    better, short = curves(shares, Question(), Method.BETTING)
    assert short.max() >= 1
    assert better[-1] >= 1


def test_an_interval_for_a_width_holds_at_any_time_and_is_that_narrow_sooner() -> None:
    chance, shares = np.random.default_rng(6), []
    for _ in range(300):
        shares.append(chance.binomial(2, 0.4, 400) / 2)
    looks = np.array(shares)
    wrong = np.zeros(len(looks), np.bool_)
    sooner = []
    for size in range(10, 401, 10):
        low, high = interval(looks[:, :size], half_width=0.06)
        wrong |= (low > 0.4) | (high < 0.4)
        even_low, even_high = interval(looks[:, :size])
        sooner.append((float(np.mean(high - low)), float(np.mean(even_high - even_low))))
    assert wrong.mean() <= 0.05
    tuned, even = (next(n for n, widths in enumerate(sooner) if widths[which] <= 0.12) for which in (0, 1))
    assert (tuned + 1) / (even + 1) < 0.8


def test_bets_for_a_width_never_lose_more_than_there_is() -> None:
    shares = np.array([0.9] * 60 + [0.0] * 2)
    low, high = interval(shares, half_width=0.45)
    assert 0.5 < low < shares.mean() < high < 1
