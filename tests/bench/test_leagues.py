"""The quick form of `python -m tests.bench.leagues`: what the adaptive format is for holds by far in a few leagues."""

from statistics import fmean

import pytest

from ballcourt.arena.tournament.schedules.stop import Separated
from ballcourt.leaderboard.model.precision import Precision
from tests.bench.leagues.simulated import League, order_after, schedule, until_separated

LEAGUES = range(4)
ENTRANTS = 50
MATCHES = 900


def separated(format: str) -> int:
    """Count the leagues in which the best is known after so few matches."""
    leagues = [League(ENTRANTS, seed).played(schedule(format, ENTRANTS, MATCHES)) for seed in LEAGUES]
    return sum(map(Precision([Separated(1, 0.95)], ENTRANTS), leagues))


def test_of_many_bots_the_adaptive_format_finds_the_best_long_before_the_balanced_one() -> None:
    assert separated("adaptive") == len(LEAGUES)
    assert separated("balanced") <= 1


def test_the_order_of_the_others_suffers_little() -> None:
    adaptive, balanced = (
        fmean(order_after(format, League(ENTRANTS, seed), MATCHES) for seed in LEAGUES)
        for format in ("adaptive", "balanced")
    )
    assert adaptive > balanced - 0.05


@pytest.mark.parametrize("format", ["balanced", "adaptive"])
def test_a_league_ends_when_its_best_is_known(format: str) -> None:
    found = until_separated(format, League(8, 1), 1200)
    assert found.separated
    assert found.right
    assert found.matches < 600


def test_a_league_with_two_equal_bests_goes_on_to_its_end() -> None:
    assert not until_separated("balanced", League(4, 0, tie=True), 200).separated
