"""`ballcourt serve --site`: from a folder to files, and wrong input."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ballcourt.arena.records.store import write_record
from tests.arena.recorded import recorded
from tests.cli.conftest import Refused, Run


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup" / "records").mkdir(parents=True)
    write_record(tmp_path / "cup" / "records", recorded("m1"))
    return tmp_path / "cup"


def test_a_folder_becomes_files(succeeds: Run, cup: Path, tmp_path: Path) -> None:
    written = succeeds("serve", str(cup), "--site", str(tmp_path / "public"), "--replays", "0")
    assert "index.html in a browser" in written.stdout.replace("\n", "")
    assert "lowest" in (tmp_path / "public" / "index.html").read_text()


def test_wrong_input_is_a_sentence_and_nothing_is_written(refused: Refused, cup: Path, tmp_path: Path) -> None:
    other, stranger = tmp_path / "other.sqlite", tmp_path / "stranger.sqlite"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE thesis (text TEXT)")
    with closing(sqlite3.connect(stranger)) as connection, connection:
        connection.execute("CREATE TABLE ballcourt (digest TEXT, schema TEXT)")
        connection.execute("INSERT INTO ballcourt VALUES ('', '99')")
    (tmp_path / "file").write_text("")
    for place, output, sentence in (
        (tmp_path / "nowhere", "public", "is not the output folder of a tournament"),
        (other, "public", "not a ballcourt leaderboard"),
        (stranger, "public", "of schema '99'"),
        (cup, "file", "has other files in it"),
        (cup, "file/below", "cannot be written"),
    ):
        assert sentence in refused("serve", str(place), "--site", str(tmp_path / output), "--replays", "0")
    assert not (tmp_path / "public").exists()
