"""Records on disk."""

import os
import re
from hashlib import sha256
from pathlib import Path

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.records.store import (
    FORMAT,
    MOST_BYTES,
    MOST_ENTRIES,
    MOST_SEATS,
    RecordError,
    checksum,
    framed,
    read_checksum,
    read_message,
    read_record,
    serialised,
    write_record,
)
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded


def test_a_record_reads_back_as_it_was_written(tmp_path: Path) -> None:
    record = recorded("b000001-r2")
    path = write_record(tmp_path / "new" / "records", record)
    assert path.name == "b000001-r2.match"
    assert read_record(path) == record
    assert list(path.parent.iterdir()) == [path]


def test_the_second_line_of_a_record_is_the_checksum_of_the_rest(tmp_path: Path) -> None:
    record = recorded()
    path = write_record(tmp_path, record)
    name, stated, content = path.read_bytes().split(b"\n", 2)
    assert name.decode() == FORMAT
    assert stated.decode() == sha256(content).hexdigest() == checksum(record) == read_checksum(path)
    assert MatchRecord.FromString(content) == record


@pytest.mark.parametrize("key", ["", "../up", "a/b", ".hidden", "x" * 101, "a b"])
def test_a_key_that_is_not_a_valid_file_name_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(RecordError, match="cannot name a file"):
        write_record(tmp_path, recorded(key))
    assert not list(tmp_path.iterdir())


def test_a_missing_record_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"none\.match cannot be read: No such file"):
        read_record(tmp_path / "none.match")


