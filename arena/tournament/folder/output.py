"""The output folder of a tournament: its records so far, and a lock so that only one run writes."""

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, TypeVar

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import discard_temporaries, free_path, open_regular, write_atomically
from ballcourt.arena.locks import claim, claimant
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.bundle import FAULTS, LOGS, has_bundles, take_logs, write_bundles
from ballcourt.arena.records.store import SUFFIX, RecordError, read_record, write_record
from ballcourt.arena.replays.broadcast import BROADCASTS
from ballcourt.arena.tournament.folder.dropped import dropped_keys, forget_results
from ballcourt.arena.tournament.folder.manifest import FolderError, check_same, write_manifest
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.v1.record_pb2 import MatchRecord

RECORDS: Final = "records"
VOIDED: Final = "voided"
VOIDING: Final = "voiding"
LOCK: Final = "lock"
DATABASE: Final = "leaderboard.sqlite"
Said = TypeVar("Said")


class OtherMatch(FolderError):
    """A readable record belongs to some other match."""


class Folder:
    """The output folder of one tournament, held by this process; `open_folder` makes one."""

    def __init__(self, path: Path, lock: IO[str], *, keeps_logs: bool = False) -> None:
        self.path = path
        self.keeps_logs = keeps_logs
        self.records = path / RECORDS
        self._lock = lock

    def add(self, record: MatchRecord) -> Path:
        """Keep a record, and a bundle for each bot that lost its seat, and logs; return the record's path.

        Raises ArenaError if the folder is not where it was, and OSError.
        """
        self._check_place()
        if self.keeps_logs:
            take_logs(self.path / LOGS, record)
        write_bundles(self.path / FAULTS, record)  # first, so that a match that counts as played has its bundles
        return write_record(self.records, record)

    def _check_place(self) -> None:
        """Raise ArenaError if the folder was moved or removed; nothing is written in its old place then."""
        try:
            is_there = os.path.samestat((self.path / LOCK).stat(), os.fstat(self._lock.fileno()))
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise ArenaError(
                f"{self.path} was moved or removed while its tournament was played; put it back and run the command "
                "again, or name its new place with --output"
            )

    def restore_bundles(self, record: MatchRecord) -> None:
        """Write the bundles of a record that is kept if any is missing or empty. Raises OSError."""
        if not has_bundles(self.path / FAULTS, record):
            write_bundles(self.path / FAULTS, record)

    def path_of(self, key: str) -> Path:
        """Return the path of a record."""
        return self.records / (key + SUFFIX)

    def read(self, spec: MatchSpec) -> MatchRecord:
        """Read the record of a match. Raises RecordError if it cannot be read, OtherMatch if it is another match's."""
        path = self.path_of(spec.key)
        record = read_record(path)
        _check_record(path, record, spec)
        return record

    def read_all(self, keys: Iterable[str]) -> tuple[MatchRecord, ...]:
        """Read the records under these keys, without those that are missing or cannot be read."""
        found = []
        for key in keys:
            with suppress(RecordError):
                found.append(read_record(self.path_of(key)))
        return tuple(found)

    def put_away(self, event: Said, keys: Sequence[str]) -> Iterator[Said]:
        """Yield what says that matches do not count, then move their records away, even if no more is asked for."""
        try:
            yield event
        finally:
            if keys:
                self.void(keys)

    def void(self, keys: Iterable[str]) -> None:
        """Move any records of these matches to `voided/`, all or none even if killed. Raises OSError."""
        write_atomically(self.path / VOIDING, "\n".join(keys).encode())
        self.finish_voiding()

    def finish_voiding(self) -> None:
        """Complete what a killed run began to void."""
        intent = self.path / VOIDING
        if not intent.exists():
            return
        (self.path / VOIDED).mkdir(exist_ok=True)
        with open_regular(intent) as file:
            keys = file.read().decode().splitlines()
        for key in keys:
            with suppress(FileNotFoundError):
                self.path_of(key).rename(free_path(self.path / VOIDED, key, SUFFIX))
        forget_results(self.path, keys)
        intent.unlink()


@contextmanager
def open_folder(path: Path, tournament: Plan) -> Iterator[Folder]:
    """Hold the output folder of a tournament, new or begun before, for this process alone.

    Raises FolderError when another process holds it or when it holds another tournament.
    """
    check_same(path, tournament)
    make_output(path)
    with hold(path) as lock:
        check_same(path, tournament)  # again: another run may have begun one before we got the lock
        folder = Folder(path, lock, keeps_logs=tournament.event.logs)
        folder.records.mkdir(exist_ok=True)
        discard_temporaries(path)
        discard_temporaries(folder.records)
        folder.finish_voiding()
        discard_temporaries(path / FAULTS)
        shutil.rmtree(path / BROADCASTS, ignore_errors=True)  # of a run that was killed
        write_manifest(path, tournament)
        yield folder


@contextmanager
def hold(path: Path) -> Iterator[IO[str]]:
    """Keep other processes from writing to a folder, by a lock on the file that this yields.

    Raises FolderError when one of them holds it, and when this process cannot write to it.
    """
    try:
        lock = (path / LOCK).open("a+")
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise FolderError(f"cannot write to {path}: {error.strerror or error}") from error
    with lock:
        _take(lock, path)
        yield lock


def holder(path: Path) -> int | None:
    """Return the id of the process that holds an output folder; None if no other process does."""
    try:
        with open_regular(path / LOCK) as lock:
            return claimant(lock)
    except OSError:
        return None


def record_files(path: Path) -> list[Path]:
    """Return the records in an output folder, sorted by name. Raises FolderError if they cannot be listed."""
    try:
        return sorted(file for file in (path / RECORDS).iterdir() if file.suffix == SUFFIX)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise FolderError(f"cannot read {path / RECORDS}: {error.strerror or error}") from error


def played_keys(path: Path) -> set[str]:
    """Return the keys of the matches of an output folder, with those whose records were dropped.

    Raises FolderError and RecordError.
    """
    return {file.stem for file in record_files(path)} | dropped_keys(path)


def _check_record(path: Path, record: MatchRecord, spec: MatchSpec) -> None:
    """Refuse a readable record of some other match: unless the organiser changed the past, it was put there by hand."""
    entrants = [entrant.bot for entrant in spec.entrants]
    recorded = [BotVersion(one.name, one.version, one.content_hash) for one in record.entrants]
    if (record.key, record.game, record.seed, recorded) != (spec.key, spec.game, spec.seed, entrants):
        raise OtherMatch(f"{path} is the record of another match; move it out of the folder and run the command again")


def make_output(path: Path) -> None:
    """Make an output folder unless it exists. Raises FolderError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the output folder {path}: {error.strerror or error}") from error


def _take(lock: IO[str], path: Path) -> None:
    """Lock for this process, until it ends."""
    try:
        claim(lock)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise FolderError(
                f"cannot lock {path}: {error.strerror}; choose an output folder on a file system with locks"
            ) from error
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        raise FolderError(
            f"{path} is in use by another run (process {holder}); wait for it, or choose another output folder"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
