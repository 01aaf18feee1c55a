"""The folder of a tournament: the records so far, and a lock so that only one run writes."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Final, TypeVar

from ballcourt.arena.files import discard_temporaries, write_atomically
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.bundle import FAULTS, write_bundles
from ballcourt.arena.records.store import SUFFIX, RecordError, read_record, write_record
from ballcourt.arena.tournament.manifest import FolderError, check_same, write_manifest
from ballcourt.arena.tournament.plan import Tournament
from ballcourt.v1.record_pb2 import MatchRecord

RECORDS: Final = "records"
VOIDED: Final = "voided"
VOIDING: Final = "voiding"
LOCK: Final = "lock"
DATABASE: Final = "leaderboard.sqlite"

Taken = TypeVar("Taken")


class Folder:
    """The output folder of one tournament, held by this process; `open_folder` makes one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = path / RECORDS

    def add(self, record: MatchRecord) -> Path:
        """Keep a record, and a bundle for each bot that lost its seat. Raises OSError when the disk refuses."""
        write_bundles(self.path / FAULTS, record)  # first, so that a match that counts as played has its bundles
        return write_record(self.records, record)

    def void(self, keys: Iterable[str]) -> None:
        """Put the records of these matches, as far as there are any, where nothing counts; all or, if killed, none.

        Raises OSError when the disk refuses.
        """
        write_atomically(self.path / VOIDING, "\n".join(keys).encode())
        self.finish_voiding()

    def finish_voiding(self) -> None:
        """Go on where a killed run was voiding records, if it was."""
        intent = self.path / VOIDING
        if not intent.exists():
            return
        (self.path / VOIDED).mkdir(exist_ok=True)
        for key in intent.read_text().splitlines():
            with suppress(FileNotFoundError):
                (self.records / (key + SUFFIX)).rename(_free_name(self.path / VOIDED, key))
        intent.unlink()

    def played(
        self, tournament: Tournament, take: Callable[[MatchRecord], Taken]
    ) -> tuple[dict[str, Taken], list[str]]:
        """Read the tournament's records one by one; return what `take` makes of them, by key.

        Beside it comes a sentence for each record that cannot be read. Raises FolderError for a record of another
        match under one of the keys.
        """
        found: dict[str, Taken] = {}
        unreadable: list[str] = []
        for spec in tournament.specs():
            path = self.records / (spec.key + SUFFIX)
            if not path.exists():
                continue
            try:
                record = read_record(path)
            except RecordError as error:
                unreadable.append(str(error))
                continue
            _check_record(path, record, spec)
            found[spec.key] = take(record)
        return found, unreadable


@contextmanager
def open_folder(path: Path, tournament: Tournament) -> Iterator[Folder]:
    """Hold the output folder of a tournament, new or begun before, for this process alone.

    Raises FolderError when another process holds it or when it holds another tournament.
    """
    check_same(path, tournament)
    _make(path)
    with hold(path):
        check_same(path, tournament)  # again: somebody may have begun one before we got the lock
        folder = Folder(path)
        folder.records.mkdir(exist_ok=True)
        discard_temporaries(path)
        discard_temporaries(folder.records)
        folder.finish_voiding()
        discard_temporaries(path / FAULTS)
        write_manifest(path, tournament)
        yield folder


@contextmanager
def hold(path: Path) -> Iterator[None]:
    """Keep other processes from writing to a folder. Raises FolderError when one of them holds it."""
    try:
        lock = (path / LOCK).open("a+")
    except OSError as error:
        raise FolderError(f"cannot write to {path}: {error.strerror or error}") from error
    with lock:
        _take(lock, path)
        yield


def record_files(path: Path) -> list[Path]:
    """List the records in an output folder, by name; none where it has none. Raises FolderError if it does not say."""
    try:
        return sorted(file for file in (path / RECORDS).iterdir() if file.suffix == SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FolderError(f"cannot read {path / RECORDS}: {error.strerror or error}") from error


def kept_records(path: Path, take: Callable[[MatchRecord], Taken]) -> tuple[list[Taken], list[str]]:
    """Read every record of a folder, whatever tournament it is, like `Folder.played`. Raises FolderError."""
    found: list[Taken] = []
    unreadable: list[str] = []
    for file in record_files(path):
        try:
            found.append(take(read_record(file)))
        except RecordError as error:
            unreadable.append(str(error))
    return found, unreadable


def _check_record(path: Path, record: MatchRecord, spec: MatchSpec) -> None:
    """Refuse a readable record of some other match: it was put there by hand."""
    entrants = [(bot.name, bot.version, bot.content_hash) for bot in spec.entrants]
    recorded = [(entrant.name, entrant.version, entrant.content_hash) for entrant in record.entrants]
    if (record.key, record.game, record.seed, recorded) != (spec.key, spec.game, spec.seed, entrants):
        raise FolderError(f"{path} is the record of another match; move it out of the folder and run the command again")


def _free_name(folder: Path, key: str) -> Path:
    """Find a name for another voided record of a match, the first being the plain one."""
    names = (f"{key}{SUFFIX}" if number == 1 else f"{key}.{number}{SUFFIX}" for number in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the output folder {path}: {error.strerror or error}") from error


def _take(lock: IO[str], path: Path) -> None:
    """Lock for this process. A POSIX lock: a child does not inherit it, so it ends with us however we end."""
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        raise FolderError(
            f"{path} is in use by another run (process {holder}); wait for it, or choose another output folder"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
