"""The results database, and files and URLs that are not a leaderboard."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.leaderboard.model.results import LeaderboardError, from_record
from ballcourt.leaderboard.store.connecting import parsed, sentences
from ballcourt.leaderboard.store.database import open_database
from ballcourt.v1.record_pb2 import DecidedBy
from tests.arena.conftest import PATIENCE_S, bounded
from tests.leaderboard.made import alone, match
from tests.leaderboard.recorded import record

MATCHES = [match(f"m{number:04}", "ann", "bob cid") for number in range(3)]
OLDER = """
CREATE TABLE records (match INTEGER PRIMARY KEY REFERENCES matches);
UPDATE ballcourt SET schema = '11';
DROP TABLE packs;
ALTER TABLE seats RENAME COLUMN score TO points;
"""
"""Makes a database look like one of an earlier schema."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a folder" / "leaderboard.sqlite"


@pytest.fixture(autouse=True)
def folder(file: Path) -> None:
    file.parent.mkdir()


def test_results_are_read_back_unchanged(file: Path) -> None:
    fallen_back = record("k9")
    fallen_back.decisions.decided_by[2] = DecidedBy.DECIDED_BY_FALLBACK
    played = [*MATCHES, from_record(record()), from_record(fallen_back), alone("d", "ann", 2.5), alone("d", "bob", 4.0)]
    with open_database(file, create=True) as database:
        assert database.add(reversed(played)) == 7
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


def test_a_match_with_another_record_replaces_the_old_one(file: Path) -> None:
    other = replace(MATCHES[1], seats=match("m0001", "cid", "bob ann").seats, checksum="another record")
    with open_database(file, create=True) as database:
        database.add(MATCHES)
        assert database.add([MATCHES[0], other, replace(MATCHES[2], record="/elsewhere/m.match")]) == 2
        assert database.results() == [MATCHES[0], other, replace(MATCHES[2], record="/elsewhere/m.match")]


def test_only_matches_with_records_in_a_folder_are_removed_when_it_is_tidied(file: Path, tmp_path: Path) -> None:
    records = tmp_path / "a folder" / "records"
    inside = [from_record(record(key), records / f"{key}.match") for key in ("k1", "k2")]
    outside = from_record(record("k3"), tmp_path / "elsewhere" / "records" / "k3.match")
    with open_database(file, create=True) as database:
        database.add([*inside, outside])
        database.keep_only([inside[1].identity], records)
        assert database.results() == [inside[1], outside]


def test_several_runs_create_one_database_together(tmp_path: Path) -> None:
    def begin(number: int, start: Barrier, file: Path) -> None:
        start.wait()
        with open_database(f"sqlite:///{file}?timeout={PATIENCE_S:.0f}", create=True) as database:
            database.add([match(f"m{number}", "ann", "bob")])

    for attempt in range(2):
        file, start = tmp_path / f"{attempt}.sqlite", Barrier(6, timeout=PATIENCE_S)
        with ThreadPoolExecutor(6) as runs:
            for run in [runs.submit(begin, number, start, file) for number in range(6)]:
                run.result()
        with open_database(file) as database:
            assert [result.key for result in database.results()] == [f"m{number}" for number in range(6)]


