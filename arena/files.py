"""Atomic writes of files and folders; TOML and JSON that others wrote."""

import errno
import itertools
import json
import os
import re
import shutil
import stat
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, Protocol

import ballcourt
from ballcourt.arena.locks import open_locked, try_lock

TEMPORARY = ".ballcourt-tmp"
MOST_TOML = 1 << 20
MOST_ENTRIES: Final = 1 << 17
"""Lines, commas, brackets and equals signs of TOML, of which a parser reads half a million a second."""
TOML_BITS: Final = 64
"""Of an integer, with its sign, as in TOML 1.0. Python reads longer ones, and cannot write all of them."""
MOST_DOTS = 16
"""How many dots a key may have: a parser's time grows with their square, to hours for a key of a megabyte."""
DEEPEST_JSON: Final = 64
"""How deeply lists and objects may be nested; much of Python fails at some hundred."""
STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
NO_BRACKETS: Final = bytes({*range(256)}.difference(b"[]{}"))
"""What is left out of a document of JSON, after its strings, to find how deeply it is nested."""
MOST_JSON: Final = 1 << 24
"""Bytes of a document of JSON; as strings they may take nine times as much memory."""
BYTES_PER_PART: Final = 16
"""How many bytes a document of JSON may have for each comma, colon or opening bracket, which take 160 in memory."""
MOST_PARTS: Final = 1 << 18
"""How many of these a document may have that becomes a type, which takes 3 µs for each of them."""
BESIDES_KEYS: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[ \t]+|#[^\n]*''', re.DOTALL
)
"""The strings, spaces and comments of TOML."""
_PIECE: Final = 1 << 20
"""How many bytes of a file are read at once."""
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
"""How systems say that a disk, or what a user may have of it, is full."""
LITTLE: Final = 1 << 18
"""Bytes; with less space, an error of SQLite at reading or writing is taken for that of a full disk."""
MAKE_SPACE: Final = "the disk is full; make space, and run the same command again, which goes on from there"
PACKAGE: Final = Path(ballcourt.__path__[0])
"""The folder of Ballcourt, in site-packages or in a checkout."""


def read_toml(path: Path, most: int = MOST_TOML) -> dict[str, Any]:
    """Read a TOML file of at most this number of bytes. Raises OSError, and ValueError if it is not valid TOML."""
    try:
        text = read_regular(path, most).decode("utf-8-sig")  # some editors put a byte order mark in front
        if (parts := sum(map(text.count, ",=[{\n"))) > MOST_ENTRIES:
            raise ValueError(
                f"it has {parts} lines, commas, brackets and equals signs; at most {MOST_ENTRIES} are read"
            )
        _check_keys(text)
        values = tomllib.loads(text)
        _check_numbers(values)
        return values
    except RecursionError as error:  # tables nested too deeply; other errors of the parser are ValueErrors
        raise ValueError(str(error)) from error


