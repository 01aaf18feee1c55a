"""Ratings under other rules begin with those before, but less certain; what is played then outweighs them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.model.scale import SIGMA
from ballcourt.leaderboard.model.standings import Board, boards, by_ladder
from tests.leaderboard.made import match, turned

OLD = Ladder("bluff", "1", 2, ())
NEW = Ladder("bluff", "2", 2, (("night", "yes"),), "1")


def under(ladder: Ladder, key: str, *places: str, turns: int = 0) -> MatchResult:
    return replace(turned(match(key, *places), turns), ladder=ladder)


def three_in_four(ladder: Ladder, better: str, other: str) -> list[MatchResult]:
    """Return matches of which the better one wins three in four, in both seats."""
    return [
        under(ladder, f"b{number:06}-r0", *(better, other) if number % 4 else (other, better), turns=number // 4)
        for number in range(80)
    ]


def ratings(board: Board) -> Mapping[str, float]:
    return {row.entrant.name: row.rating for row in board.rows}


def errors(board: Board) -> Mapping[str, float]:
    return {row.entrant.name: row.sigma for row in board.rows}


BEFORE = three_in_four(OLD, "ann", "bob")
EVEN = [under(NEW, "b000100-r0", "ann", "bob"), under(NEW, "b000100-r1", "bob", "ann")]


def test_the_table_before_stays_as_it_was() -> None:
    found = boards(by_ladder([*EVEN, *BEFORE]))
    assert found[OLD] == boards(by_ladder(BEFORE))[OLD]
    assert [*found] == [OLD, NEW]


def test_first_results_move_a_rating_from_where_it_was() -> None:
    found = boards(by_ladder([*BEFORE, *EVEN]))
    old, new, alone = ratings(found[OLD]), ratings(found[NEW]), ratings(boards(by_ladder(EVEN))[NEW])
    assert alone["ann"] == pytest.approx(25, abs=0.1), "one win each"
    assert 25 + (old["ann"] - 25) / 3 < new["ann"] < old["ann"]
    assert errors(found[OLD])["ann"] < errors(found[NEW])["ann"] < errors(boards(by_ladder(EVEN))[NEW])["ann"]


def test_many_results_outweigh_what_was_before() -> None:
    other_way = three_in_four(NEW, "bob", "ann")
    new = ratings(boards(by_ladder([*BEFORE, *other_way]))[NEW])
    alone = ratings(boards(by_ladder(other_way))[NEW])
    assert new["bob"] > new["ann"]
    assert new["bob"] == pytest.approx(alone["bob"], abs=1.0)


def test_a_bot_that_is_new_begins_as_everywhere() -> None:
    joined = [*EVEN, under(NEW, "b000101-r0", "cid", "bob"), under(NEW, "b000101-r1", "bob", "cid")]
    new = boards(by_ladder([*BEFORE, *joined]))[NEW]
    assert errors(new)["cid"] > errors(new)["ann"]
    assert errors(new)["cid"] < SIGMA


def test_ladders_that_claim_to_follow_each_other_are_rated_all_the_same() -> None:
    circle = Ladder("bluff", "1", 2, (), "2"), Ladder("bluff", "2", 2, (), "1")
    found = boards(by_ladder([under(circle[0], "a", "ann", "bob"), under(circle[1], "b", "ann", "bob")]))
    assert {*found} == {*circle}


def test_other_games_seats_and_options_are_no_beginning() -> None:
    for other in (replace(OLD, game="maya"), replace(OLD, seats=3), replace(OLD, options=(("night", "no"),))):
        assert not NEW.is_next(other)
    assert NEW.is_next(OLD)