@pytest.mark.slow
@settings(max_examples=40)
@given(bits=st.lists(st.integers(0, 8 * 200_000), min_size=1, max_size=4))
def test_a_database_with_flipped_bits_shows_the_same_results_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, bits: list[int]
) -> None:
    sound = tmp_path_factory.getbasetemp() / "sound.sqlite"
    if not sound.exists():
        with open_database(sound, create=True) as database:
            database.add(MATCHES)
    data = bytearray(sound.read_bytes())
    for bit in bits:
        data[bit // 8 % len(data)] ^= 1 << bit % 8
    file = tmp_path_factory.getbasetemp() / "flipped.sqlite"
    file.write_bytes(data)
    try:
        with open_database(file) as database:
            assert database.results() == MATCHES
    except LeaderboardError as error:
        assert "\n" not in str(error)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET score = score + 1 WHERE seat = 0",
        "UPDATE seats SET think_us = 5 WHERE seat = 0",
        "UPDATE matches SET checksum = 'another'",
        "UPDATE ladders SET options = '" + "[" * 100_000 + "'",
        "DELETE FROM seats WHERE seat = 1",
        "DELETE FROM seats WHERE match = 2; DELETE FROM matches WHERE id = 2",
        "DELETE FROM entrants",
        "UPDATE entrants SET name = 'dan' WHERE name = 'ann'",
        "UPDATE matches SET ladder = 7",
        "UPDATE matches SET started = '2026-11-22T18:30:05Z'",
        "ALTER TABLE matches DROP COLUMN rivals",
        "DROP TABLE packs",
    ],
)
def test_a_database_changed_by_another_program_is_refused_with_advice(file: Path, statement: str) -> None:
    with open_database(file, create=True) as database:
        database.add(MATCHES)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(statement)
        connection.commit()
    with (
        pytest.raises(LeaderboardError, match=r"is damaged or no leaderboard .* --rebuild"),
        open_database(file) as database,
    ):
        database.results()


def test_matches_that_exceed_one_batch_are_all_kept(file: Path) -> None:
    many = [match(f"m{number:04}", "ann", "bob") for number in range(1201)]
    with open_database(file, create=True) as database:
        assert database.add(many) == 1201
        assert database.results() == many


def test_a_forgotten_match_can_be_added_again_with_another_result(file: Path) -> None:
    replayed = replace(MATCHES[1], seats=match("m0001", "cid", "bob ann").seats)
    with open_database(file, create=True) as database:
        database.add(MATCHES)
        database.forget([MATCHES[1].identity])
        database.forget([MATCHES[1].identity])
        assert database.results() == [MATCHES[0], MATCHES[2]]
        assert database.add([replayed]) == 1
        assert database.results() == [MATCHES[0], replayed, MATCHES[2]]


def test_a_rebuilt_leaderboard_holds_only_the_given_matches(file: Path) -> None:
    with open_database(file, create=True) as database:
        database.add([*MATCHES, alone("d", "ann", 2.5)])
    with open_database(file, create=True, rebuild=True) as database:
        assert database.add(MATCHES[:1]) == 1
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
        connection.execute("CREATE TABLE ballcourt (digest VARCHAR(32) PRIMARY KEY, schema VARCHAR(32) NOT NULL)")
    connection.close()
    with open_database(file, create=True) as database:
        assert database.add(MATCHES) == 3


