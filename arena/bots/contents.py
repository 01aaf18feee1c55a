"""What a bot's folder holds, found by one walk that nothing in the folder can mislead, block or make endless.

No link is followed, and only regular files are opened. Another program may be changing the folder meanwhile,
so everything is opened from the descriptor of the folder it is in, and looked at again once it is open. Hashes and
copies come from this walk, so what is hashed is what is copied. Windows opens no folders; there, where the bots are the
user's own, paths take the place of descriptors.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Final

from ballcourt.arena.printable import cut
from ballcourt.engine.core import WrongInput

MOST_NAMES = 50_000
MOST_BYTES = 4 << 30
"""What all files may have together. Models that are larger are named in the sandbox's `readable`."""
DEEPEST = 40
LONGEST_PATH = 1024
"""Bytes of a path below the folder; with that of the folder, it has to be one that programs can open."""
CHUNK = 1 << 20
MOST_NAMED = 4
"""How many files a sentence names."""
FOLDER_MODE, PROGRAM_MODE, FILE_MODE = 0o755, 0o755, 0o644
BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd
READING: Final = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
OpenFolder = int | str
"""A descriptor, or a path."""


class ContentsError(WrongInput):
    """A folder holds what no bot may consist of, or cannot be read; the sentence says what."""


class ItemKind(StrEnum):
    """What an item of a folder is."""

    FOLDER = "folder"
    FILE = "file"
    PROGRAM = "program"
    """An executable file."""
    LINK = "link"


@dataclass(frozen=True, slots=True)
class FolderItem:
    """Something in a folder."""

    path: str
    """Its path below the folder."""
    kind: ItemKind
    size: int = 0
    target: str = ""
    """What a link says. It is never followed: where it leads may not exist, or be outside of the folder."""
    handle: int = -1
    """An open descriptor of a file; the walk closes it when it goes on."""


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Return whether the name of a file or folder, not its path, matches one of these patterns; case counts."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def items(folder: Path, ignore: Sequence[str] = (), most: int = MOST_BYTES) -> Iterator[FolderItem]:
    """Yield everything below a folder, sorted, each folder before what is in it, without names that match `ignore`.

    Raises ContentsError for a folder that holds anything else than files, folders and links, more than `most` bytes or
    otherwise too much, and if something cannot be read.
    """
    walk = _Walk(folder, ignore, most)
    with walk.folder(str(folder)) as top:
        yield from walk.inside(top, "", 1)


def digest(folder: Path, ignore: Sequence[str] = (), most: int = MOST_BYTES) -> str:
    """Return the SHA-256 of the items of a folder, hexadecimal: paths, kinds, contents and the targets of links."""
    total = hashlib.sha256()
    for item in items(folder, ignore, most):
        total.update(_line(item, _hashed(folder, item)))
    return total.hexdigest()


def signature(folder: Path, ignore: Sequence[str] = ()) -> str:
    """Return a digest of names, kinds, sizes and times of what is in a folder, without names that match `ignore`.

    No file is opened, and nothing is an error: what cannot be looked at changes the digest.
    """
    total, names, folders = hashlib.sha256(), 0, [str(folder)]
    while folders and names <= MOST_NAMES:  # no bot may have more, so what else there is does not matter
        for entry in _listed(folders.pop()):
            if matches(entry.name, ignore):
                continue
            names += 1
            total.update(os.fsencode(entry.path) + _facts(entry.path))
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    return total.hexdigest()


def changed_since(folder: Path, ignore: Sequence[str], since_s: float) -> str:
    """Name the files in a folder that were written or renamed after a time, in seconds since 1970, the last first.

    Names that match `ignore` do not count. A file that was removed shows only by the absence of all others.
    """
    found: dict[str, float] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not matches(name, ignore)]
        for path in (os.path.join(place, name) for name in names if not matches(name, ignore)):  # noqa: PTH118
            with suppress(OSError):
                found[os.path.relpath(path, folder)] = os.lstat(path).st_ctime
    changed = sorted((path for path, at in found.items() if at > since_s), key=lambda path: -found[path])
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    return ", ".join(map(cut, changed[:MOST_NAMED])) + more or "one was removed"


def copy(folder: Path, new: Path, ignore: Sequence[str] = (), most: int = MOST_BYTES) -> str:
    """Copy the items of a folder into a new one; return the digest of what was copied.

    Of all modes only the right to execute is kept. Raises ContentsError and OSError.
    """
    total = hashlib.sha256()
    new.mkdir()
    new.chmod(FOLDER_MODE)
    for item in items(folder, ignore, most):
        total.update(_line(item, _copied(folder, item, new / item.path)))
    return total.hexdigest()


