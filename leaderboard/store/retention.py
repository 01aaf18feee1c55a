"""The retention of a ladder: after some time only the results of matches are kept, and their records are removed."""

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from ballcourt.arena.records.bundle import remove_bundles_and_logs
from ballcourt.arena.records.store import SUFFIX, RecordError, read_record
from ballcourt.arena.replays import judgement, kept
from ballcourt.arena.tournament.folder.dropped import AT_ONCE, dropped_files, dropped_keys, keep_results, read_dropped
from ballcourt.arena.tournament.folder.output import RECORDS, VOIDED, record_files
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.leaderboard.model.results import MatchResult, from_record

LOOK_S: Final = 3600.0
"""How often old records are looked for."""
_RESULT: Final = TypeAdapter(MatchResult)


class Retention:
    """Drops the old records of a ladder. Call it again and again; it does something once an hour."""

    def __init__(self, folder: Path, keep_s: float | None, now: Callable[[], float] = time.time) -> None:
        """`keep_s` says how long a record is kept, in seconds; None: for ever."""
        self._folder = folder
        self._keep_s = keep_s
        self._now = now
        self._due_s = 0.0
        self._half: set[str] | None = None
        """The matches whose results are kept and whose records were not removed: that was interrupted."""

    def __call__(self, before: int) -> None:
        """Drop some of the old records of the blocks before one. Raises RecordError and OSError."""
        now = self._now()
        if self._keep_s is None or now < self._due_s:
            return
        old = [*_older(self._folder, now - self._keep_s, before)]
        if len(old) <= AT_ONCE:
            self._due_s = now + LOOK_S
            for file in (self._folder / VOIDED).glob("*"):
                if file.stat().st_mtime < now - self._keep_s:
                    file.unlink()
        half = _half_dropped(self._folder) if self._half is None else self._half
        self._half = None  # unless all of this ends well
        drop(self._folder, old[:AT_ONCE], half)
        self._half = half - {file.stem for file in old[:AT_ONCE]}


def drop(folder: Path, files: list[Path], known: Collection[str] = ()) -> None:
    """Keep the results of matches, but for those `known`, then remove their records and what was written for authors.

    A record that is damaged stays. Raises OSError.
    """
    records = {}
    for file in files:
        try:
            records[file] = read_record(file)
        except RecordError:
            continue  # it stays, and tables say why they lack it
    results = {one.key: asdict(from_record(one)) for one in records.values() if one.key not in known}
    if results:
        keep_results(folder, results)
    for file, record in records.items():
        remove_bundles_and_logs(folder, record)
        for suffix in (judgement.SUFFIX, kept.SUFFIX):
            file.with_suffix(suffix).unlink(missing_ok=True)
        file.unlink()


def _half_dropped(folder: Path) -> set[str]:
    """Return the keys of the matches that have both their results and their records. Raises RecordError."""
    return dropped_keys(folder).intersection(file.stem for file in record_files(folder))


def dropped_results(folder: Path) -> tuple[list[MatchResult], list[str]]:
    """Return the results of the matches whose records were dropped, and a sentence for each damaged file of these."""
    found: list[MatchResult] = []
    damaged: list[str] = []
    for file in dropped_files(folder):
        try:
            found += [_result(folder, value) for value in read_dropped(file).values()]
        except RecordError as error:
            damaged.append(str(error))
        except ValidationError as error:
            damaged.append(f"{file} is damaged: {error.errors()[0]['msg']}")
    return found, damaged


def _result(folder: Path, value: dict[str, Any]) -> MatchResult:
    found = _RESULT.validate_python(value)
    return replace(found, record=str((folder / RECORDS / f"{found.key}{SUFFIX}").absolute()))


def _older(folder: Path, moment: float, before: int) -> Iterator[Path]:
    """Yield the records that were written before a moment, of the blocks before one."""
    for file in record_files(folder):
        index = block_index(file.stem)
        if index is not None and index < before and file.stat().st_mtime < moment:
            yield file
