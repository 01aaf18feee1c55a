"""Files of JSON objects, one a line, that only grow and survive a crash: it costs at most the line being written."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final, TypeVar

from pydantic import TypeAdapter

from ballcourt.arena.files import open_regular
from ballcourt.engine.core import WrongInput

LONGEST: Final = 1 << 24
"""Bytes of the longest line."""
_PIECE: Final = 1 << 16

Line = TypeVar("Line")


def read_lines(path: Path, lines: TypeAdapter[Line], failure: type[WrongInput]) -> Iterator[tuple[int, Line]]:
    """Yield the lines with their numbers, from 1; a last line without its end is left out.

    There are none if there is no file. Raises `failure` if the file cannot be read, is damaged, or has a line of
    LONGEST bytes.
    """
    try:
        with open_regular(path) as file:
            number = 0
            while (line := file.readline(LONGEST)).endswith(b"\n"):
                number += 1
                try:
                    read = lines.validate_json(line)
                except ValueError as error:
                    raise damaged(path, number, failure) from error
                yield number, read
            if len(line) == LONGEST:
                raise damaged(path, number + 1, failure)
    except FileNotFoundError:
        return
    except OSError as error:
        raise failure(f"cannot read {path}: {error.strerror or error}") from error


def damaged(path: Path, line: int, failure: type[WrongInput]) -> WrongInput:
    """Return the error for a line with unexpected contents."""
    return failure(f"{path} is damaged in line {line}; restore it from a copy")


def cut_unfinished(file: IO[bytes]) -> None:
    """Remove a line at the end of a file that a crash or a full disk cut short. Raises OSError."""
    file.truncate(_end_of_lines(file))


def append(file: IO[bytes], lines: Iterable[str]) -> None:
    """Write lines at once, and wait until they are on disk. Raises OSError."""
    file.write(b"".join(line.encode() + b"\n" for line in lines))
    file.flush()
    os.fsync(file.fileno())


def _end_of_lines(file: IO[bytes]) -> int:
    """Return how long a file is without an unfinished line at its end."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - _PIECE)
        file.seek(start)
        if newline := file.read(end - start).rfind(b"\n") + 1:
            return start + newline
        end = start
    return 0
