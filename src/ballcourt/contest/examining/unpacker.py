"""Unpacks one archive of a stranger: a program of its own, which the examiner runs inside the sandbox.

    python -I -S unpacker.py ARCHIVE FOLDER BYTES NAMES

It trusts nothing that the archive says: only regular files and folders are written, below FOLDER, and bytes are counted
as they are written. It imports the standard library alone. A refusal is a line that begins with `refused: `.

Archives of every system give the same files: names become NFC, as keyboards write them, and a zip of a system without
the right to execute gives it to scripts and programs.
"""

import gzip
import os
import re
import resource
import stat
import struct
import sys
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Final

DEEPEST: Final = 40
LONGEST_PATH: Final = 1000
"""Bytes of a path, with the one of the folder that archives often have around everything."""
LONGEST_NAME: Final = 255
RATIO: Final = 100
"""How many times larger than the archive its files may be, unless they are small."""
SMALL: Final = 16 << 20
CHUNK: Final = 1 << 16
CPU_S: Final = 120
ICONS: Final = ("Icon\r", "._Icon\r")
"""What macOS keeps in a folder that has an icon of its own."""
PROGRAMS: Final = (b"#!", b"\x7fELF")
"""How the files begin that Linux can start."""
UNIX: Final = (3, 19)
"""The systems in zip files on which a name may have a backslash."""
UTF_8: Final = 0x800
"""The flag of a name in UTF-8 in zip files."""
UNICODE_PATH: Final = 0x7075
"""The extra field with the name in UTF-8."""
DRIVE: Final = re.compile("[A-Za-z]:")
REFUSED: Final = "refused: "
WRONG: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    ValueError,
    RuntimeError,
    OverflowError,
)


class ArchiveRefused(Exception):
    """The archive holds what is not unpacked; the sentence says what."""


class Unpacking:
    """A folder that is being filled from an archive."""

    def __init__(self, folder: str, size: int, most_bytes: int, most_names: int) -> None:
        self._folder = folder
        self._most = min(most_bytes, max(SMALL, size * RATIO))
        self._most_names = most_names
        self._written = 0
        self._kinds: dict[str, bool] = {}  # by what is the same for names that some systems cannot tell apart
        self._spelled: dict[str, str] = {}

    def folder(self, name: str) -> None:
        """Make a folder, and those around it."""
        self._make(_parts(name))

    def file(self, name: str, content: IO[bytes], *, is_program: bool | None) -> None:
        """Write a file; None for `is_program` means that its content shows it."""
        if name.rpartition("/")[2] in ICONS:
            return
        *around, last = _parts(name) or [""]
        if not last:
            raise ArchiveRefused("an entry has no name")
        self._make(around)
        path = self._claim([*around, last], is_folder=False)
        if path is None:
            raise ArchiveRefused(f"it holds {_shown(name)} twice")
        with open(path, "xb") as file:  # noqa: PTH123 - a program without imports of ours
            while data := content.read(CHUNK):
                if is_program is None:
                    is_program = data.startswith(PROGRAMS)
                self._written += len(data)
                if self._written > self._most:
                    raise ArchiveRefused(
                        f"its files have more than {self._most >> 20} MB; that is the limit here, or {RATIO} times "
                        "the size of the archive"
                    )
                file.write(data)
        os.chmod(path, 0o755 if is_program else 0o644)  # noqa: PTH101

    def _make(self, parts: list[str]) -> None:
        for depth in range(1, len(parts) + 1):
            if path := self._claim(parts[:depth], is_folder=True):
                os.mkdir(path, 0o755)  # noqa: PTH102

    def _claim(self, parts: list[str], *, is_folder: bool) -> str | None:
        """Return the path of something new; None for what is there already. Raises ArchiveRefused."""
        name = "/".join(parts)
        look = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
        if look in self._kinds:
            if self._spelled[look] != name:
                raise ArchiveRefused(f"{_shown(name)} and {_shown(self._spelled[look])} are one name on some systems")
            if self._kinds[look] != is_folder:
                raise ArchiveRefused(f"{_shown(name)} is a file and a folder")
            return None
        self._kinds[look], self._spelled[look] = is_folder, name
        if len(self._kinds) > self._most_names:
            raise ArchiveRefused(f"it holds more than {self._most_names} files and folders")
        return f"{self._folder}/{unicodedata.normalize('NFC', name)}"


