"""The log of a run: one JSON object a line for every event, for `ballcourt watch` and other programs.

The log is a view of the run and not its state, which is in the records. Every run begins a new one, in which the
matches that earlier runs played come first. `schemas/event.json` says what a line may hold.
"""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from ballcourt.arena.following import LineReader
from ballcourt.arena.printable import json_line
from ballcourt.arena.records.decisions import termination
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    BotRefused,
    DivisionChanged,
    EntrantJudged,
    EventPaused,
    Finished,
    LadderWaits,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    OrganiserDecided,
    Planned,
    RecordUnreadable,
    Resumed,
    RunEvent,
    WorkerChanged,
)

EVENTS: Final = "events.jsonl"
FORMAT: Final = "ballcourt-events-1"
"""The format of the log, which its first line names."""

Entry = dict[str, Any]
"""A line of the log."""


def entry(event: RunEvent) -> Entry:
    """Return what the log says about an event, apart from the time."""
    match event:
        case Planned():
            return _planned(event)
        case MatchStarted():
            return {"event": "started", "match": event.key, "game": event.game, "bots": event.bots}
        case MatchPlayed():
            ends = [termination(event.record, seat) for seat in range(len(event.bots))]
            result = {"placements": event.placements, "scores": event.scores, "terminations": ends}
            return {"event": "played", "match": event.key, "bots": event.bots, **result, "new": event.is_new}
        case RecordUnreadable():
            return {"event": "unreadable", "match": event.key, "reason": event.reason}
        case Resumed():
            return {"event": "resumed", "matches": event.matches}
        case BlockVoided():
            return {"event": "voided", "matches": event.keys, "reason": event.reason}
        case EntrantJudged():
            return {"event": "judged", "bot": event.name, "version": event.version, "sentence": event.sentence}
        case WorkerChanged():
            return {"event": "worker", "worker": event.worker, "news": event.news, "sentence": event.sentence}
        case MatchesSkipped():
            return {"event": "skipped", "matches": event.keys}
        case OrganiserDecided():
            decisions = [decision.to_json() for decision in event.decisions]
            return {"event": "decided", "decisions": decisions, "matches": event.matches}
        case EventPaused():
            return {"event": "paused", "sentence": event.decision.sentence}
        case BotRefused():
            return {"event": "refused", "folder": event.place, "sentence": event.sentence, "report": str(event.report)}
        case DivisionChanged():
            moved = {"before": event.before, "after": event.after}
            return {"event": "moved", "bot": event.name, "version": event.version, **moved}
        case LadderWaits():
            return {"event": "waiting", "sentence": event.sentence}
        case Finished():
            return {"event": "finished", "matches": event.matches, "placing": event.placing, "reason": event.reason}


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
                self._write({"event": "stopped", "reason": _reason(error)})

    def add(self, event: RunEvent) -> None:
        """Write what happened; a plan begins a new log. Raises OSError."""
        if self._entries and isinstance(event, Planned):
            self._file.close()
            self._file = self._new()
        self._entries += 1
        self._write(entry(event))
        self._finished = isinstance(event, Finished)

    def _new(self) -> IO[str]:
        self._path.unlink(missing_ok=True)  # whoever reads the old one goes on to a file of its own
        return self._path.open("x", buffering=1)

    def _write(self, said: Entry) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
        self._file.write(json_line({"at": f"{now}Z", **said}) + "\n")


class LogReader(LineReader):
    """Reads a log while it is written; a "planned" entry begins that of another run."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / EVENTS)


def _planned(event: Planned) -> Entry:
    tournament = event.tournament
    return {
        "event": "planned",
        "log": FORMAT,
        "game": event.game,
        "bots": event.bots,
        "format": tournament.design.format,
        "seats": tournament.seats,
        "setups": [setup.to_table() for setup in tournament.setups],
        "matches": event.matches,
        "exact": event.is_exact,
    }


def _reason(error: BaseException | None) -> str:
    """Return why a run ended early, in words."""
    if isinstance(error, Exception):
        return str(error) or type(error).__name__
    return "it was interrupted"
