"""Files of JSON lines, read while another process writes them."""

import os
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from ballcourt.arena.files import open_regular, parse_json

LONGEST: Final = 1 << 22
"""Bytes of a line; a plan of 10,000 entrants has fewer."""


class LineReader:
    """Reads a file while it is written, and reopens it when it is replaced."""

    def __init__(self, path: Path) -> None:
        """Read nothing yet: the file need not exist."""
        self._path = path
        self._file: IO[bytes] | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def entries(self) -> Generator[dict[str, Any]]:
        """Yield the objects that were added since. Raises OSError."""
        while True:
            yield from self._added()
            if not self._is_replaced():
                return
            self._close()
            with suppress(FileNotFoundError):
                self._file = open_regular(self._path)

    def _added(self) -> Generator[dict[str, Any]]:
        """Yield the objects of whole lines that are not too long; the rest of one comes when it is written."""
        while self._file and (piece := self._file.readline(LONGEST)):
            self._rest = self._rest[:LONGEST] + piece
            if self._rest.endswith(b"\n"):
                line, self._rest = self._rest, b""
                with suppress(ValueError):  # too long, cut by a full disk, or not written by the arena
                    if isinstance(entry := parse_json(line, LONGEST), dict):
                        yield entry

    def _is_replaced(self) -> bool:
        try:
            now = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        if self._file is None:
            return True
        return not os.path.samestat(now, os.fstat(self._file.fileno()))

    def _close(self) -> None:
        if self._file:
            self._file.close()
        self._file, self._rest = None, b""
