"""Who is placed above whom: numbers from results whose truth is known, and tables of every width."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from ballcourt.leaderboard.studies.head_to_head import HeadToHead, Meeting, duel, head_to_head, labels, matrix, to_csv
from tests.leaderboard.made import alone, entrant, match, random_tables

ANN, BOB, CID = entrant("ann"), entrant("bob"), entrant("cid")
MATCHES = [
    match("b000000-r0", "ann", "bob", "cid"),
    match("b000001-r0", "ann bob", "cid"),
    match("b000002-r0", "bob", "ann", "cid"),
    replace(match("b000003-r0", "bob", "ann", "cid"), started="2026-11-22T18:30:05Z"),
]


def meeting(found: HeadToHead, one: str, other: str) -> Meeting:
    return next(row for row in found.rows[entrant(one)] if row.other == entrant(other))


def test_a_share_counts_ties_half_and_a_pair_in_either_order_adds_up_to_one() -> None:
    found = head_to_head(MATCHES)
    ann, bob = meeting(found, "ann", "bob"), meeting(found, "bob", "ann")
    assert (ann.share.meetings, ann.share.blocks) == (4, 4)
    assert ann.share.value == pytest.approx(1.5 / 4)
    assert ann.share.value + bob.share.value == pytest.approx(1)
    assert (ann.share.low, ann.share.high) == pytest.approx((1 - bob.share.high, 1 - bob.share.low))
    assert ann.predicted + bob.predicted == pytest.approx(1)


def test_named_bots_get_rows_against_the_whole_field() -> None:
    found = head_to_head(MATCHES, ["cid"])
    assert list(found.rows) == [CID]
    assert {row.other for row in found.rows[CID]} == {ANN, BOB}


def test_predictions_follow_ratings_and_cycles_surprise_them() -> None:
    beats = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    played = [match(f"b{n:06d}-r0", *beats[n % 3]) for n in range(90)]
    found = head_to_head([replace(one, seats=one.seats[::-1]) if n % 2 else one for n, one in enumerate(played)])
    rows = [row for rows in found.rows.values() for row in rows]
    assert all(row.surprising and row.predicted == pytest.approx(0.5, abs=0.02) for row in rows)
    in_model = head_to_head(random_tables(np.random.default_rng(1), bots=6, blocks=120))
    rows = [row for rows in in_model.rows.values() for row in rows]
    assert sum(row.surprising for row in rows) <= 4


def test_bots_that_played_the_same_deals_alone_are_compared() -> None:
    found = head_to_head([alone("d1", "ann", 6), alone("d1", "bob", 2), alone("d2", "ann", 5), alone("d2", "bob", 7)])
    assert meeting(found, "ann", "bob").share.value == 0.5


def test_two_bots_in_detail_have_every_result_and_shares_by_the_first_ones_seat() -> None:
    swapped = replace(
        MATCHES[2], key="b000009-r0", identity="other", seats=tuple(MATCHES[2].seats[seat] for seat in (1, 0, 2))
    )
    found = duel([*MATCHES, swapped], ANN, BOB)
    assert [played.key for played in found.encounters][-1] == "b000003-r0"
    assert sum(played.won for played in found.encounters) == pytest.approx(found.meeting.share.value * 5)
    two_seats = duel([MATCHES[2], swapped], ANN, BOB)
    assert [(share.meetings, share.value) for share in two_seats.by_seat[:2]] == [(1, 0.0), (1, 0.0)]
    first, second = two_seats.encounters
    assert (first.seats[0][0], second.seats[0][0]) == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [2, 50, 300])
def test_a_matrix_fits_its_window_and_says_what_it_leaves_out(bots: int) -> None:
    played = random_tables(np.random.default_rng(bots), bots=bots, seats=2, blocks=bots)
    found = head_to_head(played)
    for width in (60, 80, 200):
        table, about = matrix(played[0].ladder, found, width)
        assert Console(width=1000).measure(table).maximum <= width
        assert table.row_count == len(found.entrants)
        shown = len(table.columns) - 2
        assert any(f"columns {shown + 1} to {len(found.entrants)}" in line for line in about) == (bots > 2)


def test_a_matrix_as_csv_has_a_line_for_every_pair_that_met() -> None:
    played = random_tables(np.random.default_rng(50), bots=50, seats=2, blocks=50)
    found = head_to_head(played)
    lines = list(csv.DictReader(io.StringIO(to_csv({played[0].ladder: found}))))
    assert len(lines) == sum(row.share.meetings > 0 for rows in found.rows.values() for row in rows)


def test_bots_of_one_name_are_told_apart() -> None:
    names = labels([entrant("ann", "1", "aaaaaaaabb"), entrant("ann", "1", "cc"), entrant("ann", "2"), BOB])
    assert list(names.values()) == ["ann 1 aaaaaaaa", "ann 1 cc", "ann 2", "bob"]
