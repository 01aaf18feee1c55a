"""The log of a command that runs for months: with --log json, a JSON object a line instead of sentences.

Whatever the command and its libraries report passes Python's logging; `note` does too once this log is written.
"""

import traceback
from datetime import UTC, datetime
from enum import StrEnum
from logging import WARNING, Filter, Handler, LogRecord, getLogger, root
from typing import Any, Final

from ballcourt.arena.printable import values_of
from ballcourt.arena.tournament.folder.events import BlockVoided, BotRefused, LadderWaits, RecordUnreadable, RunEvent
from ballcourt.cli.output import NOTES, note_values

SERVERS: Final = ("uvicorn", "uvicorn.error")
"""Loggers of libraries that have handlers of their own."""
WORRYING: Final = (BlockVoided, BotRefused, LadderWaits, RecordUnreadable)
REQUESTS: Final = "ballcourt.requests"


class LogForm(StrEnum):
    """How a command reports what happens."""

    TEXT = "text"
    JSON = "json"


class JsonLines(Handler):
    """Writes each entry as a line on stderr: time, level, event, and the values of the event."""

    def __init__(self, common: dict[str, str]) -> None:
        """`common` is in every line."""
        super().__init__()
        self._common = common

    def emit(self, record: LogRecord) -> None:
        """Write an entry."""
        note_values(self._line(record))

    def _line(self, record: LogRecord) -> dict[str, Any]:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "note" if record.name == NOTES.name else record.name),
            **self._common,
        }
        if words := record.getMessage():
            line["sentence"] = words
        if record.exc_info and record.exc_info[1]:
            line["traceback"] = "".join(traceback.format_exception(record.exc_info[1]))
        return {**line, **getattr(record, "values", {})}


def keep_log(form: LogForm, command: str) -> None:
    """Write the log of a command in a form, from now to the end of this process."""
    if form is LogForm.TEXT:
        return
    lines = JsonLines({"command": command})
    NOTES.addHandler(lines)
    NOTES.setLevel("INFO")
    NOTES.propagate = False
    requests = getLogger(REQUESTS)
    requests.addHandler(lines)
    requests.setLevel("INFO")
    requests.propagate = False
    root.addHandler(lines)
    root.setLevel(WARNING)


def gather_servers(of_request: Filter) -> None:
    """Make the loggers of web servers write into the log too, with the request in each line."""
    if is_json():
        for lines in NOTES.handlers:
            lines.addFilter(of_request)
        for name in SERVERS:
            getLogger(name).handlers.clear()
            getLogger(name).propagate = True


def is_json() -> bool:
    """Whether this process writes its log as JSON."""
    return bool(NOTES.handlers)


def log_event(event: RunEvent) -> None:
    """Write what happened in a run, as its own log has it."""
    values = values_of(event)
    kind, _ = values.pop("event"), values.pop("at")
    level = WARNING if isinstance(event, WORRYING) else NOTES.level
    NOTES.log(level, "", extra={"event": kind, "values": values})