def _parts(name: str) -> list[str]:
    """Return the parts of a path in an archive. Raises ArchiveRefused for one that leads anywhere else."""
    try:
        size = len(unicodedata.normalize("NFC", name).encode())
    except UnicodeEncodeError:
        raise _not_utf_8(name) from None
    if size > LONGEST_PATH:
        raise ArchiveRefused(f"the name {_shown(name)} has {size} bytes; at most {LONGEST_PATH} are allowed")
    if name.startswith(("/", "\\")) or DRIVE.match(name):
        raise ArchiveRefused(f"{_shown(name)} is an absolute path")
    if "\\" in name or not name.isprintable():
        raise ArchiveRefused(f"the name {_shown(name)} has a backslash or a character that is not visible")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ArchiveRefused(f"{_shown(name)} leads out of the archive")
    if len(parts) > DEEPEST:
        raise ArchiveRefused(f"{_shown(name)} is nested more than {DEEPEST} folders deep")
    if any(len(unicodedata.normalize("NFC", part).encode()) > LONGEST_NAME for part in parts):
        raise ArchiveRefused(f"{_shown(name)} has a part of more than {LONGEST_NAME} bytes")
    return parts


def unpack(archive: str, folder: str, most_bytes: int, most_names: int) -> None:
    """Unpack a zip or tar file. Raises ArchiveRefused."""
    into = Unpacking(folder, os.path.getsize(archive), most_bytes, most_names)  # noqa: PTH202
    with open(archive, "rb") as file:  # noqa: PTH123
        first = file.read(4)
        file.seek(0)
        if first == b"PK\x03\x04":
            _unpack_zip(file, into, most_names)
        elif first[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=file) as plain:
                _unpack_tar(plain, into, most_names)
        else:
            _unpack_tar(file, into, most_names)


def _unpack_zip(file: IO[bytes], into: Unpacking, most_names: int) -> None:
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if len(entries) > most_names:
            raise ArchiveRefused(f"it holds more than {most_names} files and folders")
        for entry in entries:
            mode = entry.external_attr >> 16
            kind = stat.S_IFMT(mode)
            name = _name(entry)
            if "\0" in name:
                raise ArchiveRefused(f"the name {_shown(name)} has a character that is not visible")
            if entry.flag_bits & 1:
                raise ArchiveRefused(f"{_shown(name)} is encrypted")
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or ((kind == stat.S_IFDIR) != name.endswith("/") and kind):
                raise ArchiveRefused(f"{_shown(name)} is neither a file nor a folder")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ArchiveRefused(f"{_shown(name)} is compressed in a way that is not read here; use deflate")
            if name.endswith("/"):
                into.folder(name)
            else:
                with archive.open(entry) as content:
                    into.file(name, content, is_program=bool(mode & 0o111) if mode else None)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the path of an entry, with slashes. Raises ArchiveRefused for one in the encoding of some system."""
    name = entry.orig_filename
    if not entry.flag_bits & UTF_8:
        raw, extra = name.encode("cp437"), entry.extra
        while len(extra) >= 4:
            kind, size = struct.unpack("<HH", extra[:4])
            if kind == UNICODE_PATH and extra[5:9] == struct.pack("<L", zlib.crc32(raw)):
                raw = extra[9 : 4 + size]
                break
            extra = extra[4 + size :]
        try:
            name = raw.decode()
        except UnicodeDecodeError:
            raise _not_utf_8(name) from None
    return name if entry.create_system in UNIX else name.replace("\\", "/")


def _unpack_tar(file: IO[bytes] | gzip.GzipFile, into: Unpacking, most_names: int) -> None:
    with tarfile.open(fileobj=file, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
        for number, entry in enumerate(_entries(archive)):
            if number >= most_names:
                raise ArchiveRefused(f"it holds more than {most_names} files and folders")
            if entry.isdir():
                into.folder(entry.name)
            elif entry.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not entry.issparse():
                content = archive.extractfile(entry)
                assert content, "it is a regular file"
                into.file(entry.name, content, is_program=bool(entry.mode & 0o111))
            else:
                raise ArchiveRefused(f"{_shown(entry.name)} is neither a file nor a folder; links are not unpacked")


def _entries(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the entries, without keeping them: an archive may have any number."""
    while (entry := archive.next()) is not None:
        yield entry
        archive.members.clear()  # type: ignore[attr-defined]  # it keeps all of them


def _not_utf_8(name: str) -> ArchiveRefused:
    return ArchiveRefused(f"the name {_shown(name)} is not UTF-8; rename it, or enter it with `ballcourt submit`")


def _shown(name: str) -> str:
    return ascii(name[:100])


def main(words: list[str]) -> int:
    """Unpack what the words name; return the exit code."""
    archive, folder, most_bytes, most_names = words
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    try:
        unpack(archive, folder, int(most_bytes), int(most_names))
    except ArchiveRefused as error:
        sys.stdout.write(f"{REFUSED}{error}\n")
        return 1
    except MemoryError:
        sys.stdout.write(f"{REFUSED}it takes too much memory to read\n")
        return 1
    except WRONG as error:
        sys.stdout.write(f"{REFUSED}it is damaged: {ascii(str(error))[:200]}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