def test_a_folder_in_place_of_a_record_is_distinguished_from_its_records(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"is a folder; give one of the records \(\*\.match\) in it"):
        read_record(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello, I am prose", b"\x00" * 50, b"SQLite format 3\x00"])
def test_another_file_is_not_a_record(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "some.match"
    file.write_bytes(content)
    with pytest.raises(RecordError, match=r"some\.match is not a match record"):
        read_record(file)


def check_refused(file: Path, data: bytes) -> None:
    """Check that neither the record in these bytes nor its checksum is read."""
    file.write_bytes(data)
    for read in (read_record, read_checksum):
        with pytest.raises(RecordError, match=r"is damaged|is not a match record|of format 'ballcourt-match-\d'"):
            read(file)


def test_a_record_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    data = framed(serialised(recorded()))
    for length in range(len(data)):
        check_refused(tmp_path / "cut.match", data[:length])


def test_a_single_flipped_bit_is_found_wherever_it_is(tmp_path: Path) -> None:
    data = framed(serialised(recorded()))
    for position in (*range(8 * 90), *range(8 * 90, 8 * len(data), 7)):  # all bits of the first lines, 1 in 7 after
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << position % 8
        check_refused(tmp_path / "flipped.match", bytes(flipped))


@given(flips=st.sets(st.tuples(st.integers(0, 10**6), st.integers(0, 7)), min_size=1), cut=st.integers(0, 10**6))
def test_any_flipped_bits_and_cuts_are_found(
    tmp_path_factory: pytest.TempPathFactory, flips: set[tuple[int, int]], cut: int
) -> None:
    sound = framed(serialised(recorded()))
    data = bytearray(sound)
    for position, bit in flips:
        data[position % len(data)] ^= 1 << bit
    damaged = bytes(data[: len(data) - cut % len(data)])
    if damaged != sound:
        check_refused(tmp_path_factory.getbasetemp() / "damaged.match", damaged)


@pytest.mark.parametrize(
    "old", [b"\n\x11ballcourt-match-1\x12\x05match", b"\n\x11ballcourt-match-2\x12\x05match", b"ballcourt-match-9\n1\n"]
)
def test_a_record_of_another_format_is_refused_with_advice(tmp_path: Path, old: bytes) -> None:
    (tmp_path / "old.match").write_bytes(old)
    found = re.search(rb"ballcourt-match-\d", old)
    assert found
    sentence = (
        f"is a record of format '{found[0].decode()}' and this version reads '{FORMAT}'; "
        "play the match again, or read it with the version of Ballcourt that wrote it"
    )
    with pytest.raises(RecordError, match=re.escape(sentence)):
        read_record(tmp_path / "old.match")


@pytest.mark.parametrize("started", ["", "yesterday", "2026-11-22", "2026-11-22T18:30:05Z and more"])
def test_a_record_without_its_time_is_damaged(tmp_path: Path, started: str) -> None:
    record = recorded()
    record.started = started
    with pytest.raises(RecordError, match="is damaged: its parts do not fit"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize("decided_by", [0, 99])
def test_a_record_that_does_not_say_who_decided_is_damaged(tmp_path: Path, decided_by: int) -> None:
    record = recorded()
    record.decisions.decided_by[3] = decided_by  # type: ignore[call-overload]
    with pytest.raises(RecordError, match="is damaged: its parts do not fit"):
        read_record(write_record(tmp_path, record))


def test_a_place_behind_all_players_is_refused(tmp_path: Path) -> None:
    record = recorded()
    record.results[1].placement = 1 << 31
    with pytest.raises(RecordError, match="the place 2147483648 of 3 is out of range"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -1e300])
def test_a_score_that_no_table_can_show_is_refused(tmp_path: Path, score: float) -> None:
    record = recorded()
    record.results[1].score = score
    with pytest.raises(RecordError, match="is out of range"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize("word", ["x=evil", "./evil", "a" * 41, "\x1b[2J"])
@pytest.mark.parametrize("field", ["name", "version", "bot", "owner"])
def test_a_record_whose_bots_have_names_that_no_bot_may_have_is_refused(tmp_path: Path, field: str, word: str) -> None:
    record = recorded()
    setattr(record.entrants[1], field, word)
    with pytest.raises(RecordError, match=f"is damaged: the (name|version) of a bot .*is {re.escape(repr(word))}"):
        read_record(write_record(tmp_path, record))


@pytest.mark.parametrize(("seat", "line"), [(3, "six==1.16.0"), (0, "six\x1b[2J"), (0, "a" * 201)])
def test_a_record_with_packages_of_no_seat_or_that_are_not_visible_is_refused(
    tmp_path: Path, seat: int, line: str
) -> None:
    record = recorded()
    record.packages[seat].lines.append(line)
    with pytest.raises(RecordError, match=r"its parts do not fit together|the package is '"):
        read_record(write_record(tmp_path, record))


def test_a_record_whose_key_cannot_name_a_file_is_refused(tmp_path: Path) -> None:
    record = recorded()
    record.key = "../evil"
    (tmp_path / "m.match").write_bytes(framed(serialised(record)))
    with pytest.raises(RecordError, match=r"the key is '\.\./evil'"):
        read_record(tmp_path / "m.match")


def test_a_stranger_who_computes_the_checksum_of_anything_else_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"\xff", b"no message"):
        head = f"{FORMAT}\n{sha256(content).hexdigest()}\n".encode()
        (tmp_path / "strange.match").write_bytes(head + content)
        with pytest.raises(RecordError, match=r"strange\.match is damaged"):
            read_record(tmp_path / "strange.match")


def test_only_regular_files_of_bounded_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.match")
    (tmp_path / "device.match").symlink_to("/dev/zero")
    with (tmp_path / "endless.match").open("wb") as file:
        file.truncate(1 << 40)
    for name in ("fifo", "device"):
        with pytest.raises(RecordError, match=rf"{name}\.match cannot be read"):
            read_record(tmp_path / f"{name}.match")
    with pytest.raises(RecordError, match=f"it is larger than {MOST_BYTES} bytes"):
        read_record(tmp_path / "endless.match")


@pytest.mark.parametrize("entry", [b":\0", b"\xba\x80\0\0", b":\x80\0", b"b\0", b"j\0", b"\xaa\x01\0", b"\xd2\x81\0\0"])
def test_the_entries_of_a_record_are_counted_before_it_is_parsed(tmp_path: Path, entry: bytes) -> None:
    file = tmp_path / "m.match"
    file.write_bytes(framed(serialised(recorded()) + entry * (MOST_ENTRIES + 1)))
    with pytest.raises(RecordError, match="is damaged: its content is not a record"):
        read_record(file)
    assert len(read_message(MatchRecord, entry * 1000).SerializeToString()) >= 2000
    with pytest.raises(DecodeError, match=f"it has more than {MOST_ENTRIES} entries"):
        read_message(MatchRecord, entry * (MOST_ENTRIES + 1))


def test_a_record_of_more_seats_than_a_table_has_is_refused(tmp_path: Path) -> None:
    record = recorded()
    record.entrants.extend([record.entrants[0]] * MOST_SEATS)
    record.results.extend([record.results[0]] * MOST_SEATS)
    file = tmp_path / "m.match"
    file.write_bytes(framed(serialised(record)))
    with pytest.raises(RecordError, match="its parts do not fit together"):
        read_record(file)


def test_a_long_record_of_ordinary_decisions_is_read(tmp_path: Path) -> None:
    record = recorded()
    decisions, count = record.decisions, 150_000
    for part in (decisions.seats, decisions.actions, decisions.think_us):
        part.extend([part[0]] * (count - len(part)))
    decisions.decided_by.extend([decisions.decided_by[0]] * (count - len(decisions.decided_by)))
    decisions.hashes = bytes(range(256)) * (8 * count // 256) + bytes(8 * count % 256)
    decisions.thoughts[0] = "I: *believe* that\n" * 100_000
    file = tmp_path / "m.match"
    file.write_bytes(framed(serialised(record)))
    assert len(read_record(file).decisions.seats) == count