class _Walk:
    """The walk through one folder, and what it has met so far."""

    def __init__(self, folder: Path, ignore: Sequence[str], most: int) -> None:
        self._folder = folder
        self._ignore = ignore
        self._most = most
        self._names = 0
        self._bytes = 0

    def inside(self, handle: OpenFolder, prefix: str, depth: int) -> Iterator[FolderItem]:
        """Yield the items of an open folder, whose path ends with a slash unless it is the first."""
        if depth > DEEPEST:
            raise self._error(prefix, f"is nested more than {DEEPEST} folders deep")
        for name in self._listed(handle, prefix):
            if matches(name, self._ignore):
                continue
            path = prefix + name
            self._check(path)
            try:
                name, within = _place(name, handle)
                mode = os.stat(name, dir_fd=within, follow_symlinks=False).st_mode
                if stat.S_ISLNK(mode):
                    yield FolderItem(path, ItemKind.LINK, target=os.readlink(name, dir_fd=within))
                    continue
            except OSError as error:
                raise self._unreadable(path, error) from error
            if stat.S_ISDIR(mode):
                with self.folder(name, within, path) as below:
                    yield FolderItem(path, ItemKind.FOLDER)
                    yield from self.inside(below, f"{path}/", depth + 1)
            elif stat.S_ISREG(mode):
                with _closing(self._opened(name, within, AT_ONCE, path)) as file:
                    yield self._file(path, file)
            else:
                raise self._error(path, "is neither a file nor a folder nor a link; remove it")

    def _check(self, path: str) -> None:
        """Raise ContentsError for a path that some programs cannot be given."""
        try:
            size = len(path.encode())
        except UnicodeEncodeError:
            raise self._error(path, "has a name that is not UTF-8; rename it") from None
        if size > LONGEST_PATH:
            raise self._error(cut(path), f"has a path of {size} bytes; at most {LONGEST_PATH} are allowed")

    @contextmanager
    def folder(self, name: str, within: int | None = None, path: str = "") -> Iterator[OpenFolder]:
        """Open a folder, by its name in an open one or by its path."""
        if not BY_DESCRIPTOR:
            yield name
            return
        with _closing(self._opened(name, within, os.O_DIRECTORY, path)) as handle:
            yield handle

    def _opened(self, name: str, within: int | None, flags: int, path: str) -> int:
        following = os.O_NOFOLLOW if within is not None else 0
        try:
            return os.open(name, READING | following | flags, dir_fd=within)
        except OSError as error:
            raise self._unreadable(path, error) from error

    def _file(self, path: str, handle: int) -> FolderItem:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise self._error(path, "changed while it was read")
        self._bytes += found.st_size
        if self._bytes > self._most:
            raise ContentsError(f"{self._folder} holds more than {self._most >> 20} MB, up to {path}; a bot may not")
        return FolderItem(
            path, ItemKind.PROGRAM if found.st_mode & 0o111 else ItemKind.FILE, found.st_size, handle=handle
        )

    def _listed(self, handle: OpenFolder, path: str) -> list[str]:
        try:
            with os.scandir(handle) as found:
                names = sorted(entry.name for entry in islice(found, MOST_NAMES + 1))
        except OSError as error:
            raise self._unreadable(path, error) from error
        self._names += len(names)
        if self._names > MOST_NAMES:
            raise ContentsError(f"{self._folder} holds more than {MOST_NAMES} files and folders; a bot may not")
        return names

    def _error(self, path: str, what: str) -> ContentsError:
        return ContentsError(f"{self._folder / path}, in the folder of a bot, {what}")

    def _unreadable(self, path: str, error: OSError) -> ContentsError:
        return self._error(path, f"cannot be read: {error.strerror or error}")


def _place(name: str, folder: OpenFolder) -> tuple[str, int | None]:
    """Return how something in an open folder is named, and the descriptor of that folder."""
    return (name, folder) if isinstance(folder, int) else (os.path.join(folder, name), None)  # noqa: PTH118


@contextmanager
def _closing(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


def _line(item: FolderItem, content: str) -> bytes:
    return b"%s\0%s\0%s\n" % (item.kind.encode(), os.fsencode(item.path), content.encode())


def _copied(folder: Path, item: FolderItem, new: Path) -> str:
    """Copy an item; return the SHA-256 of its content."""
    if item.handle >= 0:
        with new.open("xb") as file:
            new.chmod(PROGRAM_MODE if item.kind is ItemKind.PROGRAM else FILE_MODE)
            return _hashed(folder, item, file.write)
    if item.kind is ItemKind.LINK:
        new.symlink_to(item.target)
    else:
        new.mkdir()
        new.chmod(FOLDER_MODE)
    return _hashed(folder, item)


def _hashed(folder: Path, item: FolderItem, take: Callable[[bytes], object] = len) -> str:
    """Return the SHA-256 of an item's content; give what a file holds to `take` too."""
    found = hashlib.sha256(os.fsencode(item.target))
    left = item.size
    while item.handle >= 0 and left >= 0 and (data := _read(folder, item)):
        left -= len(data)
        found.update(data)
        take(data)
    if left:
        raise ContentsError(f"{folder / item.path}, in the folder of a bot, changed while it was read")
    return found.hexdigest()


def _read(folder: Path, item: FolderItem) -> bytes:
    try:
        return os.read(item.handle, CHUNK)
    except OSError as error:
        raise ContentsError(
            f"{folder / item.path}, in the folder of a bot, cannot be read: {error.strerror}"
        ) from error


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(islice(entries, MOST_NAMES + 1), key=lambda entry: entry.name)
    except OSError:
        return []


def _facts(path: str) -> bytes:
    try:
        found = os.lstat(path)
    except OSError as error:
        return b"%d" % (error.errno or 0)
    return b"\0%d %d %d %d\n" % (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
