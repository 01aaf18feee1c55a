"""Matches whose records are no longer kept: their results, which are on disk before a record is removed.

Each file in `results` has the results of some matches, by key, as the leaderboard has them. A match may still have its
record too: a run was killed before it removed that.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from ballcourt.arena.files import free_path
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.beside import read_packed, write_packed

RESULTS: Final = "results"
SUFFIX: Final = ".json.xz"
AT_ONCE: Final = 500
"""How many results a file has at most."""


def dropped_files(folder: Path) -> list[Path]:
    """List the files with results in an output folder; none if there is no folder."""
    return sorted((folder / RESULTS).glob(f"*{SUFFIX}"))


def read_dropped(file: Path) -> dict[str, Any]:
    """Return the results in a file, by key. Raises RecordError if it is damaged."""
    found = read_packed(file)
    if not isinstance(found, dict):
        raise RecordError(f"{file} is damaged: it must be a JSON object")
    return found


def dropped_keys(folder: Path) -> set[str]:
    """Return the keys of the matches whose results are kept without their records. Raises RecordError."""
    return {key for file in dropped_files(folder) for key in read_dropped(file)}


def keep_results(folder: Path, results: Mapping[str, object]) -> None:
    """Keep the results of matches, on disk when this returns. Raises OSError."""
    (folder / RESULTS).mkdir(exist_ok=True)
    write_packed(free_path(folder / RESULTS, min(results), SUFFIX), results)  # one of that key may have been forgotten


def forget_results(folder: Path, keys: Collection[str]) -> None:
    """Remove the results of matches that do not count any more. Raises RecordError and OSError."""
    for file in dropped_files(folder):
        found = read_dropped(file)
        if not found.keys().isdisjoint(keys):
            left = {key: value for key, value in found.items() if key not in keys}
            write_packed(file, left) if left else file.unlink()
