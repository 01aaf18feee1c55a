"""Match records on disk."""

import re
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from google.protobuf.message import DecodeError

from ballcourt.arena.files import write_atomically
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord

FORMAT: Final = "ballcourt-match-2"
SUFFIX: Final = ".match"
HASH_BYTES: Final = 8

DECIDERS: Final = frozenset(DecidedBy.values()) - {DecidedBy.DECIDED_BY_UNSPECIFIED}

_FAMILY: Final = "ballcourt-match-"
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class RecordError(WrongInput):
    """A record cannot be written, read or executed; the sentence says why."""


def check_writable(folder: Path) -> None:
    """Make a folder for records of matches yet to be played. Raises RecordError if none could be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise RecordError(
            f"no record can be written to {folder}: {error.strerror or error}; name another folder"
        ) from error


def write_record(folder: Path, record: MatchRecord) -> Path:
    """Write a record as `<key>.match` into a folder, which is created if missing; return its path.

    Raises RecordError for a key that cannot name a file, and OSError.
    """
    if not _KEY.fullmatch(record.key):
        raise RecordError(
            f"the key '{record.key}' cannot name a file; it must be 1 to 100 letters, digits, dots, dashes "
            "and underscores, the first a letter or digit"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (record.key + SUFFIX)
    write_atomically(path, record.SerializeToString(deterministic=True))
    return path


def read_record(path: Path) -> MatchRecord:
    """Read a record file. Raises RecordError if it is missing, damaged, or of another format."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or error}") from error
    record = MatchRecord()
    try:
        record.ParseFromString(data)
    except DecodeError as error:
        if _FAMILY.encode() in data[:32]:
            raise RecordError(f"{path} is damaged or cut short after {len(data)} bytes") from error
        raise RecordError(f"{path} is not a match record") from error
    _check_format(path, record)
    _check_shape(path, record)
    return record


def _check_format(path: Path, record: MatchRecord) -> None:
    if record.format == FORMAT:
        return
    if record.format.startswith(_FAMILY):
        raise RecordError(
            f"{path} is a record of format '{record.format}' and this version reads '{FORMAT}'; "
            "play the match again, or read it with the version of Ballcourt that wrote it"
        )
    raise RecordError(f"{path} is not a match record")


def _check_shape(path: Path, record: MatchRecord) -> None:
    decisions = record.decisions
    seats, count = len(record.entrants), len(decisions.seats)
    whole = (
        record.whole
        and seats > 0
        and len(record.results) == seats
        and len(record.opening_hash) == HASH_BYTES
        and len(decisions.actions) == len(decisions.think_us) == len(decisions.decided_by) == count
        and set(decisions.decided_by) <= DECIDERS
        and _TIME.fullmatch(record.started) is not None
        and len(decisions.hashes) == HASH_BYTES * count
        and len(record.cpu_us) in (0, seats)
        and len(record.work) in (0, seats)
        and all(seat < seats for seat in decisions.seats)
        and all(fault.seat < seats for fault in record.faults)
        and all(fault.seat < seats for fault in record.tolerated)
    )
    if not whole:
        raise RecordError(f"{path} is damaged or cut short: its parts do not fit together")
