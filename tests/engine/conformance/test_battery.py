"""The battery finds every kind of broken game, and says where the problem is."""

from collections.abc import Mapping

import pytest

from ballcourt.engine.conformance import CHECKS, Walk, check
from ballcourt.engine.core import Game, InvalidOption, Option
from tests.bluff import GAME as BLUFF
from tests.engine.conformance import broken


@pytest.mark.parametrize(
    ("game", "name"), [pytest.param(game, name, id=game.__name__) for game, name in broken.CAUGHT_BY]
)
def test_a_broken_game_is_caught_by_the_right_check(game: type[Game], name: str) -> None:
    checks = tuple(one for one in CHECKS if one.name == name)
    assert check(game(), matches=8, checks=checks).failures() == [name]


def test_every_check_has_a_game_that_fails_it() -> None:
    assert {name for _, name in broken.CAUGHT_BY} == {one.name for one in CHECKS}


def test_the_sound_variant_of_the_broken_games_passes() -> None:
    assert check(broken.Variant(), matches=8).failures() == []


def test_a_problem_says_in_which_match_and_where_it_was_found() -> None:
    report = check(broken.ListsDownwards(), matches=1, seed=5, seats=2)
    legal = next(result for result in report.results if result.check.name == "legal")
    assert legal.problems[0].startswith("2 seats, seed 5, rounds=")
    assert ", after 0 decisions: " in legal.problems[0]
    assert not report.passed


def test_a_game_that_crashes_is_reported_and_never_raises() -> None:
    report = check(broken.Crashes(), matches=2)
    ends = next(result for result in report.results if result.check.name == "ends")
    assert "KeyError" in ends.problems[0]


@pytest.mark.slow
def test_a_report_with_many_problems_stays_readable() -> None:
    report = check(broken.ListsDownwards(), matches=10)
    assert max(len(result.problems) for result in report.results) <= 6


def test_a_walk_depends_only_on_its_seed() -> None:
    one, same, other = Walk(BLUFF, 3, seed=4), Walk(BLUFF, 3, seed=4), Walk(BLUFF, 3, seed=5)
    assert one.decisions == same.decisions
    assert one.digests == same.digests
    assert one.decisions != other.decisions


def test_options_are_drawn_unless_they_are_given() -> None:
    assert {Walk(BLUFF, 2, seed).options["rounds"] for seed in range(12)} == {"1", "3", "100"}
    assert {Walk(BLUFF, 2, seed, {"rounds": "1"}).options["rounds"] for seed in range(12)} == {"1"}


class Picky(broken.Variant):
    """Bluff with a second option that forbids most values of the first."""

    options = (*BLUFF.options, Option("open", "whether bids are open", ("no", "yes"), "no"))

    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        completed = super().check(seats, options)
        if completed["open"] == "yes" and completed["rounds"] != "1":
            raise InvalidOption("open bids are for one round")
        return completed


def test_an_option_that_conflicts_with_earlier_ones_keeps_its_default() -> None:
    drawn = {tuple(Walk(Picky(), 2, seed).options.values()) for seed in range(40)}
    assert drawn == {("1", "no"), ("1", "yes"), ("3", "no"), ("100", "no")}


def test_an_impossible_table_is_refused() -> None:
    with pytest.raises(InvalidOption, match="open bids are for one round"):
        check(Picky(), options={"open": "yes"})


def test_the_matches_of_a_run_cycle_through_the_seat_counts() -> None:
    report = check(broken.Crashes(), matches=4)
    ends = next(result for result in report.results if result.check.name == "ends")
    assert [problem[0] for problem in ends.problems] == ["1", "2", "3", "4"]
