"""Matches of one seat: entrants are compared on the same deal only."""

import pytest

from ballcourt.leaderboard.model.comparisons import comparisons
from ballcourt.leaderboard.model.estimates import estimate
from ballcourt.leaderboard.model.ratings import Ratings
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import MU, SIGMA
from tests.leaderboard.made import alone, board, entrant, match


def places(table: MatchResult) -> dict[str, int]:
    return {seat.entrant.name: seat.placement for seat in table.seats}


def test_beating_the_rival_comes_before_points_and_equal_results_are_tied() -> None:
    played = [alone("d", "ann", 9, house=10), alone("d", "bob", 5, house=4), alone("d", "cid", 5, house=4)]
    (table,) = comparisons([*played, alone("d", "dan", 7, house=4)])
    assert places(table) == {"dan": 1, "bob": 2, "cid": 2, "ann": 4}


def test_a_vacated_seat_comes_last() -> None:
    (table,) = comparisons([alone("d", "faulty", 30), alone("d", "ann", -2), alone("d", "faulty too", 20)])
    assert places(table) == {"ann": 1, "faulty": 2, "faulty too": 2}


def test_only_matches_on_the_same_deal_are_compared() -> None:
    tables = comparisons([alone("d", "ann", 1), alone("e", "bob", 2), alone("e", "ann", 3), alone("d", "bob", 4)])
    assert sorted(map(sorted, (places(table).items() for table in tables))) == [
        [("ann", 1), ("bob", 2)],
        [("ann", 2), ("bob", 1)],
    ]


def test_a_deal_played_twice_counts_once() -> None:
    first = [alone("d", "ann", 1), alone("d", "bob", 2)]
    again = [alone("d", "ann", 3, tournament="second cup"), alone("d", "cid", 0, tournament="second cup")]
    (table,) = comparisons([*again, *first])
    assert places(table) == {"bob": 1, "ann": 2, "cid": 3}


def test_matches_of_several_seats_are_unchanged() -> None:
    played = [match("m1", "ann", "bob"), match("m2", "bob", "ann")]
    assert comparisons(reversed(played)) == played


def test_solo_ratings_follow_the_comparisons() -> None:
    """Cid scores the most points, but on deals that no other bot played."""
    deals = [f"d{number}" for number in range(6)]
    played = [alone(deal, name, score) for deal in deals for name, score in (("ann", 6), ("bob", 4))]
    field = estimate([*played, *(alone(f"own {deal}", "cid", 50) for deal in deals)])
    assert [found.entrant.name for found in field.estimates] == ["ann", "cid", "bob"]
    cid = field.estimates[1]
    assert cid.rating == pytest.approx(MU)
    assert cid.error > SIGMA / 2
    assert cid.ranks == (1, 3)


def test_running_ratings_compare_solo_matches_as_they_come_in() -> None:
    ratings = Ratings()
    for played in (alone("d", "ann", 6), alone("e", "bob", 9), alone("d", "bob", 4), alone("d", "bob", 4)):
        ratings.add(played)
    assert ratings.of(entrant("ann"))[0] > MU > ratings.of(entrant("bob"))[0]


def test_a_row_shows_wins_against_the_rival_and_its_points() -> None:
    played = [alone("d", "ann", 6, house=2), alone("d", "bob", 6, house=6), alone("e", "ann", 1), alone("e", "bob", 3)]
    ann, bob = sorted(board(played).rows, key=lambda row: row.entrant)
    assert (ann.wins, bob.wins) == (0.5, 0.5)
    assert (ann.beaten, bob.beaten) == (0.25, 0.75)
    assert (ann.score, bob.score) == (3.5, 4.5)
    assert ann.rivals == {"the house": 2.5}
    assert bob.rivals == {"the house": pytest.approx(4.5)}
