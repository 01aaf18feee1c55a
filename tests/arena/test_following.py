"""Files of JSON lines that are read while they grow."""

import os
from pathlib import Path

import pytest

from ballcourt.arena import following
from ballcourt.arena.following import LineReader


def test_a_line_is_read_once_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "log"
    with LineReader(file) as reader:
        assert [*reader.entries()] == []
        file.write_bytes(b'{"a": 1}\n{"b"')
        assert [*reader.entries()] == [{"a": 1}]
        with file.open("ab") as more:
            more.write(b": 2}\n")
        assert [*reader.entries()] == [{"b": 2}]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "LONGEST", 32)
    file = tmp_path / "log"
    file.write_bytes(b'{"a": 10}\n{"a": %d}\n{"a": %d}\n{"a": 12}\n' % (10**60, 10**25))
    with LineReader(file) as reader:
        assert [*reader.entries()] == [{"a": 10}, {"a": 12}]


def test_what_is_no_object_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"5\n" + b"[" * 100_000 + b'\n{"a": ' + b"[" * 500 + b"]" * 500 + b'}\n{"a": 1}\n')
    with LineReader(file) as reader:
        assert [*reader.entries()] == [{"a": 1}]


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    with LineReader(tmp_path / "log") as reader, pytest.raises(OSError, match="it is not a regular file"):
        [*reader.entries()]
