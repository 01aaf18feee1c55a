"""Results that all say the same: the calculations that are repeated come to rest, or say that they do not."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ballcourt.leaderboard.model.estimates import MODEL, estimate
from ballcourt.leaderboard.model.fit import ep, pairs
from ballcourt.leaderboard.model.fit.arrays import Tables
from ballcourt.leaderboard.model.fit.ep import Skills, solve
from ballcourt.leaderboard.model.fit.pairs import PairFit, fit_pairs
from ballcourt.leaderboard.model.results import MatchResult, NotConverged
from ballcourt.leaderboard.model.scale import BETA
from tests.leaderboard.made import match, turned


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("wins", [1, 300, 2_000, 3_000, 20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_bot_that_wins_all_matches_is_ahead_of_bots_that_lose_them(wins: int, seats: int) -> None:
    fit, skills = fitted(tables_of(np.tile(np.arange(seats), (wins, 1))))
    assert (np.diff(skills.mu) < 0).all()
    assert (np.diff(fit.skill) < 0).all()
    assert np.abs(skills.mu - fit.skill).max() < 6
    if seats == 2 and (known := {3_000: 38.4, 20_000: 39.6}.get(wins)):  # by EP one match at a time
        assert skills.mu[0] == pytest.approx(known, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wins", "others", "focus", "rest"),
    [(200, 5, 46.9, 20.6), (400, 5, 47.8, 20.4), (600, 5, 48.3, 20.3), (1_000, 5, 48.9, 20.2), (100, 40, 57.5, 24.2)],
)
def test_a_gauntlet_that_one_bot_wins_has_a_rating(wins: int, others: int, focus: float, rest: float) -> None:
    played = np.array([[0, other] for other in range(1, others + 1)]).repeat(wins, axis=0)
    assert np.allclose(fitted(tables_of(played))[1].mu, [focus] + [rest] * others, atol=0.05)
    assert np.allclose(fitted(tables_of(played[:, ::-1]))[1].mu, [50 - focus] + [50 - rest] * others, atol=0.05)


def test_more_wins_do_not_make_a_bot_weaker() -> None:
    leads = [np.ptp(fitted(tables_of(np.tile([0, 1], (wins, 1))))[1].mu) for wins in (10, 100, 1_000, 3_000, 9_000)]
    assert leads == sorted(leads)


def test_bots_in_a_row_are_fitted_however_long_the_row_is() -> None:
    row = np.array([[bot, bot + 1] for bot in range(99)]).repeat(5_000, axis=0)
    assert (np.diff(fit_pairs(tables_of(row), MODEL).skill) < -5).all()


def test_a_limit_of_steps_is_not_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tables_of(np.tile([0, 1], (3_000, 1)))
    fit = fit_pairs(tables, MODEL)
    monkeypatch.setattr(ep, "STEPS", (1.0,))
    with pytest.raises(NotConverged, match="the ratings did not come to rest in 50 steps"):
        solve(tables, fit, MODEL)
    monkeypatch.setattr(pairs, "MOST_STEPS", 3)
    with pytest.raises(NotConverged, match="the strengths did not come to rest in 3 steps"):
        fit_pairs(tables, MODEL)


def test_the_interval_of_a_bot_that_wins_everything_holds_what_both_models_say() -> None:
    others = ("bob", "cid", "dan", "eve", "fay")
    played = [turned(match(f"m{n}{other}", "ann", other), n) for n in range(200) for other in others]
    found = estimate(played)
    ann = found.estimates[0]
    assert ann.rating == pytest.approx(46.0, abs=1.5)
    assert 1.96 * ann.error > 5
    assert "Two models of the same results disagree about ann" in found.cautions[0]


def test_a_lead_that_one_seat_hides_is_as_uncertain_as_the_effect_of_the_seats() -> None:
    """Ann wins all matches in the first seat, one in eight in the second: a lead of .37 beta, if seats differ by 2."""
    played = [match(f"b{n:03}-r0", "ann", "bob") for n in range(40)]
    played += [turned(match(f"b{n:03}-r1", *(("bob", "ann") if n % 8 else ("ann", "bob"))), 1) for n in range(40)]
    ann, bob = sorted(estimate(played).estimates, key=lambda found: found.entrant)
    error = ann.error + bob.error  # two bots are as far below and above the mean
    assert abs(ann.rating - bob.rating - 0.37 * BETA) < 1.96 * error


@pytest.mark.slow
def test_ratings_of_two_bots_are_as_certain_as_they_claim_where_one_wins_nearly_always() -> None:
    chance = np.random.default_rng(3)
    held = [_interval_holds(chance, lead=2.6 * BETA, matches=20) for _ in range(50)]
    assert np.mean(held) > 0.85


def _interval_holds(chance: np.random.Generator, lead: float, matches: int) -> bool:
    found = estimate(_duels(lead + chance.normal(0, 2**0.5 * BETA, matches)))
    [ann] = [one for one in found.estimates if one.entrant.name == "ann"]
    return abs(ann.rating - 25 - lead / 2) < 1.96 * ann.error


def test_results_that_go_up_and_down_for_long_are_named() -> None:
    chance = np.random.default_rng(4)
    steady = chance.normal(0, 2**0.5 * BETA, 300)
    assert estimate(_duels(steady)).cautions == ()
    swings = np.repeat([BETA, -BETA], 50)[np.arange(300) % 100]
    [caution] = estimate(_duels(steady + swings)).cautions
    assert "The results of all bots come in streaks" in caution


@pytest.mark.parametrize("blocks", [10, 40])
def test_a_bot_that_wins_every_match_does_not_come_in_streaks(blocks: int) -> None:
    chance, others = np.random.default_rng(5), ["bob", "cid", "dan", "eve"]
    played = [match(f"b{n:03}-r{turn}", "ann", *chance.permutation(others)) for n in range(blocks) for turn in range(4)]
    assert not [caution for caution in estimate(played).cautions if "streaks" in caution]


def _duels(leads: NDArray[np.float64]) -> list[MatchResult]:
    """Return matches that ann wins where her lead is positive, in this order; two in different seats are a block."""
    played = [match(f"b{n // 2:06}-r{n % 2}", *_by_lead(lead)) for n, lead in enumerate(leads)]
    return [replace(one, seats=one.seats[::-1]) if n % 2 else one for n, one in enumerate(played)]


def _by_lead(lead: float) -> tuple[str, str]:
    return ("ann", "bob") if lead > 0 else ("bob", "ann")


def fitted(tables: Tables) -> tuple[PairFit, Skills]:
    fit = fit_pairs(tables, MODEL)
    return fit, solve(tables, fit, MODEL)


def tables_of(ranked: NDArray[np.int64]) -> Tables:
    """Return a table for each row of entrants, the best first; seats rotate."""
    matches, seats = ranked.shape
    seat = (np.arange(seats) + np.arange(matches)[:, None]) % seats
    place = np.tile(np.arange(1, seats + 1), (matches, 1))
    starts = np.arange(matches + 1) * seats
    block = np.arange(matches) // seats
    return Tables(int(ranked.max()) + 1, starts, ranked.ravel(), place.ravel(), seat.ravel(), block)


def test_a_bot_that_beats_weak_and_strong_bots_alike_does_not_come_in_streaks() -> None:
    chance, played = np.random.default_rng(1), []
    for number in range(120):
        played.append(match(f"m{number:03}a", "ann", ("bob", "cid")[number % 2]))
        played.append(match(f"m{number:03}b", *(("bob", "cid") if chance.random() < 0.8 else ("cid", "bob"))))
    assert not [caution for caution in estimate(played).cautions if "streaks" in caution]
