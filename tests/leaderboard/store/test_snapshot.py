"""The tables that a database keeps."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.store import snapshot
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.snapshot import Boards, boards_in, decoded, encoded, kept_boards
from tests.arena.conftest import PATIENCE_S
from tests.leaderboard.made import alone, board, match, random_tables

LEAGUE = [
    *random_tables(np.random.default_rng(1), bots=5, seats=2, blocks=210),
    *(
        alone(f"deal {deal}", name, float(deal + len(name)), house=4.0)
        for deal in range(3)
        for name in ("ann", "benny")
    ),
    match("k1", "ann", "faulty bob", options=(("rounds", "3"),)),
]


def fitted(matches: list[MatchResult], anchors: tuple[str, ...] | None = None) -> Boards:
    return {ladder: board(played, anchors) for ladder, played in by_ladder(matches).items()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaderboard.sqlite"
    with open_database(path, create=True) as database:
        database.add(LEAGUE)
    return path


def alike(one: Boards, other: Boards) -> bool:
    """Whether tables are equal as they are printed: sums in another order differ in the last digits."""
    return to_json(one) == to_json(other)


def refuse_to_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the table was fitted again")

    monkeypatch.setattr(snapshot, "fitted", refuse)


def shown(file: Path, anchors: tuple[str, ...] | None = None) -> Boards:
    with open_database(file) as database:
        return boards_in(database, anchors)


def test_tables_survive_being_written_and_read() -> None:
    boards = fitted(LEAGUE)
    assert any(found.cycles for found in boards.values()) and any(found.cycles is None for found in boards.values())
    assert decoded(encoded(boards)) == boards


@pytest.mark.slow
@given(
    position=st.integers(0), junk=st.sampled_from(['"', "[", "]", "0", "null", "", "-1e400", '{"a": 1}', "[" * 9999])
)
def test_anything_but_tables_is_refused_with_a_value_error(position: int, junk: str) -> None:
    text = encoded(fitted([match("k", "ann", "bob"), alone("d", "ann", 2.0)]))
    at = position % len(text)
    for damaged in (junk, text[:at] + junk + text[at + 1 :]):
        try:
            boards = decoded(damaged)
        except ValueError:
            continue
        assert decoded(encoded(boards)) == boards


def test_tables_are_fitted_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shown(file)
    assert alike(first, fitted(LEAGUE))
    refuse_to_fit(monkeypatch)
    assert shown(file) == first


def test_a_new_match_makes_new_tables_and_the_old_ones_are_forgotten(file: Path) -> None:
    shown(file)
    more = match("k2", "ann", "bob")
    with open_database(file) as database:
        database.add([more])
    assert alike(shown(file), fitted([*LEAGUE, more]))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("select count(distinct question), count(distinct digest) from boards").fetchone() == (
            1,
            1,
        )


def test_a_match_with_another_record_makes_new_tables(file: Path) -> None:
    shown(file)
    [*rest, last] = LEAGUE
    other = replace(last, seats=match("k1", "bob", "ann faulty").seats, checksum="another record")
    with open_database(file) as database:
        database.add([other])
    assert alike(shown(file), fitted([*rest, other]))


def test_the_same_matches_have_the_same_tables(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shown(file)
    with open_database(file) as database:
        database.forget([LEAGUE[-1].identity])
        database.add(LEAGUE)
    refuse_to_fit(monkeypatch)
    assert shown(file) == first


def test_each_set_of_anchors_has_its_own_tables(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(file, create=True, rebuild=True) as database:
        database.add(LEAGUE[:420])
    plain, anchored = shown(file), shown(file, ("bot01", "bot02"))
    assert plain != anchored
    assert alike(anchored, fitted(LEAGUE[:420], ("bot01", "bot02")))
    with pytest.raises(LeaderboardError, match="no bot is named 'nobody'"):
        shown(file, ("nobody",))
    refuse_to_fit(monkeypatch)
    assert (shown(file), shown(file, ("bot02", "bot01"))) == (plain, anchored)


def test_tables_about_other_matches_are_forgotten_whatever_their_anchors(file: Path) -> None:
    with open_database(file, create=True, rebuild=True) as database:
        database.add(LEAGUE[:420])
        shown(file, ("bot01",))
        database.forget([LEAGUE[0].identity])
        shown(file)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("select count(distinct question) from boards").fetchone() == (1,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE boards SET content = replace(content, 'bot01', 'bot09')",
        "UPDATE boards SET content = 'null'",
        "UPDATE boards SET checksum = 7",
        "DELETE FROM boards",
    ],
)
def test_kept_tables_that_were_changed_are_not_believed(file: Path, statement: str) -> None:
    first = shown(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()
    assert shown(file) == first


def test_tables_of_another_version_of_the_code_are_not_shown(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(file)
    monkeypatch.setattr(snapshot, "_code", lambda: "another version")
    refuse_to_fit(monkeypatch)
    with pytest.raises(AssertionError, match="fitted again"):
        shown(file)


def test_another_way_to_rate_is_another_version_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    read, before = Path.read_bytes, snapshot._code.__wrapped__()
    changed = {"estimates.py": b"# changed"}
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + changed.get(path.name, b""))
    assert snapshot._code.__wrapped__() != before


def test_a_database_that_another_run_is_writing_to_still_shows_its_tables(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with open_database(f"sqlite:///{file}?timeout=0") as database:
            assert alike(boards_in(database), fitted(LEAGUE))


def test_kept_tables_are_read_by_path_and_url_until_a_match_comes(file: Path) -> None:
    assert kept_boards(str(file)) is None
    first = shown(file)
    assert kept_boards(str(file)) == kept_boards(f"sqlite:///{file}") == first
    assert kept_boards(str(file), ("bot01",)) is None
    with open_database(file) as database:
        database.add([match("k2", "ann", "bob")])
    assert kept_boards(str(file)) is None


@pytest.mark.parametrize(
    "place", ["nowhere.sqlite", "postgresql://host/name", "sqlite:///a.sqlite?timeout=1", "sqlite://"]
)
def test_places_without_kept_tables_are_left_to_the_database(place: str) -> None:
    assert kept_boards(place) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ballcourt SET schema = 'other'",
        "UPDATE boards SET content = 'null'",
        "DROP TABLE ballcourt",
        "DROP TABLE boards",
    ],
)
def test_no_tables_are_read_from_a_file_that_another_program_changed(file: Path, statement: str) -> None:
    shown(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(statement)
    assert kept_boards(str(file)) is None


SLOW = {
    *("google.protobuf", "numpy", "rich", "scipy", "sqlalchemy", "trueskill"),
    *("ballcourt.cli.tournament", "ballcourt.engine.core"),  # other commands, and what they need
}


def test_kept_tables_are_shown_without_what_takes_long_to_import(file: Path) -> None:
    shown(file)
    program = (
        "import sys; from ballcourt.cli import main; sys.argv[0] = 'ballcourt'\n"
        "try:\n    main()\n"
        f"finally:\n    assert not {SLOW} & set(sys.modules)"
    )
    command = [sys.executable, "-c", program, "leaderboard", str(file), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"bot01"' in done.stdout
