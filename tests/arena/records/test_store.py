"""Records on disk."""

from pathlib import Path

import pytest

from ballcourt.arena.records.store import RecordError, read_record, write_record
from tests.arena.recorded import recorded


def test_a_record_reads_back_as_it_was_written(tmp_path: Path) -> None:
    record = recorded("b000001-r2")
    path = write_record(tmp_path / "new" / "records", record)
    assert path.name == "b000001-r2.match"
    assert read_record(path) == record
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("key", ["", "../up", "a/b", ".hidden", "x" * 101, "a b"])
def test_a_key_that_is_not_a_valid_file_name_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(RecordError, match="cannot name a file"):
        write_record(tmp_path, recorded(key))
    assert not list(tmp_path.iterdir())


def test_a_missing_record_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot read .*none\.match: No such file"):
        read_record(tmp_path / "none.match")


@pytest.mark.parametrize("content", [b"", b"hello, I am a text", b"\x00" * 50, b"SQLite format 3\x00"])
def test_another_file_is_not_a_record(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.match"
    file.write_bytes(content)
    with pytest.raises(RecordError, match=r"some\.match is not a match record"):
        read_record(file)


def test_a_truncated_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cut.match"
    data = recorded().SerializeToString(deterministic=True)
    for length in range(len(data)):
        file.write_bytes(data[:length])
        with pytest.raises(RecordError, match=r"damaged or cut short|is not a match record"):
            read_record(file)


def test_the_error_for_another_format_names_both_formats(tmp_path: Path) -> None:
    record = recorded()
    record.format = "ballcourt-match-9"
    path = write_record(tmp_path, record)
    with pytest.raises(RecordError, match="of format 'ballcourt-match-9' and this version reads 'ballcourt-match-2'"):
        read_record(path)


def test_a_record_of_format_1_is_refused_with_advice(tmp_path: Path) -> None:
    record = recorded()
    record.format = "ballcourt-match-1"
    record.ClearField("started")
    del record.decisions.decided_by[:]
    with pytest.raises(RecordError, match="play the match again, or read it with the version of Ballcourt that wrote"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize("started", ["", "yesterday", "2026-11-22", "2026-11-22T18:30:05Z and more"])
def test_a_record_without_its_time_is_damaged(tmp_path: Path, started: str) -> None:
    record = recorded()
    record.started = started
    with pytest.raises(RecordError, match="damaged or cut short"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize("decided_by", [0, 5])
def test_a_record_that_does_not_say_who_decided_is_damaged(tmp_path: Path, decided_by: int) -> None:
    record = recorded()
    record.decisions.decided_by[3] = decided_by  # type: ignore[call-overload]
    with pytest.raises(RecordError, match="damaged or cut short"):
        read_record(write_record(tmp_path, record))
