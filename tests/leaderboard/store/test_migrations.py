"""Databases of older schemas: their matches survive the upgrade, in SQLite and in PostgreSQL."""

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store.database import UPGRADABLE, open_database
from ballcourt.leaderboard.store.snapshot import boards_in
from ballcourt.leaderboard.store.tables import METADATA, VERSION
from tests.arena.conftest import PATIENCE_S
from tests.leaderboard.made import alone, match, owned
from tests.leaderboard.postgres import Server, running_server

HERE = Path(__file__).parents[1]
MATCHES = [
    match("b000000-r0", "ann", "bob cid"),
    replace(
        match("b000000-r1", "bob", "faulty", options=(("decks", "2"), ("rounds", "3"))),
        started="2026-11-22T18:30:05Z",
        record="records/b000000-r1.match",
        checksum="c" * 64,
    ),
    replace(match("b000001-r0", "cid", "ann", "bob"), record="/runs/cup/records/b000001-r0.match"),
    alone("d", "ann", 2.5),
    alone("d", "faulty", 0.1),
]
"""What is in the databases of all older schemas."""


def statements(schema: str) -> list[str]:
    return (HERE / f"schema_{schema}.sql").read_text().split(";\n")


def made(path: Path, schema: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(";\n".join(statements(schema)))
    return path


@pytest.fixture(params=UPGRADABLE)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return made(tmp_path / "old.sqlite", request.param)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


def test_an_old_file_has_the_same_results_and_tables_after_its_upgrade(file: Path, tmp_path: Path) -> None:
    kept = [replace(one, record=str(tmp_path / one.record)) if one.record[:1] == "r" else one for one in MATCHES]
    new = tmp_path / "new.sqlite"
    with open_database(new, create=True) as fresh, open_database(file) as upgraded:
        fresh.add(kept)
        assert upgraded.results() == sorted(kept, key=lambda one: one.order)
        assert boards_in(upgraded) == boards_in(fresh)
        assert upgraded.contents().digest == fresh.contents().digest
        assert upgraded.add(kept) == 0


def test_an_upgraded_file_has_the_tables_of_a_new_one(file: Path) -> None:
    with open_database(file):
        pass
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), METADATA)
    engine.dispose()
    assert [one for one in differences if one != ("add_table", VERSION)] == []


def test_a_file_is_upgraded_once_by_runs_that_open_it_together(file: Path) -> None:
    start = Barrier(4, timeout=PATIENCE_S)

    def read(_: int) -> int:
        start.wait()
        with open_database(file) as database:
            return len(database.results())

    with ThreadPoolExecutor(4) as runs:
        assert list(runs.map(read, range(4))) == [len(MATCHES)] * 4


@pytest.mark.parametrize("harm", ["UPDATE seats SET placement = 3", "DELETE FROM rivals", "DROP TABLE seats"])
def test_no_match_of_a_damaged_old_file_is_believed(file: Path, harm: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(harm)
    with pytest.raises(LeaderboardError), open_database(file) as database:
        database.results()


@pytest.mark.parametrize(
    ("schema", "harm"),
    [
        ("5", "UPDATE seats SET placement = 3"),
        ("5", "DELETE FROM rivals"),
        ("5", "DROP TABLE seats"),
        ("6", "DROP TABLE boards"),
    ],
)
def test_an_old_file_that_cannot_be_upgraded_is_left_as_it_was(tmp_path: Path, schema: str, harm: str) -> None:
    file = made(tmp_path / "old.sqlite", schema)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(harm)
    before = file.read_bytes()
    with (
        pytest.raises(LeaderboardError, match=r"^a leaderboard of schema . could not be upgraded to \d+: [^\n]*$"),
        open_database(file),
    ):
        pass
    assert file.read_bytes() == before


@pytest.mark.parametrize("schema", UPGRADABLE)
def test_an_old_database_on_a_server_is_upgraded(server: Server, schema: str) -> None:
    url = server.database(f"schema_{schema}")
    with psycopg.connect(re.sub(r"^(.*)//(.*):.*@/(.*)\?(.*)$", r"\1//\2@/\3?\4", url)) as connection:
        for statement in statements(schema):
            connection.execute(statement.encode())
    with open_database(url) as database:
        assert database.results() == sorted(MATCHES, key=lambda one: one.order)
        assert database.add([owned(match("b000002-r0", "ann", "bob"), ann="zoe")]) == 1
        assert [row.owners for board in boards_in(database).values() for row in board.rows].count(("zoe",)) == 1
