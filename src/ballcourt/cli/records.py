"""The record that an argument of a command names."""

from pathlib import Path

from ballcourt.arena.records.store import read_record
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.tournament.folder import named
from ballcourt.cli.output import note
from ballcourt.v1.record_pb2 import MatchRecord


def named_file(path: Path) -> Path:
    """Return the record file that an argument names, and say which it is if it was chosen. Raises RecordError."""
    file = named.named_file(path)
    if file != path:
        note(f"{file}:")
    return file


def named_record(path: Path) -> MatchRecord:
    """Read the record that an argument names. Raises RecordError."""
    return read_record(named_file(path))


def named_replay(path: Path) -> Replay:
    """Return what shows the match of the record that an argument names. Raises RecordError."""
    file = named_file(path)
    return Replay(read_record(file), file)
