"""The record files that arguments of commands name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ballcourt.arena.records.store import SUFFIX, RecordError, read_record
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.cli.output import note
from ballcourt.v1.record_pb2 import MatchRecord

RUNS: Final = Path("runs")
LAST: Final = Path("last")
"""What the newest record in ./runs is called, unless there is such a file."""


def named_record(path: Path) -> MatchRecord:
    """Read the record that an argument names. Raises RecordError."""
    return read_record(named_file(path))


def named_replay(path: Path) -> Replay:
    """Return what shows the match of the record that an argument names. Raises RecordError."""
    file = named_file(path)
    return Replay(read_record(file), file)


def named_file(path: Path) -> Path:
    """Return the record file that an argument names: itself, the newest in a folder, or `last`. Raises RecordError."""
    if path == LAST and not path.exists():
        folders = sorted((folder for pattern in ("*", f"*/{RECORDS}") for folder in RUNS.glob(pattern)), key=_time)
        found = next(filter(None, ([*folder.glob(f"*{SUFFIX}")] for folder in reversed(folders))), [])
        if not found:
            raise RecordError(f"there are no records (*{SUFFIX}) in the folders of ./{RUNS}; name a record file")
        newest = max(found, key=_time)
    elif path.is_dir():
        newest = max(named_records([path]), key=_time)
    else:
        return path
    note(f"{newest}:")
    return newest


def _time(path: Path) -> int:
    return path.stat().st_mtime_ns


def named_records(paths: list[Path]) -> Iterator[Path]:
    """Yield the record files named at the command line. Raises RecordError for a path without any."""
    for path in paths:
        if not path.exists():
            raise RecordError(f"there is no {path}; give record files, or folders with record files")
        if not path.is_dir():
            yield path
            continue
        folder = path / RECORDS if (path / RECORDS).is_dir() else path
        found = sorted(folder.glob(f"*{SUFFIX}"))
        if not found:
            raise RecordError(f"there are no records (*{SUFFIX}) in {path}")
        yield from found
