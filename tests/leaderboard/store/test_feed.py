"""Databases that follow a running tournament."""

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ballcourt.arena.tournament.folder.events import BlockVoided, Finished, MatchesSkipped, MatchPlayed, RunEvent
from ballcourt.leaderboard.model.results import LeaderboardError, from_record
from ballcourt.leaderboard.store import feed
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from tests.leaderboard.recorded import played, record, refuse


@pytest.fixture
def databases(tmp_path: Path) -> list[Path]:
    return [tmp_path / "one.sqlite", tmp_path / "two.sqlite"]


def follow(databases: list[Path], *events: RunEvent) -> None:
    with ExitStack() as stack:
        opened = [stack.enter_context(open_database(path, create=True)) for path in databases]
        subscriber = stack.enter_context(DatabaseFeed(opened))
        for event in events:
            subscriber(event)


def keys(path: Path) -> list[str]:
    with open_database(path) as opened:
        return [match.key for match in opened.results()]


def test_every_database_gets_all_matches_at_the_end(databases: list[Path]) -> None:
    follow(databases, played(record("m0"), is_new=False), played(record("m1")))
    assert [keys(path) for path in databases] == [["m0", "m1"]] * 2


def test_matches_are_written_at_intervals(databases: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(databases[0], create=True) as opened, DatabaseFeed([opened]) as subscriber:
        subscriber(played(record("m0")))
        assert keys(databases[0]) == []
        monkeypatch.setattr(feed, "BEHIND_S", 0.0)
        subscriber(played(record("m1")))
        assert keys(databases[0]) == ["m0", "m1"]


def test_void_matches_are_removed_whether_written_or_not(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for behind in (0.0, 1000.0):
        monkeypatch.setattr(feed, "BEHIND_S", behind)
        records = tuple(record(key) for key in ("m0", "m1"))
        follow(databases, *map(played, records), BlockVoided(("m0", "m1"), "", records))
        follow(databases, *map(played, records), MatchesSkipped(("m0", "m1"), records), played(record("m2")))
    assert [keys(path) for path in databases] == [["m2"]] * 2


def test_a_match_that_is_played_again_replaces_its_result(databases: list[Path]) -> None:
    kept = record("m0")
    follow(databases, played(kept))
    kept.results[0].score += 100
    follow(databases, played(kept))
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
        subscriber(played(record("m0")))
        subscriber(played(record("m1")))
        subscriber(BlockVoided(("m1",), "", (record("m1"),)))
        assert keys(databases[1]) == ["m0"]
        other.execute("ROLLBACK")
        subscriber(played(record("m2")))
        assert keys(databases[0]) == ["m0", "m2"]
    [warning] = warnings
    assert warning == (
        f"cannot use sqlite:///{databases[0]} as a leaderboard: another process is writing to it (database is locked); "
        "wait until it has finished, or end it; the tournament goes on, and its results will be written later"
    )


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_database_that_was_removed_is_missed(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch, *, is_replaced: bool
) -> None:
    monkeypatch.setattr(feed, "BEHIND_S", 0.0)
    warnings: list[str] = []
    with (
        pytest.raises(LeaderboardError, match=r"the file of sqlite:///.*one\.sqlite was removed or replaced"),
        open_database(databases[0], create=True) as opened,
        DatabaseFeed([opened], warnings.append) as subscriber,
    ):
        subscriber(played(record("m0")))
        databases[0].unlink()
        if is_replaced:
            databases[0].touch()
        subscriber(played(record("m1")))
    assert len(warnings) == 1
    assert databases[0].exists() == is_replaced


def test_what_a_database_lacks_of_earlier_runs_is_added_until_it_is_there(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BEHIND_S", 0.0)
    attempts = 0

    def complete(database: Database) -> None:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise LeaderboardError("database is locked")
        database.add([from_record(record("m0"))])

    warnings: list[str] = []
    with (
        open_database(databases[0], create=True) as opened,
        DatabaseFeed([opened], warnings.append, complete) as subscriber,
    ):
        assert keys(databases[0]) == []
        subscriber(played(record("m1")))
        assert keys(databases[0]) == ["m0", "m1"]
        subscriber(played(record("m2")))
        subscriber(Finished(2, databases[0].parent, placing=()))
    assert keys(databases[0]) == ["m0", "m1", "m2"]
    assert (attempts, len(warnings)) == (2, 1)


def test_at_the_end_of_a_tournament_only_its_results_are_left_of_its_folder(tmp_path: Path) -> None:
    database, records = tmp_path / "leaderboard.sqlite", tmp_path / "records"
    foreign = from_record(record("b000007-r0"), records / "b000007-r0.match")
    elsewhere = from_record(record("m9"), tmp_path / "other" / "records" / "m9.match")
    with open_database(database, create=True) as opened:
        opened.add([foreign, elsewhere])
    own = record("m0")
    event = MatchPlayed("m0", (), (), (), records / "m0.match", True, own)
    follow([database], event, Finished(1, tmp_path, placing=()))
    assert keys(database) == ["m0", "m9"]


def test_an_error_at_the_end_is_raised_unless_another_one_stopped_the_run(
    databases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database, "add", refuse)
    with pytest.raises(LeaderboardError, match="disk is full"):
        follow(databases, played(record("m0")))
    with (
        pytest.raises(KeyError),
        open_database(databases[0]) as opened,
        DatabaseFeed([opened]) as subscriber,
    ):
        subscriber(played(record("m0")))
        raise KeyError("what stopped the run")
