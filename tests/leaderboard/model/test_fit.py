"""The pairs model and the jackknife, compared with slow and independent calculations of the same numbers."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm
from threadpoolctl import threadpool_info

from ballcourt.leaderboard.model.estimates import MODEL, tables_of
from ballcourt.leaderboard.model.fit import jackknife, pairs
from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import covariance, relative_to
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import BETA
from tests.calibrate.worlds import World, draw_bots, play
from tests.leaderboard.made import random_tables

MATCHES = random_tables(np.random.default_rng(4), bots=5, seats=3, blocks=40)
ENTRANTS = sorted({seat.entrant for played in MATCHES for seat in played.seats})


def loss(theta: Floats, matches: list[MatchResult]) -> float:
    """Return the negative log-posterior of skills, seat effects and log margin, pair by pair."""
    skill, seat, margin = theta[:5], theta[5:8], np.exp(theta[8])
    spread = MODEL.spread
    tied = 2 * norm.cdf(margin / spread) - 1
    total = np.sum(skill**2) / MODEL.sigma**2 / 2 + np.sum(np.log1p(seat**2 / MODEL.seat_sigma**2 / 2))
    total -= MODEL.tie_pairs * (MODEL.tie_rate * np.log(tied) + (1 - MODEL.tie_rate) * np.log(1 - tied))
    for played in matches:
        strength = [skill[ENTRANTS.index(one.entrant)] + seat[number] for number, one in enumerate(played.seats)]
        for one in range(3):
            for other in range(3):
                gap, places = (
                    strength[one] - strength[other],
                    (played.seats[one].placement, played.seats[other].placement),
                )
                if places[0] < places[1]:
                    total -= 2 / 3 * norm.logcdf((gap - margin) / spread)
                elif places[0] == places[1] and one < other:
                    total -= 2 / 3 * np.log(norm.cdf((gap + margin) / spread) - norm.cdf((gap - margin) / spread))
    return float(total)


def test_the_pairs_fit_is_the_maximum_of_the_posterior() -> None:
    found = fit_pairs(tables_of(MATCHES[:30], ENTRANTS), MODEL)
    ours = np.concatenate([found.skill - MODEL.mean, found.seat, [np.log(found.margin)]])
    best = minimize(loss, ours + 0.1, args=(MATCHES[:30],), method="BFGS", options={"gtol": 1e-4})
    assert ours == pytest.approx(best.x, abs=2e-3)
    assert loss(ours, MATCHES[:30]) <= best.fun + 1e-9


def test_the_closed_form_agrees_with_leaving_out_each_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jackknife, "FEW_BLOCKS", 0.0)
    tables = tables_of(MATCHES, ENTRANTS)
    fit = fit_pairs(tables, MODEL)
    inverse = np.linalg.inv(fit.curvature)
    slow = inverse @ np.diag(fit.prior) @ inverse
    for block in range(40):
        rest = fit_pairs(tables_of([m for m in MATCHES if m.deal != f"deal {block}"], ENTRANTS), MODEL)
        moved = np.concatenate([rest.skill - fit.skill, rest.seat - fit.seat, [rest.margin - fit.margin]])
        slow += np.outer(moved, moved)
    expected = relative_to(slow[:5, :5], np.arange(5))
    errors, theirs = np.sqrt(np.diag(covariance(Blocks(tables), fit, MODEL))), np.sqrt(np.diag(expected))
    assert errors == pytest.approx(theirs, rel=0.05)


@pytest.mark.parametrize(("luck", "low", "high"), [(0.0, 1.0, 1.25), (0.9, 1.8, 3.5)])
def test_it_finds_by_how_much_blocks_scatter_more_than_independent_matches(
    luck: float, low: float, high: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, world = np.random.default_rng(6), World(bots=40, blocks=100, deal_suits_bot=luck * BETA)
    tables = play(world, draw_bots(world, chance), chance)
    fit, found = fit_pairs(tables, MODEL), jackknife._alike_inside
    monkeypatch.setattr(jackknife, "_alike_inside", lambda *given: 1e12 * found(*given))
    many = np.diag(covariance(Blocks(tables), fit, MODEL))
    monkeypatch.setattr(jackknife, "_alike_inside", lambda *_: 1e12)
    assert low <= (many / np.diag(covariance(Blocks(tables), fit, MODEL))).mean() < high


def test_the_fit_of_a_large_league_does_not_depend_on_the_sample_it_begins_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = large_league(np.random.default_rng(5), bots=300, matches=40_000)
    sampled = fit_pairs(tables, MODEL)
    monkeypatch.setattr(pairs, "MOST_AT_FIRST", 10**9)
    whole = fit_pairs(tables, MODEL)
    assert sampled.skill == pytest.approx(whole.skill, abs=1e-8)
    assert np.diag(sampled.curvature) == pytest.approx(np.diag(whole.curvature), rel=1e-3)


def large_league(chance: np.random.Generator, bots: int, matches: int) -> Tables:
    """Return tables of four seats, of which a tenth have a tie."""
    strength = chance.normal(0, 4, bots)
    steps = chance.integers(1, bots // 4, (matches, 4))
    seated = (chance.integers(0, bots, (matches, 1)) + steps.cumsum(axis=1)) % bots
    performance = strength[seated] + np.array([1.0, 0.0, 0.0, -1.0]) + chance.normal(0, 4, seated.shape)
    order = np.argsort(-performance, axis=1)
    place = np.tile(np.arange(1, 5), (matches, 1))
    place[::10, 2] = 2
    starts = np.arange(matches + 1) * 4
    entrant = np.take_along_axis(seated, order, axis=1).ravel()
    return Tables(bots, starts, entrant, place.ravel(), order.ravel(), np.arange(matches))


def test_a_fit_uses_one_processor() -> None:
    assert one_thread(threads_of_blas)() == {1}


def threads_of_blas() -> set[int]:
    return {int(library["num_threads"]) for library in threadpool_info() if library["user_api"] == "blas"}
