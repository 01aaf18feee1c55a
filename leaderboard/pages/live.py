"""The progress of a tournament as server-sent events: how many matches were played, and a match decision by decision.

Nothing here speaks to the run. It reads the log of the run and the broadcasts of its workers, files that grow, so a
browser that is slow, stalled or gone holds up no match. A stream keeps no queue: it remembers how much it has sent, and
after a pause sends all that came since.
"""

import asyncio
import re
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock
from time import monotonic, time
from typing import Any, Final, TypedDict

from fastapi.sse import ServerSentEvent

from ballcourt.arena.printable import printable
from ballcourt.arena.records.store import SUFFIX
from ballcourt.arena.replays.broadcast import ASKED_S, BROADCASTS, BroadcastReader
from ballcourt.arena.tournament.folder.log import LogReader
from ballcourt.arena.tournament.folder.output import RECORDS, holder
from ballcourt.arena.tournament.folder.overview import Overview, Running
from ballcourt.leaderboard.pages.summaries import Summary

TICK_S: Final = 0.25
"""How often a stream looks for news, in seconds."""
LOG_S: Final = 1.0
"""The longest time between two looks at the log of the run, in seconds."""
SETTLED_S: Final = 2.0
"""How long after its record the last decisions of a match may come."""
KNOWN: Final = re.compile(r"(\w{8})\.(\d{1,7})", re.ASCII)
"""The id of an event: an edition, and how many steps have been sent."""
MOST_STREAMS: Final = 100
MOST_TABLES: Final = 50
"""How many running matches are listed."""


class Table(TypedDict):
    """A running match: its key, its bots in seat order, and when it began, in seconds since 1970."""

    match: str
    game: str
    bots: list[str]
    began: float


class Now(TypedDict):
    """The progress of a tournament in words, and its running matches, the oldest first."""

    line: str
    tables: list[Table]
    more: int
    version: str
    """Of the tables on pages, which follow the results at some distance; a page with another version is out of date."""
    trouble: str
    """Why there are no newer tables; empty if nothing is wrong."""


class Live:
    """A tournament in its output folder, as it is now. It is read only while someone watches."""

    def __init__(
        self, folder: Path, is_closing: Callable[[], bool] = lambda: False, summary: Callable[[], Summary] = Summary
    ) -> None:
        """`is_closing` returns whether the server shuts down, which ends all streams; `summary` what pages show."""
        self._folder = folder
        self._is_closing = is_closing
        self._summary = summary
        self._log = LogReader(folder)
        self._overview = Overview()
        self._lock = Lock()
        self._read = 0.0
        self._now: Now = {"line": "", "tables": [], "more": 0, "version": "", "trouble": ""}
        self._streams = 0
        self._watched: dict[str, _WatchedMatch] = {}
        self._watching: Counter[str] = Counter()

    @property
    def is_full(self) -> bool:
        """Whether no stream may be added."""
        return self._streams >= MOST_STREAMS

    def now(self) -> Now:
        """Return the progress of the tournament, at most a second old. Raises OSError and LogError."""
        with self._lock:
            if monotonic() - self._read >= LOG_S:
                for entry in self._log.entries():
                    self._overview.follow(entry)
                self._now = self._reported()
                self._read = monotonic()
            return self._now

    def knows(self, key: str) -> bool:
        """Return whether a match is being played or counts. Raises OSError."""
        self.now()
        with self._lock:
            return key in self._overview.running or key in self._overview.played

    def table(self, key: str) -> Table | None:
        """Return a running match; None if no such match is being played. Raises OSError."""
        self.now()
        with self._lock:
            running = self._overview.running.get(key)
        return _table(key, running) if running else None

    async def events(self, key: str | None, known: str) -> AsyncGenerator[ServerSentEvent, None]:
        """Yield what happens, until the server shuts down: "progress", and of a match "match", "steps", "trouble" and
        at last "end".

        `known` is the id of the event that the browser had last, if it comes back.
        """
        sent, trouble = None, ""
        with self._watch(key) as match:
            while not self._is_closing():
                if (now := await asyncio.to_thread(self.now)) != sent:
                    sent = now
                    yield ServerSentEvent(event="progress", data=now)
                for event in await asyncio.to_thread(match.since, known) if match else ():
                    known = event.id or known
                    yield event
                    if event.event == "end":
                        return
                if match and match.trouble != trouble:
                    trouble = match.trouble
                    yield ServerSentEvent(event="trouble", data=trouble)
                await asyncio.sleep(TICK_S)

    @contextmanager
    def _watch(self, key: str | None) -> Iterator["_WatchedMatch | None"]:
        """Count a stream, and share what is read of a match among those who watch it."""
        self._streams += 1
        try:
            if key is None:
                yield None
                return
            self._watching[key] += 1
            try:
                yield self._watched.setdefault(key, _WatchedMatch(self._folder, key))
            finally:
                self._watching[key] -= 1
                if not self._watching[key]:
                    del self._watching[key]
                    self._watched.pop(key).close()
        finally:
            self._streams -= 1

    def _reported(self) -> Now:
        overview = self._overview
        tables = [_table(key, running) for key, running in islice(overview.running.items(), MOST_TABLES)]
        summary = self._summary()
        return {
            "line": printable(overview.sentence(time(), is_held=holder(self._folder) is not None)),
            "tables": tables,
            "more": len(overview.running) - len(tables),
            "version": summary.version,
            "trouble": printable(summary.trouble),
        }


