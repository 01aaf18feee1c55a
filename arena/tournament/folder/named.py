"""The record files that the words of a command name."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ballcourt.arena.records.store import SUFFIX, RecordError
from ballcourt.arena.tournament.folder.output import RECORDS

RUNS: Final = Path("runs")
LAST: Final = Path("last")
"""What the newest record in ./runs is called, unless there is such a file."""


def named_file(path: Path) -> Path:
    """Return a record file: the path itself, the newest in a folder, or the newest in ./runs for `last`.

    Raises RecordError if there is none.
    """
    if path == LAST and not path.exists():
        folders = sorted((folder for pattern in ("*", f"*/{RECORDS}") for folder in RUNS.glob(pattern)), key=_time)
        found = next(filter(None, ([*folder.glob(f"*{SUFFIX}")] for folder in reversed(folders))), [])
        if not found:
            raise RecordError(f"there are no records (*{SUFFIX}) in the folders of ./{RUNS}; name a record file")
        return max(found, key=_time)
    return max(named_files([path]), key=_time) if path.is_dir() else path


def named_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the record files among the paths, in those that are folders, and for `last` the newest in ./runs.

    Raises RecordError for a path without any.
    """
    for path in paths:
        if path == LAST and not path.exists():
            yield named_file(path)
            continue
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


def _time(path: Path) -> int:
    return path.stat().st_mtime_ns
