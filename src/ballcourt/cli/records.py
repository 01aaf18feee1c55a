"""The record files that arguments of commands name."""

from collections.abc import Iterator
from pathlib import Path

from ballcourt.arena.records.store import SUFFIX, RecordError
from ballcourt.arena.tournament.folder.output import RECORDS


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
