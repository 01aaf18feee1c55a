"""Databases that follow a running tournament."""

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ballcourt.arena.tournament.events import BlockVoided, Event, Finished, MatchesSkipped, MatchPlayed
from ballcourt.leaderboard import feed
from ballcourt.leaderboard.database import Database, open_database
from ballcourt.leaderboard.feed import DatabaseFeed
from ballcourt.leaderboard.results import LeaderboardError, from_record
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import Entrant, MatchRecord


def recorded(key: str) -> MatchRecord:
    """Return a record with the fields that the leaderboard reads."""
    return MatchRecord(
        key=key,
        game="bluff",
        rules_version="1",
        seed=1,
        entrants=[Entrant(name="low", version="1"), Entrant(name="any", version="1")],
        results=[
            SeatResult(placement=place, score=3 - place, termination=Termination.TERMINATION_OK) for place in (1, 2)
        ],
    )


def played(record: MatchRecord, *, is_new: bool = True) -> MatchPlayed:
    return MatchPlayed(record.key, (), (), (), Path(record.key), is_new, record)


@pytest.fixture
def databases(tmp_path: Path) -> list[Path]:
    return [tmp_path / "one.sqlite", tmp_path / "two.sqlite"]


def follow(databases: list[Path], *events: Event) -> None:
    with ExitStack() as stack:
        opened = [stack.enter_context(open_database(path, create=True)) for path in databases]
        subscriber = stack.enter_context(DatabaseFeed(opened))
        for event in events:
            subscriber(event)


def keys(path: Path) -> list[str]:
    with open_database(path) as opened:
        return [match.key for match in opened.results()]


def test_every_database_gets_all_matches_at_the_end(databases: list[Path]) -> None:
    follow(databases, played(recorded("m0"), is_new=False), played(recorded("m1")))
    assert [keys(path) for path in databases] == [["m0", "m1"]] * 2


def test_matches_are_written_at_intervals(databases: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(databases[0], create=True) as opened, DatabaseFeed([opened]) as subscriber:
        subscriber(played(recorded("m0")))
        assert keys(databases[0]) == []
        monkeypatch.setattr(feed, "BEHIND_S", 0.0)
        subscriber(played(recorded("m1")))
        assert keys(databases[0]) == ["m0", "m1"]


def test_void_matches_are_removed_whether_written_or_not(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for behind in (0.0, 1000.0):
        monkeypatch.setattr(feed, "BEHIND_S", behind)
        records = tuple(recorded(key) for key in ("m0", "m1"))
        follow(databases, *map(played, records), BlockVoided(("m0", "m1"), "", records))
        follow(databases, *map(played, records), MatchesSkipped(("m0", "m1"), records), played(recorded("m2")))
    assert [keys(path) for path in databases] == [["m2"]] * 2


def test_a_match_that_is_played_again_replaces_its_result(databases: list[Path]) -> None:
    record = recorded("m0")
    follow(databases, played(record))
    record.results[0].score += 100
    follow(databases, played(record))
    with open_database(databases[0]) as opened:
        [match] = opened.results()
    assert match.seats[0].score >= 100


def test_a_database_that_was_locked_gets_everything_later(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BEHIND_S", 0.0)
    monkeypatch.setattr(feed, "LONGEST_WAIT_S", 0.0)
    warnings: list[str] = []
    url = f"sqlite:///{databases[0]}?timeout=0"
    with (
        open_database(url, create=True) as locked,
        open_database(databases[1], create=True) as free,
        closing(sqlite3.connect(databases[0], isolation_level=None)) as other,
        DatabaseFeed([locked, free], warnings.append) as subscriber,
    ):
        other.execute("BEGIN EXCLUSIVE")
        subscriber(played(recorded("m0")))
        subscriber(played(recorded("m1")))
        subscriber(BlockVoided(("m1",), "", (recorded("m1"),)))
        assert keys(databases[1]) == ["m0"]
        other.execute("ROLLBACK")
        subscriber(played(recorded("m2")))
        assert keys(databases[0]) == ["m0", "m2"]
    [warning] = warnings
    assert "database is locked; the tournament goes on, and its results will be written later" in warning


def test_at_the_end_of_a_tournament_only_its_results_are_left_of_its_folder(tmp_path: Path) -> None:
    database, records = tmp_path / "leaderboard.sqlite", tmp_path / "records"
    foreign = from_record(recorded("b000007-r0"), records / "b000007-r0.match")
    elsewhere = from_record(recorded("m9"), tmp_path / "other" / "records" / "m9.match")
    with open_database(database, create=True) as opened:
        opened.add([foreign, elsewhere])
    own = recorded("m0")
    event = MatchPlayed("m0", (), (), (), records / "m0.match", True, own)
    follow([database], event, Finished(1, tmp_path, placing=()))
    assert keys(database) == ["m0", "m9"]


def test_an_error_at_the_end_is_raised_unless_another_one_stopped_the_run(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(database: Database, matches: object) -> None:
        raise LeaderboardError("disk is full")

    monkeypatch.setattr(Database, "add", refuse)
    with pytest.raises(LeaderboardError, match="disk is full"):
        follow(databases, played(recorded("m0")))
    with (
        pytest.raises(KeyError),
        open_database(databases[0]) as opened,
        DatabaseFeed([opened]) as subscriber,
    ):
        subscriber(played(recorded("m0")))
        raise KeyError("what stopped the run")
