"""Match records on disk.

A record file begins with two lines of text, so that people and tools recognise and check it without knowing messages:

    ballcourt-match-3
    9f86d081884c7d65...    the SHA-256 of everything after this line, hexadecimal

The rest is a serialised `MatchRecord`. A file that was cut short or has a flipped bit anywhere is never read as a
record. `tail -n +3 FILE | sha256sum` prints what the second line has.
"""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, TypeVar

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from ballcourt.arena.files import read_regular, write_atomically
from ballcourt.arena.naming import (
    key_objection,
    line_objection,
    lines_objection,
    name_objection,
    version_objection,
)
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord

FORMAT: Final = "ballcourt-match-3"
SUFFIX: Final = ".match"
HASH_BYTES: Final = 8
MOST_BYTES: Final = 8 * 1024 * 1024
"""The size of the largest file that is read as a record. Those of the arena stay below: it bounds what bots may say."""
MOST_ENTRIES: Final = 1 << 20
"""How many entries the lists of a message may have: an empty one has two bytes in a file, and takes 120 in memory."""
MOST_SEATS: Final = 64
MOST_POINTS: Final = 1e15
"""The largest score, in either direction."""
SHOWN: Final = 100
"""How much of a wrong word is quoted."""

Kind = TypeVar("Kind", bound=Message)

DECIDERS: Final = frozenset(DecidedBy.values()) - {DecidedBy.DECIDED_BY_UNSPECIFIED}

_FORMATS: Final = re.compile(rb"ballcourt-match-\d+")
_CHECKSUM: Final = re.compile(rb"[0-9a-f]{64}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


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
    if objection := key_objection(record.key):
        raise RecordError(f"the key '{record.key}' cannot name a file; {objection}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (record.key + SUFFIX)
    write_atomically(path, framed(serialised(record)))
    return path


def serialised(record: MatchRecord) -> bytes:
    """Return a record as the bytes that its file has after the first two lines."""
    return record.SerializeToString(deterministic=True)


def framed(content: bytes) -> bytes:
    """Return the file of a serialised record."""
    return b"\n".join((FORMAT.encode(), _digest(content).encode(), content))


def checksum(record: MatchRecord) -> str:
    """Return the checksum that the file of a record has in its second line."""
    return _digest(serialised(record))


def read_checksum(path: Path) -> str:
    """Return the checksum of a record file after comparing it with the content, without parsing that.

    Raises RecordError if the file is missing, damaged, or of another format.
    """
    return _digest(_content(path))


def read_record(path: Path) -> MatchRecord:
    """Read a record file. Raises RecordError if it is missing, damaged, or of another format."""
    return parsed(path, _content(path))


def parsed(path: Path, content: bytes) -> MatchRecord:
    """Return a serialised record, which errors call `path`. Raises RecordError if its parts are not those of one."""
    try:
        record = read_message(MatchRecord, content)
    except DecodeError as error:  # its checksum may be right: the writer computed it
        raise _damaged(path, "its content is not a record") from error
    _check_shape(path, record)
    return record


def read_message(kind: type[Kind], content: bytes) -> Kind:
    """Parse a message of others. Raises DecodeError, also if it has more than `MOST_ENTRIES`."""
    if len(content) > MOST_ENTRIES and any(islice(_short(kind.DESCRIPTOR).finditer(content), MOST_ENTRIES, None)):
        raise DecodeError(f"it has more than {MOST_ENTRIES} entries")
    return kind.FromString(content)


@cache
def _short(descriptor: Descriptor) -> re.Pattern[bytes]:
    """Return how entries of less than 32 bytes begin, of which alone a file can have too many.

    A number may be written with more bytes than it needs.
    """
    keys = [number << 3 | 2 for number in _lists(descriptor)]
    tags = [bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7]) for key in keys]
    longer = rb"\x80{0,8}\x00"
    begin = b"|".join(
        re.escape(tag[:-1]) + b"(?:%b|%b%b)" % (re.escape(tag[-1:]), re.escape(bytes([tag[-1] | 0x80])), longer)
        for tag in tags
    )
    return re.compile(rb"(?s:%b)(?=[\x00-\x1f]|[\x80-\x9f]%b)" % (begin, longer))


