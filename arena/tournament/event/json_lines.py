"""Files of JSON objects, one a line, that only grow and survive a crash: it costs at most the line being written."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final, Generic, TypeVar

from pydantic import TypeAdapter

from ballcourt.arena.files import MOST_PARTS, naming, open_regular
from ballcourt.arena.models import from_json
from ballcourt.engine.core import WrongInput

_PIECE: Final = 1 << 16
LONGEST: Final = 1 << 22
"""Bytes of the longest line."""

Line = TypeVar("Line")


class LineFollower(Generic[Line]):
    """Reads the lines that a file gains, each once; a last line without its end is left for later.

    A line is read once its reader asks for more: one that the reader fails with comes again.
    """

    def __init__(self, path: Path, lines: TypeAdapter[Line], failure: type[WrongInput]) -> None:
        """Read nothing yet: the file need not exist."""
        self._path = path
        self._lines = lines
        self._failure = failure
        self.number = 0
        """How many lines have been read."""
        self.end = 0
        """How many bytes they have."""

    def added(self) -> Iterator[tuple[int, Line]]:
        """Yield the lines that were added since, with their numbers, from 1.

        Raises the failure if the file cannot be read, is damaged, has become shorter, or has a line of LONGEST bytes.
        """
        try:
            with open_regular(self._path) as file:
                if file.seek(0, os.SEEK_END) < self.end:
                    raise self._failure(f"{self._path} has become shorter; restore it from a copy")
                file.seek(self.end)
                while (line := file.readline(LONGEST)).endswith(b"\n"):
                    yield self.number + 1, self._read(line)
                    self.number, self.end = self.number + 1, self.end + len(line)
                if len(line) == LONGEST:
                    raise damaged(self._path, self.number + 1, self._failure)
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._failure(f"cannot read {self._path}: {error.strerror or error}") from error

    def _read(self, line: bytes) -> Line:
        try:
            return from_json(self._lines, line, 2 * MOST_PARTS)  # results have a value for each few bytes
        except ValueError as error:
            raise damaged(self._path, self.number + 1, self._failure) from error


def read_lines(path: Path, lines: TypeAdapter[Line], failure: type[WrongInput]) -> Iterator[tuple[int, Line]]:
    """Yield the lines of a file with their numbers, as `LineFollower` does; none if there is no file."""
    return LineFollower(path, lines, failure).added()


def damaged(path: Path, line: int, failure: type[WrongInput]) -> WrongInput:
    """Return the error for a line with unexpected contents."""
    return failure(f"{path} is damaged in line {line}; restore it from a copy")


def cut_unfinished(file: IO[bytes]) -> None:
    """Remove a line at the end of a file that a crash or a full disk cut short. Raises OSError."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - _PIECE)
        file.seek(start)
        if newline := file.read(end - start).rfind(b"\n") + 1:
            end = start + newline
            break
        end = start
    file.truncate(end)


def append(file: IO[bytes], lines: Iterable[str]) -> None:
    """Write lines at once, and wait until they are on disk. Raises OSError."""
    with naming(file.name):
        file.write(b"".join(line.encode() + b"\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
