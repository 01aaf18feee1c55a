"""Provisional ratings: the properties they must have, and the pitfalls of the library."""

import pytest

from ballcourt.leaderboard.ratings import Ratings
from ballcourt.leaderboard.results import MatchResult
from ballcourt.leaderboard.scale import MU, SIGMA
from tests.leaderboard.made import entrant, match

NAMES = ("ann", "bob", "cid", "dan")


def rated(*matches: MatchResult) -> Ratings:
    ratings = Ratings()
    for played in matches:
        ratings.add(played)
    return ratings


def test_whoever_wins_is_rated_higher() -> None:
    ratings = rated(match("m", *NAMES))
    mus = [ratings.of(entrant(name))[0] for name in NAMES]
    assert mus == sorted(mus, reverse=True)


def test_a_tie_makes_ratings_more_certain() -> None:
    ratings = rated(match("m", "ann bob cid dan"))
    assert all(ratings.of(entrant(name))[1] < SIGMA for name in NAMES)


@pytest.mark.parametrize("places", [("ann", "bob"), ("bob", "ann"), ("ann bob",)])
def test_the_widest_gap_in_strength_is_rated_without_an_exception(places: tuple[str, ...]) -> None:
    ratings = Ratings()
    ratings._ratings = {entrant("ann"): ratings._environment.create_rating(5000, 0.1)}
    ratings._ratings[entrant("bob")] = ratings._environment.create_rating(-5000, 0.1)
    ratings.add(match("m", *places))
    assert all(sigma > 0 for _, sigma in map(ratings.of, (entrant("ann"), entrant("bob"))))


@pytest.mark.parametrize("played", [match("m", "ann"), match("m", "ann", "ann")])
def test_uninformative_matches_leave_ratings_unchanged(played: MatchResult) -> None:
    assert rated(played).of(entrant("ann")) == (MU, SIGMA)