@pytest.mark.parametrize("create", [False, True])
def test_a_file_that_is_not_a_database_is_left_alone(file: Path, create: bool) -> None:
    file.write_text("something else, long enough to be looked at " * 20)
    before = file.read_bytes()
    with (
        pytest.raises(LeaderboardError, match=r"is damaged or no leaderboard \(file is not a database\); .* --rebuild"),
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
        connection.execute("update ballcourt set schema = '99'")
    with (
        pytest.raises(LeaderboardError, match=r"schema '99', and this .* needs schema '12': .*, or update ballc"),
        open_database(file),
    ):
        pass


@pytest.mark.parametrize("older", ["update ballcourt set schema = '3'", OLDER])
def test_a_leaderboard_of_an_older_schema_is_refused_with_the_command_that_rebuilds_it(file: Path, older: str) -> None:
    with open_database(file, create=True) as database:
        database.add([match("k1", "ann", "bob")])
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(older)
    sentence = rf"of schema '(3|11)', .* leaderboard FOLDER --rebuild --database sqlite:///{file}"
    for create in (False, True):
        with pytest.raises(LeaderboardError, match=sentence), open_database(file, create=create):
            pass
    with open_database(file, create=True, rebuild=True) as database:
        assert database.results() == []
        database.add([match("k2", "ann", "bob")])
    with open_database(file) as database:
        assert [one.key for one in database.results()] == ["k2"]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "'nonsense' is not a database URL"),
        ("postgresql://me:secret@host:port/name", r"'postgresql://\*\*\*@host:port/name' is not a database URL"),
        (
            "sqlite:///some.sqlite?timeout=secret",
            r"cannot use sqlite:///some.sqlite as a leaderboard: could not convert string to float: '\*\*\*'",
        ),
        ("mysql+pymysql://me@host/name?passwd=secret", r"^mysql\+pymysql://me@host/name is for the database"),
        ("host/name?password=secret", "^'host/name' is not a database URL"),
        ("sqlite://", "a database in memory, which no one could read later; name a file"),
        ("sqlite:///:memory:", "a database in memory"),
        ("chess://host/name", "is for the database 'chess'; this arena keeps results in SQLite or PostgreSQL"),
        ("postgresql+nodriver://me:secret@host/name", "is for the database 'postgresql.nodriver'"),
        (
            "mysql+pymysql://me:secret@host/name",
            r"^mysql\+pymysql://me:\*\*\*@host/name is for the database 'mysql\+pymysql'; .* or postgresql://host/name$",
        ),
        ("sqlite:////nowhere/at/all.sqlite", "cannot use sqlite:////nowhere/at/all.sqlite .*: unable to open"),
    ],
)
def test_an_unreachable_url_is_explained_without_its_password(
    url: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LeaderboardError, match=sentence) as raised, open_database(url, create=True):
        pass
    assert "secret" not in str(raised.value)


LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_the_process_that_writes_to_a_database_is_named(file: Path, journal: str) -> None:
    with open_database(file, create=True):
        pass
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
    other = subprocess.Popen(
        [sys.executable, "-c", LOCK, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with bounded(other), open_database(f"sqlite:///{file}?timeout=0") as database:
        assert other.stdout
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(LeaderboardError) as raised:
            database.add(MATCHES)
        assert f": process {other.pid} is writing to it (database is locked); wait until it has" in str(raised.value)
        other.kill()


def test_matches_are_added_while_another_process_reads(file: Path) -> None:
    url = f"sqlite:///{file}?timeout=0"  # no connection waits
    with open_database(url, create=True) as database, closing(sqlite3.connect(file, isolation_level=None)) as reader:
        database.add(MATCHES[:1])
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM matches").fetchone() == (1,)
        database.add(MATCHES[1:2])
        assert reader.execute("SELECT count(*) FROM matches").fetchone() == (1,)
        assert database.results() == MATCHES[:2]


def test_a_reader_that_was_there_first_delays_matches_only_until_it_has_read(file: Path) -> None:
    with open_database(file, create=True):
        pass
    with (
        open_database(f"sqlite:///{file}?timeout=0") as database,
        closing(sqlite3.connect(file, isolation_level=None)) as reader,
    ):
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        with pytest.raises(LeaderboardError, match="database is locked"):
            database.add(MATCHES)
        reader.execute("COMMIT")
        database.add(MATCHES[:1])
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        database.add(MATCHES[1:])
        assert database.results() == MATCHES


def test_a_database_at_rest_is_one_file_that_needs_no_writable_folder(file: Path) -> None:
    with open_database(file, create=True) as database:
        database.add(MATCHES)
        assert len([*file.parent.iterdir()]) > 1
    assert [*file.parent.iterdir()] == [file]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_an_open_database_shows_bots_that_another_process_adds(file: Path) -> None:
    with open_database(file, create=True) as database, open_database(file) as other:
        database.add(MATCHES)
        assert other.results() == MATCHES
        database.add([match("m9", "abe", "zoe")])
        assert other.results() == [*MATCHES, match("m9", "abe", "zoe")]


def test_damage_that_shows_while_rows_are_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LeaderboardError, match="malformed"), sentences(parsed(tmp_path / "kept.sqlite")):
        raise sqlite3.DatabaseError("database disk image is malformed")
