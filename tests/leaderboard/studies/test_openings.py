"""The first decisions of matches as a tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.records.store import write_record
from ballcourt.leaderboard.model.results import MatchResult, from_record
from ballcourt.leaderboard.studies.openings import Move, openings
from tests.arena.recorded import recorded
from tests.bluff.installed import bluff_installed


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    with bluff_installed():
        yield


def matches(folder: Path) -> list[MatchResult]:
    """Return three matches; in the last, seat 0 begins with a bid of 2."""
    records = [recorded(key, seed) for seed, key in enumerate(("m0", "m1", "m2"))]
    records[2].decisions.actions[0] = 2
    return [from_record(record, write_record(folder, record)) for record in records]


def test_decisions_are_counted_along_the_lines_of_matches(tmp_path: Path) -> None:
    found, count = openings(matches(tmp_path))
    assert count == 3
    assert [(one.move, len(one.shares)) for one in found] == [(Move(0, "Bid 1"), 2), (Move(0, "Bid 2"), 1)]
    (following,) = found[0].next
    assert (following.move, len(following.shares)) == (Move(1, "Bid 3"), 2)


def test_a_match_with_an_illegal_action_counts_nowhere(tmp_path: Path) -> None:
    illegal = recorded("m3", 3)
    illegal.decisions.actions[1] = 1000
    found, count = openings([*matches(tmp_path), from_record(illegal, write_record(tmp_path, illegal))])
    assert count == 3
    assert sum(len(one.shares) for one in found) == 3


def test_a_seat_beats_the_share_of_its_opponents_that_it_was_placed_above(tmp_path: Path) -> None:
    played = matches(tmp_path)
    (first, _), _ = openings(played)
    places = [[seat.placement for seat in match.seats] for match in played[:2]]
    expected = [sum((other > own[0]) + (other == own[0]) / 2 for other in own[1:]) / 2 for own in places]
    assert first.shares == expected


def test_of_a_bot_only_its_own_decisions_count(tmp_path: Path) -> None:
    played = matches(tmp_path)
    highest = played[0].seats[1].entrant
    found, count = openings(played, highest)
    assert (count, [(one.move, len(one.shares)) for one in found]) == (3, [(Move(1, "Bid 3"), 3)])
    assert found[0].next[0].move == Move(1, "Bid 3")


def test_a_match_whose_record_is_gone_is_left_out(tmp_path: Path) -> None:
    played = matches(tmp_path)
    Path(played[0].record).unlink()
    assert openings(played)[1] == 2
