"""Provisional ratings: the properties they must have, and the pitfalls of the library."""

from dataclasses import replace

import numpy as np
import pytest

from ballcourt.leaderboard.model.ratings import MOST_COMPARED, Ratings
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import MU, SIGMA
from tests.leaderboard.made import alone, entrant, match

NAMES = ("ann", "bob", "cid", "dan")


def rated(*matches: MatchResult) -> Ratings:
    ratings = Ratings()
    for played in matches:
        ratings.add(played)
    return ratings


def test_the_winner_is_rated_higher() -> None:
    ratings = rated(match("m", *NAMES))
    mus = [ratings.of(entrant(name))[0] for name in NAMES]
    assert mus == sorted(mus, reverse=True)


def test_a_tie_makes_ratings_more_certain() -> None:
    ratings = rated(match("m", "ann bob cid dan"))
    assert all(ratings.of(entrant(name))[1] < SIGMA for name in NAMES)


def test_tied_seats_are_rated_alike_wherever_they_sit() -> None:
    played = [match("1", "ann", "bob"), match("2", "ann bob cid", "dan"), match("3", "dan bob ann cid")]
    turned = [replace(one, seats=one.seats[::-1]) for one in played]
    one, other = rated(*played), rated(*turned)
    assert [one.of(entrant(name)) for name in NAMES] == [other.of(entrant(name)) for name in NAMES]


@pytest.mark.parametrize("places", [("ann", "bob"), ("bob", "ann"), ("ann bob",)])
def test_the_widest_gap_in_strength_is_rated_without_an_exception(places: tuple[str, ...]) -> None:
    ratings = Ratings()
    ratings._ratings = {entrant("ann"): ratings._environment.create_rating(5000, 0.1)}
    ratings._ratings[entrant("bob")] = ratings._environment.create_rating(-5000, 0.1)
    ratings.add(match("m", *places))
    assert all(sigma > 0 for _, sigma in map(ratings.of, (entrant("ann"), entrant("bob"))))


def test_a_match_of_one_seat_costs_the_same_however_many_played_its_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, updates = Ratings(), list[str]()
    rate = ratings._rate

    def counted(table: MatchResult) -> None:
        updates.append(table.key)
        rate(table)

    monkeypatch.setattr(ratings, "_rate", counted)
    for number in range(200):
        ratings.add(alone("one deal", f"bot{number:03}", number % 7))
    assert len(updates) <= 200 * MOST_COMPARED
    assert len(updates) > 190 * MOST_COMPARED


def test_a_crowd_on_the_same_deals_is_put_in_order() -> None:
    chance = np.random.default_rng(1)
    ratings, points = Ratings(), np.arange(40.0)
    for deal in range(10):
        for bot in chance.permutation(40):
            ratings.add(alone(f"deal {deal}", f"bot{bot:02}", round(points[bot] + chance.normal(0, 4))))
    mus = [ratings.of(entrant(f"bot{bot:02}"))[0] for bot in range(40)]
    assert np.corrcoef(mus, points)[0, 1] > 0.9


def test_a_deal_that_few_played_is_compared_with_all_of_them() -> None:
    """The first is beaten by every other one, and knows it."""
    ratings = Ratings()
    for name, points in zip(NAMES, (1.0, 2.0, 3.0, 4.0), strict=True):
        ratings.add(alone("deal", name, points))
    mus = [ratings.of(entrant(name))[0] for name in NAMES]
    assert mus == sorted(mus)


@pytest.mark.parametrize("played", [match("m", "ann"), match("m", "ann", "ann")])
def test_uninformative_matches_leave_ratings_unchanged(played: MatchResult) -> None:
    assert rated(played).of(entrant("ann")) == (MU, SIGMA)
