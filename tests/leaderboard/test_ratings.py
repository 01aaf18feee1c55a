"""Ratings: the properties they must have, and the pitfalls of the library."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ballcourt.leaderboard.ratings import MU, SIGMA, TYPICAL_TIE_RATE, Ratings, rate, tie_rate
from ballcourt.leaderboard.results import MatchResult
from tests.leaderboard.made import entrant, match

NAMES = ("ann", "bob", "cid", "dan")


@some.composite
def tables(draw: some.DrawFn) -> list[MatchResult]:
    """Return a few matches of two to four entrants, some of them with ties."""
    made = []
    for number in range(draw(some.integers(1, 12))):
        names = draw(some.permutations(NAMES))[: draw(some.integers(2, 4))]
        cuts = draw(some.lists(some.booleans(), min_size=len(names) - 1, max_size=len(names) - 1))
        line = names[0] + "".join(("|" if cut else " ") + name for cut, name in zip(cuts, names[1:], strict=True))
        made.append(match(f"m{number:02}", *line.split("|")))
    return made


@settings(max_examples=15, deadline=None)
@given(tables(), some.randoms())
def test_ratings_do_not_depend_on_the_order_in_which_matches_ended(matches: list[MatchResult], chance: object) -> None:
    shuffled = matches[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = rate(matches), rate(shuffled)
    assert [first.of(entrant(name)) for name in NAMES] == [second.of(entrant(name)) for name in NAMES]


@settings(max_examples=10, deadline=None)
@given(tables(), some.randoms())
def test_ratings_hardly_depend_on_the_keys_of_matches(matches: list[MatchResult], chance: object) -> None:
    keys = [played.key for played in matches]
    chance.shuffle(keys)  # type: ignore[attr-defined]
    first = rate(matches)
    second = rate([replace(played, key=key) for played, key in zip(matches, keys, strict=True)])
    for name in NAMES:
        assert second.of(entrant(name)) == pytest.approx(first.of(entrant(name)), abs=0.05)


def test_whoever_wins_more_of_the_same_matches_is_rated_higher() -> None:
    """A single pass gets this wrong: later matches count for more."""
    won = "bbbbbbaaaa"
    matches = [match(f"m{n}", *(("bob", "ann") if who == "b" else ("ann", "bob"))) for n, who in enumerate(won)]
    ratings = rate(matches)
    assert ratings.of(entrant("bob"))[0] > ratings.of(entrant("ann"))[0]


def test_equal_records_give_equal_ratings() -> None:
    ratings = rate([match("m1", "ann", "bob"), match("m2", "bob", "ann")])
    assert ratings.of(entrant("ann"))[0] == pytest.approx(ratings.of(entrant("bob"))[0], abs=0.01)


@pytest.mark.parametrize("order", list(permutations(NAMES)))
def test_the_seats_of_tied_entrants_do_not_matter(order: tuple[str, ...]) -> None:
    usual = match("m", "ann", "bob cid dan")
    by_name = {seat.entrant.name: seat for seat in usual.seats}
    seated = replace(usual, seats=tuple(by_name[name] for name in order))
    assert [rate([seated]).of(entrant(name)) for name in NAMES] == [rate([usual]).of(entrant(name)) for name in NAMES]


def test_a_tie_makes_ratings_more_certain() -> None:
    ratings = rate([match("m", "ann bob cid dan")])
    assert all(ratings.of(entrant(name))[1] < SIGMA for name in NAMES)


def test_the_tie_rate_is_measured_and_never_zero() -> None:
    assert tie_rate([]) == TYPICAL_TIE_RATE
    decisive = [match(f"m{n}", "ann", "bob") for n in range(1000)]
    tied = [match(f"m{n}", "ann bob") for n in range(1000)]
    assert 0 < tie_rate(decisive) < TYPICAL_TIE_RATE
    assert 0.8 < tie_rate(tied) < 1


@pytest.mark.parametrize("places", [("ann", "bob"), ("bob", "ann"), ("ann bob",)])
def test_the_widest_gap_in_strength_is_rated_without_an_exception(places: tuple[str, ...]) -> None:
    ratings = Ratings()
    ratings._ratings = {entrant("ann"): ratings._environment.create_rating(5000, 0.1)}
    ratings._ratings[entrant("bob")] = ratings._environment.create_rating(-5000, 0.1)
    ratings.add(match("m", *places))
    assert all(sigma > 0 for _, sigma in map(ratings.of, (entrant("ann"), entrant("bob"))))


def test_a_long_series_of_one_sided_matches_stays_finite() -> None:
    ratings = rate([match(f"m{n:03}", "ann", "bob", "cid", "dan") for n in range(60)])
    mus = [ratings.of(entrant(name))[0] for name in NAMES]
    assert mus == sorted(mus, reverse=True)
    assert all(abs(mu) < 200 for mu in mus)


@pytest.mark.parametrize("played", [match("m", "ann"), match("m", "ann", "ann")])
def test_matches_that_compare_nobody_leave_ratings_unchanged(played: MatchResult) -> None:
    assert rate([played]).of(entrant("ann")) == (MU, SIGMA)


def test_the_mean_of_all_ratings_is_that_of_a_newcomer() -> None:
    ratings = rate([match(f"m{n}", *NAMES) for n in range(9)])
    assert sum(ratings.of(entrant(name))[0] for name in NAMES) / 4 == pytest.approx(MU)
