"""JSON compressed with xz, which has a checksum; files of it next to a record, derived from that."""

from lzma import CHECK_SHA256, FORMAT_XZ, LZMADecompressor, LZMAError, compress
from pathlib import Path
from typing import Any, Final

from ballcourt.arena.files import parse_json, read_regular, unpacked, write_atomically
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import RecordError, checksum
from ballcourt.engine.core.messages.schema import objection
from ballcourt.v1.record_pb2 import MatchRecord

MOST_BYTES: Final = 1 << 20
MOST_UNPACKED: Final = 6 << 20
"""How large a file may be, and what is in it.

The views of a long match with five seats take 25 kB, unpacked 1.5 MB with 224,000 commas, colons and brackets, of which
393,000 are allowed.
"""
_MEMORY: Final = 1 << 26


def write_beside(file: Path, suffix: str, value: object) -> None:
    """Write a file next to a record file. Raises OSError."""
    write_packed(file.with_suffix(suffix), value)


def write_packed(path: Path, value: object) -> None:
    """Write a value as compressed JSON. Raises OSError."""
    write_atomically(path, compress(as_json(value, indent=None).encode(), format=FORMAT_XZ, check=CHECK_SHA256))


def read_packed(path: Path) -> Any:  # noqa: ANN401 (JSON values)
    """Read what `write_packed` wrote. Raises RecordError if it is missing, damaged or too large."""
    try:
        reader = LZMADecompressor(FORMAT_XZ, memlimit=_MEMORY)
        return parse_json(unpacked(read_regular(path, MOST_BYTES), reader, MOST_UNPACKED), MOST_UNPACKED)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, LZMAError, EOFError) as error:
        raise RecordError(f"{path} is damaged: {error}") from error


def read_beside(file: Path, suffix: str, kind: type, record: MatchRecord) -> Any:  # noqa: ANN401 (a TypedDict)
    """Return the contents of a file next to a record, a `kind` with the field `record`; None if there is no file.

    Raises RecordError if it is damaged, holds something else, or belongs to another record.
    """
    path = file.with_suffix(suffix)
    if not path.exists():
        return None
    found = read_packed(path)
    if wrong := objection(found, kind):
        raise RecordError(f"{path} is not a Ballcourt file: {wrong}")
    if found["record"] != checksum(record):
        raise RecordError(f"{path} was made from another record than {file}; delete it, or put the right one there")
    return found
