"""The log of a run: one JSON object a line for every event, for `ballcourt event watch` and other programs.

The log is a view of the run and not its state, which is in the records. Every run begins a new one, in which the
matches that earlier runs played come first. `schemas/event.json` says what a line may hold.
"""

from contextlib import suppress
from os import SEEK_END
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from ballcourt.arena.files import naming, open_regular, parse_json
from ballcourt.arena.following import LineReader
from ballcourt.arena.printable import json_line
from ballcourt.arena.tournament.folder.events import Finished, Planned, RunEvent, Stopped

EVENTS: Final = "events.jsonl"

LONGEST_END: Final = 1 << 20
"""In how many bytes at its end the last line is looked for."""

Entry = dict[str, Any]
"""A line of the log, read."""


class EventLog:
    """The log of a run that begins. Use it as a context manager: if the run ends early, the log says so."""

    def __init__(self, folder: Path) -> None:
        """Replace the log in the output folder of a tournament. Raises OSError."""
        self._path = folder / EVENTS
        self._file = self._new()
        self._finished = False
        self._entries = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError), self._file:
            if not self._finished:
                failure = str(error) or type(error).__name__ if isinstance(error, Exception) else "it was interrupted"
                self._write(Stopped(failure))

    def add(self, event: RunEvent) -> None:
        """Write what happened; a plan begins a new log. Raises OSError."""
        if self._entries and isinstance(event, Planned):
            self._file.close()
            self._file = self._new()
        self._entries += 1
        self._write(event)
        self._finished = isinstance(event, Finished)

    def _new(self) -> IO[str]:
        self._path.unlink(missing_ok=True)  # readers of the old one go on to a file of their own
        return self._path.open("x", buffering=1)

    def _write(self, event: RunEvent | Stopped) -> None:
        with naming(self._path):
            self._file.write(json_line(event) + "\n")


def finished_with(folder: Path) -> int:
    """Return how many matches counted when the event in a folder was over; 0 if it is not, or no log says so."""
    with suppress(OSError, ValueError, LookupError, TypeError), open_regular(folder / EVENTS) as file:
        file.seek(max(0, file.seek(0, SEEK_END) - LONGEST_END))
        last = parse_json(file.read().splitlines()[-1], LONGEST_END)
        return int(last["matches"]) if last["event"] == "finished" else 0
    return 0


class LogReader(LineReader):
    """Reads a log while it is written; a "planned" entry begins that of another run."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / EVENTS)
