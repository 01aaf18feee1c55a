"""The results database, and files and URLs that are not a leaderboard."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.leaderboard.database import open_database
from ballcourt.leaderboard.results import LeaderboardError, from_record
from tests.leaderboard.made import alone, match
from tests.leaderboard.recorded import record

MATCHES = [match(f"m{number:04}", "ann", "bob cid") for number in range(3)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a folder" / "leaderboard.sqlite"


@pytest.fixture(autouse=True)
def folder(file: Path) -> None:
    file.parent.mkdir()


def test_results_are_read_back_unchanged(file: Path) -> None:
    played = [*MATCHES, from_record(record()), alone("d", "ann", 2.5), alone("d", "bob", 4.0)]
    with open_database(file, create=True) as database:
        assert database.add(reversed(played)) == 6
    with open_database(f"sqlite:///{file}") as database:
        assert database.results() == sorted(played, key=lambda match: match.order)


def test_a_record_below_the_database_is_found_after_a_move(file: Path, tmp_path: Path) -> None:
    near, far = file.parent / "records" / "k.match", tmp_path / "elsewhere" / "k2.match"
    with open_database(file, create=True) as database:
        database.add([from_record(record(), near), from_record(record("k2"), far)])
    with sqlite3.connect(file) as connection:
        stored = connection.execute("select record from matches order by key").fetchall()
    connection.close()
    assert stored == [("records/k.match",), (str(far),)]
    moved = file.parent.rename(tmp_path / "moved")
    with open_database(moved / file.name) as database:
        assert [match.record for match in database.results()] == [str(moved / "records" / "k.match"), str(far)]


def test_a_match_added_repeatedly_is_counted_once(file: Path) -> None:
    with open_database(file, create=True) as database:
        assert [database.add(matches) for matches in (MATCHES[:2], MATCHES, MATCHES + MATCHES)] == [2, 1, 0]
        assert database.results() == MATCHES


def test_matches_that_exceed_one_batch_are_all_kept(file: Path) -> None:
    many = [match(f"m{number:04}", "ann", "bob") for number in range(1201)]
    with open_database(file, create=True) as database:
        assert database.add(many) == 1201
        assert database.replace(many[:700]) == 700
        assert database.results() == many[:700]


def test_a_forgotten_match_can_be_added_again_with_another_result(file: Path) -> None:
    replayed = replace(MATCHES[1], seats=match("m0001", "cid", "bob ann").seats)
    with open_database(file, create=True) as database:
        database.add(MATCHES)
        database.forget(MATCHES[1:2])
        database.forget(MATCHES[1:2])
        assert database.results() == [MATCHES[0], MATCHES[2]]
        assert database.add([replayed]) == 1
        assert database.results() == [MATCHES[0], replayed, MATCHES[2]]


def test_a_rebuilt_leaderboard_holds_only_the_given_matches(file: Path) -> None:
    with open_database(file, create=True) as database:
        database.add([*MATCHES, alone("d", "ann", 2.5)])
        assert database.replace(MATCHES[:1]) == 1
        assert database.results() == MATCHES[:1]


def test_opening_a_missing_leaderboard_does_not_create_it(file: Path) -> None:
    with (
        pytest.raises(LeaderboardError, match=r"there is no leaderboard .*run a tournament first"),
        open_database(file),
    ):
        pass
    assert not file.exists()


def test_a_leaderboard_whose_creation_was_interrupted_is_completed(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE ballcourt (schema VARCHAR(40) NOT NULL PRIMARY KEY)")
    connection.close()
    with open_database(file, create=True) as database:
        assert database.add(MATCHES) == 3


@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_not_a_database_is_left_alone(file: Path, create: bool) -> None:
    file.write_text("something else, long enough to be looked at " * 20)
    before = file.read_bytes()
    with (
        pytest.raises(LeaderboardError, match=r"cannot use .* file is not a database"),
        open_database(file, create=create),
    ):
        pass
    assert file.read_bytes() == before


@pytest.mark.parametrize("create", [False, True])
def test_the_database_of_another_program_is_left_alone(file: Path, create: bool) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("create table songs (name text)")
    before = file.read_bytes()
    with (
        pytest.raises(LeaderboardError, match="is a database, but not a ballcourt"),
        open_database(file, create=create),
    ):
        pass
    assert file.read_bytes() == before


def test_the_error_for_a_leaderboard_of_another_version_names_both_versions(file: Path) -> None:
    with open_database(file, create=True):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("update ballcourt set schema = 'ballcourt-leaderboard-9'")
    with (
        pytest.raises(LeaderboardError, match="version 'ballcourt-leaderboard-9'; this version uses 'ballcourt-lead"),
        open_database(file),
    ):
        pass


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "'nonsense' is not a database URL"),
        ("chess://host/name", "SQLAlchemy does not support the database 'chess'"),
        ("postgresql+nodriver://me:secret@host/name", "SQLAlchemy does not support the database 'postgresql.nodriver'"),
        (
            "mysql+pymysql://me:secret@host/name",
            r"mysql\+pymysql://me:\*\*\*@host/name needs the Python module pymysql",
        ),
        ("sqlite:////nowhere/at/all.sqlite", "cannot use sqlite:////nowhere/at/all.sqlite .*: unable to open"),
    ],
)
def test_an_unreachable_url_is_explained_without_its_password(url: str, sentence: str) -> None:
    with pytest.raises(LeaderboardError, match=sentence) as raised, open_database(url, create=True):
        pass
    assert "secret" not in str(raised.value)