def _lists(descriptor: Descriptor) -> set[int]:
    """Return the numbers of the lists of messages in a message and in those within it."""
    inner = {field: field.message_type for field in descriptor.fields if field.message_type}
    own = {field.number for field in inner if field.is_repeated}
    return own.union(*map(_lists, inner.values()))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _content(path: Path) -> bytes:
    """Return the serialised message in a record file, after checking the lines before it."""
    try:
        data = read_regular(path, MOST_BYTES)
    except IsADirectoryError:
        raise RecordError(f"{path} is a folder; give one of the records (*.match) in it") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    name, _, rest = data.partition(b"\n")
    if name != FORMAT.encode():
        raise _of_another_format(path, data)
    stated, _, content = rest.partition(b"\n")
    if not _CHECKSUM.fullmatch(stated):
        raise _damaged(path, f"cut short after {len(data)} bytes" if stated == rest else "its checksum is unreadable")
    if _digest(content).encode() != stated:
        raise _damaged(path, "its content does not match its checksum")
    return content


def _of_another_format(path: Path, data: bytes) -> RecordError:
    found = _FORMATS.search(data[:32])  # format 2 began with it as a field of a message
    if not found or found[0] == FORMAT.encode():
        return RecordError(f"{path} is not a match record")
    return RecordError(
        f"{path} is a record of format '{found[0].decode()}' and this version reads '{FORMAT}'; "
        "play the match again, or read it with the version of Ballcourt that wrote it"
    )


def _damaged(path: Path, reason: str) -> RecordError:
    return RecordError(f"{path} is damaged: {reason}")


def _check_shape(path: Path, record: MatchRecord) -> None:
    """Raise RecordError if the parts of a record do not fit together, or a word or a number is one of no record."""
    if not (record.entrants and _has_its_decisions(record) and _has_its_seats(record)):
        raise _damaged(path, "its parts do not fit together")
    scores = [result.score for result in record.results] + [rival.score for rival in record.rivals]
    for number in (*scores, record.overhead_p50_us, record.overhead_p99_us, record.host.speed):
        if not abs(number) <= MOST_POINTS:  # which NaN is not either
            raise _damaged(path, f"the number {number:g} is out of range")
    places = [result.placement for result in record.results] + [rival.placement for rival in record.rivals]
    for place in places:
        if place > len(places):
            raise _damaged(path, f"the place {place} of {len(places)} is out of range")
    for what, word, objection in _words(record):
        if objection:
            raise _damaged(path, f"the {what} is {word[:SHOWN]!r}; {objection}")


def _words(record: MatchRecord) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a record that name files, bots, people and rules: what each is, and what is wrong with it.

    The writer of the file may have chosen others than the arena does. They are shown, and handed on to commands.
    """
    yield "key", record.key, key_objection(record.key)
    for entrant in record.entrants:
        for name in filter(None, (entrant.name, entrant.bot, entrant.owner)):  # a bot played in process may have none
            yield "name of a bot or its owner", name, name_objection(name)
        if entrant.version:
            yield "version of a bot", entrant.version, version_objection(entrant.version)
        yield "author of a bot", entrant.author, line_objection(entrant.author)
    rules = [record.game, record.rules_version, record.rules_package.name, record.rules_package.version]
    for line in (line for found in record.packages.values() for line in found.lines):
        yield "package", line, line_objection(line)
    options = [word for option in record.options.items() for word in option]
    for what, words in (("game", rules), ("options", options), ("rivals", [rival.name for rival in record.rivals])):
        yield what, ", ".join(words), lines_objection(words)


def _has_its_decisions(record: MatchRecord) -> bool:
    """Return whether the lists with an entry for each decision are equally long, and the rest is well formed."""
    decisions = record.decisions
    count = len(decisions.seats)
    parts = (decisions.actions, decisions.think_us, decisions.decided_by)
    return (
        all(len(part) == count for part in parts)
        and len(record.opening_hash) == HASH_BYTES
        and len(decisions.hashes) == HASH_BYTES * count
        and set(decisions.decided_by) <= DECIDERS
        and record.branched_from.decision <= count
        and _TIME.fullmatch(record.started) is not None
    )


def _has_its_seats(record: MatchRecord) -> bool:
    """Return whether the lists with an entry for each seat are equally long, and only seats of the match are named."""
    seats = len(record.entrants)
    if seats > MOST_SEATS:
        return False
    faults = [fault.seat for fault in record.faults] + [fault.seat for fault in record.tolerated]
    parts = (record.cpu_us, record.work, record.seat_clocks)
    return (
        len(record.results) == seats
        and all(len(part) in (0, seats) for part in parts)
        and max((*record.decisions.seats, *faults, *record.packages), default=0) < seats
    )