def _table(key: str, running: Running) -> Table:
    return {"match": key, "game": running.game, "bots": list(running.bots), "began": running.began}


class _WatchedMatch:
    """What has been broadcast of a match, for all who watch it."""

    def __init__(self, folder: Path, key: str) -> None:
        self._record = folder / RECORDS / (key + SUFFIX)
        self._reader = BroadcastReader(folder / BROADCASTS, key)
        self._lock = Lock()
        self._asked = self._changed = -ASKED_S
        self._document: dict[str, Any] | None = None
        self._steps: list[dict[str, Any]] = []
        self._edition = ""
        """Changes when the match or this process is started again; then a browser gets everything again."""
        self.trouble = ""
        """Why the match cannot be watched, or not to its end."""

    def close(self) -> None:
        """Stop reading."""
        with self._lock:
            self._reader.leave()

    def since(self, known: str) -> list[ServerSentEvent]:
        """Return what is new to a browser whose last event had the id `known`; "end" is the last event."""
        with self._lock:
            is_recorded = self._record.exists()
            self._read()
            events = list(self._news(self._reported(known)))
            if not events and is_recorded and monotonic() - self._changed > SETTLED_S:
                events = [ServerSentEvent(event="end", data={})]
            return events

    def _reported(self, known: str) -> int | None:
        """Return how many steps of this edition a browser knows; None if it has another edition or none."""
        found = KNOWN.fullmatch(known)
        return int(found[2]) if found and found[1] == self._edition else None

    def _news(self, sent: int | None) -> Iterator[ServerSentEvent]:
        here = f"{self._edition}.{len(self._steps)}"
        if self._document and sent is None:
            yield ServerSentEvent(event="match", data={**self._document, "steps": self._steps[:]}, id=here)
        elif sent is not None and sent < len(self._steps):
            yield ServerSentEvent(event="steps", data=self._steps[sent:], id=here)

    def _read(self) -> None:
        if monotonic() - self._asked > ASKED_S / 4:
            self._asked = monotonic()
            self._ask()
        for entry in self._reader.entries():
            self._changed = monotonic()
            if "document" in entry:
                self._document, self._steps, self._edition = entry["document"], [], secrets.token_hex(4)
                self.trouble = ""
            elif "step" in entry:
                self._steps.append(entry["step"])
            elif "failed" in entry:
                self.trouble = f"the broadcast broke off: {printable(entry['failed'])}"

    def _ask(self) -> None:
        try:
            self._reader.ask()
        except OSError as error:
            self.trouble = f"the match cannot be watched: {error.strerror} in the folder of the tournament"