def to_toml(values: Mapping[str, object], head: Iterable[str] = ()) -> str:
    """Return values as TOML, after these lines: first plain values, then lists of tables, then tables.

    A JSON string is a valid TOML string.
    """
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping) and not _tables(value)}
    lines = [*head, *(f"{key} = {_toml(value)}" for key, value in plain.items())]
    headed = [(f"[[{key}]]", table) for key, value in values.items() for table in _tables(value)]
    headed += [(f"[{key}]", value) for key, value in values.items() if isinstance(value, Mapping)]
    for heading, table in headed:
        lines += ["", heading, *(f"{_toml(key)} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _tables(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list):
        return []
    tables = [one for one in value if isinstance(one, Mapping)]
    return tables if len(tables) == len(value) else []


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def parse_json(text: str | bytes, most: int = MOST_JSON) -> Any:  # noqa: ANN401  # JSON values
    """Return the value of a JSON document of at most `most` bytes.

    Raises ValueError if it is not valid or not `bounded`, or if lists and objects are nested more than `DEEPEST_JSON`
    deep.
    """
    data = bounded(text.encode(errors="surrogatepass") if isinstance(text, str) else text, most)
    brackets = STRING.sub(b"", data).translate(None, delete=NO_BRACKETS)
    if max(itertools.accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > DEEPEST_JSON:
        raise ValueError(f"it is nested more than {DEEPEST_JSON} deep")
    return json.loads(data.decode("utf-8-sig", "surrogatepass"))


def bounded(text: bytes, most: int = MOST_JSON, parts: int | None = None) -> bytes:
    """Return a JSON document that may be parsed: its values are counted before.

    Raises ValueError if it has more than `most` bytes, or more commas, colons and brackets than `parts`, by default one
    for each `BYTES_PER_PART` of these.
    """
    if len(text) > most:
        raise ValueError(f"it has {len(text)} bytes; at most {most} are read")
    allowed = most // BYTES_PER_PART if parts is None else parts
    if len(text) > allowed and (found := sum(map(text.count, (b",", b":", b"[", b"{")))) > allowed:
        raise ValueError(f"it has {found} commas, colons and brackets; at most {allowed} are read")
    return text


class Unpacker(Protocol):
    """What reads compressed bytes."""

    @property
    def eof(self) -> bool:
        """Whether it has read their end."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return what is in them, at most this number of bytes."""


def unpacked(packed: bytes, reader: Unpacker, most: int) -> bytes:
    """Return what is in compressed bytes of others.

    Raises ValueError if they are cut short or hold more than `most` bytes, and the error of the reader.
    """
    found = reader.decompress(packed, most)
    if not reader.eof:
        raise ValueError("it is cut short" if len(found) < most else f"it unpacks to more than {most} bytes")
    return found


def _check_keys(text: str) -> None:
    """Raise ValueError if a key of a TOML document has too many dots."""
    for word in re.split(r"[^\w.-]+", BESIDES_KEYS.sub("", text)):
        if word.count(".") > MOST_DOTS:
            raise ValueError(f"a key has {word.count('.')} dots; at most {MOST_DOTS} are allowed")


def _check_numbers(value: object) -> None:
    """Raise ValueError if there is an integer of too many bits in values of TOML."""
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            _check_numbers(entry)
    elif isinstance(value, int) and not -(1 << TOML_BITS - 1) <= value < 1 << TOML_BITS - 1:
        raise ValueError(f"an integer has {value.bit_length()} bits; at most {TOML_BITS} are allowed, with its sign")


def read_regular(path: Path, most: int) -> bytes:
    """Read a file of at most this number of bytes.

    Raises OSError, also for a larger file and for anything but a regular file.
    """
    data = bytearray()
    with open_regular(path) as file:
        while piece := file.read(_PIECE):  # Python makes room for all that it may read
            data += piece
            if len(data) > most:
                raise OSError(errno.EFBIG, f"it is larger than {most} bytes", str(path))
    return bytes(data)


def open_regular(path: Path) -> IO[bytes]:
    """Open a file for reading. Never waits, as opening a FIFO would.

    Raises OSError, also for anything but a regular file.
    """
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115  # for the caller to close
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return file


def stamp_of(path: Path) -> tuple[int, int, int]:
    """Return what differs once a file was written again: time, size and inode. Raises OSError."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def is_full(error: BaseException, folder: Path) -> bool:
    """Whether an error of the system or of SQLite says that the disk of a folder is full."""
    from sqlite3 import SQLITE_FULL, SQLITE_IOERR  # few programs keep a database

    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF == SQLITE_IOERR:  # also raised when SQLite's journal or WAL cannot grow
        return shutil.disk_usage(folder).free < LITTLE
    return code == SQLITE_FULL or getattr(error, "errno", 0) in FULL


def check_regular(*paths: Path | str | None) -> None:
    """Raise OSError for anything but a regular file, on which a library would wait or read without end."""
    for path in paths:
        if path:
            open_regular(Path(path)).close()


def check_file_writable(path: Path) -> None:
    """Raise OSError if no file can be written at a path."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with TemporaryFile(dir=path.parent):
        pass


@contextmanager
def in_place_of(path: Path) -> Iterator[Path]:
    """Yield a temporary sibling path; rename it to `path` on success, discard it on error.

    What a killed process left of an earlier try is discarded first. Once this returns, the name outlives a power cut;
    so that the content does, sync it before. The parent folder must exist. Raises OSError, which names `path` and not
    the temporary path.
    """
    with _sibling(path) as temporary:
        yield temporary
        _rename(temporary, path)


@contextmanager
def _sibling(path: Path) -> Iterator[Path]:
    """Yield the first temporary name that no process uses, and discard it in the end. Raises OSError with `path`.

    A process holds a lock while it uses a name. So what has no lock was left by a killed one.
    """
    if not path.name:  # "." and "/", next to which nothing can be called like them
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with naming(path):
        temporary, claim, held = _claimed(path)
        with held:
            try:
                discard(temporary)
                yield temporary
            finally:
                discard(temporary)
                discard(claim)


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Have every OSError name this path: Python's own have none if an open file cannot be written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _claimed(path: Path) -> tuple[Path, Path, IO[bytes]]:
    """Return a temporary name for `path`, and the file that is locked while it is used."""
    for number in itertools.count():
        temporary = path.with_name(f".{path.name}.{number}{TEMPORARY}")
        claim = temporary.with_suffix(f".lock{TEMPORARY}")
        with suppress(BlockingIOError):
            return temporary, claim, open_locked(claim, try_lock)
    raise AssertionError("the numbers do not end")


def _rename(temporary: Path, path: Path) -> None:
    """Give a file or folder its name, for good."""
    temporary.replace(path)
    _sync_folder(path.parent)


def free_path(folder: Path, name: str, suffix: str) -> Path:
    """Return a path in a folder where nothing is: the first one has the plain name, later ones a number, from 2 on."""
    paths = (folder / f"{name}{'' if number == 1 else f'.{number}'}{suffix}" for number in itertools.count(1))
    return next(path for path in paths if not path.exists())


def write_atomically(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file under a temporary name and rename it. Its folder must exist. Raises OSError.

    The umask applies to `mode`.
    """
    with in_place_of(path) as temporary:
        _write(temporary, data, mode)


@contextmanager
def folder_in_place_of(path: Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; rename it to `path` on success, discard it on error.

    A folder that is there before is moved out of the way and then removed: it is whole until the new one is. The parent
    folder must exist. Raises OSError.
    """
    with _sibling(path) as temporary:
        old = temporary.with_suffix(f".old{TEMPORARY}")
        _put_back(old, path)  # of a process that was killed
        try:
            temporary.mkdir()
            yield temporary
            _sync_folder(temporary)
            if path.exists():
                path.rename(old)
            _rename(temporary, path)
        finally:
            _put_back(old, path)


def _put_back(old: Path, path: Path) -> None:
    """Give a folder its name again unless there is a newer one; then discard it."""
    if old.exists() and not path.exists():
        old.rename(path)
    discard(old)


def write_folder_atomically(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder with these files under a temporary name and rename it; replace an older one.

    The parent folder must exist. Raises OSError.
    """
    with folder_in_place_of(path) as temporary:
        for name, data in files.items():
            _write(temporary / name, data)


def discard_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in a folder that no other process writes to."""
    for leftover in folder.glob(f".*{TEMPORARY}"):
        discard(leftover)


def _open_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has no such files


def _write(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file and wait until it is on disk."""
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on disk, where a system can."""
    if not hasattr(os, "O_DIRECTORY"):  # on Windows
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that syncs no folders
            raise
    finally:
        os.close(descriptor)


def discard(path: Path) -> None:
    """Remove a file or a folder, if there is one; what of a folder cannot be removed stays. Raises OSError."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def raise_file_limit() -> int:
    """Raise the limit on open files of this process and its future children as far as it may; return it."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return sys.maxsize
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard
