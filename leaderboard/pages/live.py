"""The progress of a tournament as server-sent events: how many matches were played, and a match decision by decision.

Nothing here speaks to the run. It reads the log of the run and the broadcasts of its workers, files that grow, so a
browser that is slow, stalled or gone holds up no match. A stream keeps no queue: it remembers how much it has sent, and
after a pause sends all that came since.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock
from time import monotonic, time
from typing import Annotated, Final, TypedDict
from urllib.parse import quote

from fastapi import FastAPI, Header, HTTPException, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ballcourt.arena.printable import printable
from ballcourt.arena.records.store import SUFFIX
from ballcourt.arena.replays.page import Page, running_page
from ballcourt.arena.tournament.folder.log import Entry, LogReader
from ballcourt.arena.tournament.folder.output import RECORDS, holder
from ballcourt.arena.tournament.folder.overview import Overview, Running
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.pages.followed import Followed, FollowedState, WatchedMatch
from ballcourt.leaderboard.pages.outlooks import Outlooks
from ballcourt.leaderboard.pages.summaries import Summary
from ballcourt.leaderboard.show.setups import title_of

STREAM: Final = "/api/live"
"""The address of the stream of events."""
TICK_S: Final = 0.25
"""How often a stream looks for news, in seconds."""
LOG_S: Final = 1.0
"""The longest time between two looks at the log of the run, in seconds."""
MOST_STREAMS: Final = 100
MOST_TABLES: Final = 50
"""How many running matches are listed."""
MOST_LEFT: Final = 1000
ENDS: Final = ("planned", "played", "voided", "skipped", "finished", "stopped")
"""The entries of a log after which matches that were being played may not be any more."""

Match = Annotated[str | None, Query(max_length=100)]
Known = Annotated[str, Query(max_length=50)]


class Table(TypedDict):
    """A running match: its key, its bots in seat order, and when it began, in seconds since 1970."""

    match: str
    game: str
    title: str
    """The game in words."""
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
        self,
        folder: Path,
        is_closing: Callable[[], bool] = lambda: False,
        summary: Callable[[], Summary] = Summary,
        outlooks: Outlooks | None = None,
    ) -> None:
        """`is_closing` returns whether the server shuts down, which ends all streams; `summary` what pages show.

        With `outlooks`, positions of matches that are watched are judged.
        """
        self._folder = folder
        self._is_closing = is_closing
        self._summary = summary
        self._outlooks = outlooks
        self._log = LogReader(folder)
        self._overview = Overview()
        self._running: dict[str, Running] = {}
        """What is being played: what the log names, while a process holds the folder."""
        self._left: dict[str, Running] = {}
        """The last matches that were being played and are not any more."""
        self._lock = Lock()
        self._read = 0.0
        self._now: Now = {"line": "", "tables": [], "more": 0, "version": "", "trouble": ""}
        self.streams = 0
        """How many there are."""
        self._watched: dict[str, WatchedMatch] = {}
        self._watching: Counter[str] = Counter()

    def now(self) -> Now:
        """Return the progress of the tournament, at most a second old. Raises OSError and LogError."""
        with self._lock:
            if monotonic() - self._read >= LOG_S:
                for entry in self._log.entries():
                    self._follow(entry)
                self._now = self._reported()
                self._read = monotonic()
            return self._now

    def table(self, key: str) -> Table | None:
        """Return a match that is being played or was stopped; None if it is neither. Raises OSError."""
        self.now()
        with self._lock:
            found = self._overview.running.get(key) or self._left.get(key)
        return _table(key, found) if found else None

    def record(self, key: str) -> Path | None:
        """Return the record of a match that was played here; None if there is none. Raises OSError."""
        self.now()
        with self._lock:
            is_known = key in self._overview.running or key in self._overview.played or key in self._left
        path = self._folder / RECORDS / (key + SUFFIX)
        return path if is_known and path.exists() else None

    async def events(self, key: str | None, known: str) -> AsyncGenerator[ServerSentEvent, None]:
        """Yield what happens until the server shuts down: "progress", "state"; of a match "match", "steps", "judged".

        After a state whose next step is not to stay, the stream ends. `known` is the id of the event that the browser
        had last, if it comes back.
        """
        if key is not None and not await asyncio.to_thread(lambda: self.table(key) or self.record(key)):
            yield _said(Followed.GONE.state())
            return
        if self.streams >= MOST_STREAMS:  # no other stream comes between this and its count
            yield _said(Followed.FULL.state(most=MOST_STREAMS))
            return
        sent, state = None, Followed.LIVE.state()
        with self._watch(key) as match:
            while not self._is_closing():
                if (now := await asyncio.to_thread(self.now)) != sent:
                    sent = now
                    yield ServerSentEvent(event="progress", data=now)
                if match:
                    events, found = await asyncio.to_thread(self._since, match, known)
                    for event in events:
                        known = event.id or known
                        yield event
                    if found != state:
                        state = found
                        yield _said(state)
                    if state["next"] != "stay":
                        return
                await asyncio.sleep(TICK_S)

    def _since(self, match: WatchedMatch, known: str) -> tuple[list[ServerSentEvent], FollowedState]:
        """Return what is new of a match, and its state."""
        record = self.record(match.key)
        with self._lock:
            is_running = match.key in self._running
        if record is None and not is_running:
            return [], Followed.GONE.state()
        return match.since(known, is_recorded=record is not None)

    @contextmanager
    def _watch(self, key: str | None) -> Iterator[WatchedMatch | None]:
        """Count a stream, and share what is read of a match among those who watch it."""
        self.streams += 1
        try:
            if key is None:
                yield None
                return
            self._watching[key] += 1
            try:
                yield self._watched.setdefault(key, WatchedMatch(self._folder, key, self._outlooks))
            finally:
                self._watching[key] -= 1
                if not self._watching[key]:
                    del self._watching[key]
                    self._watched.pop(key).close()
        finally:
            self.streams -= 1

    def _follow(self, entry: Entry) -> None:
        """Follow the log, and remember what was being played and is not any more."""
        before = self._overview.running.copy() if entry.get("event") in ENDS else {}
        self._overview.follow(entry)
        self._left |= {key: table for key, table in before.items() if key not in self._overview.running}
        while len(self._left) > MOST_LEFT:
            del self._left[next(iter(self._left))]

    def _reported(self) -> Now:
        overview, is_held = self._overview, holder(self._folder) is not None
        self._running = overview.running if is_held else {}
        tables = [_table(key, running) for key, running in islice(self._running.items(), MOST_TABLES)]
        summary = self._summary()
        return {
            "line": printable(overview.sentence(time(), is_held=is_held)),
            "tables": tables,
            "more": len(self._running) - len(tables),
            "version": summary.version,
            "trouble": printable(summary.trouble),
        }


def _said(state: FollowedState) -> ServerSentEvent:
    return ServerSentEvent(event="state", data=state)


def _table(key: str, running: Running) -> Table:
    title = title_of(running.game)
    return {"match": key, "game": running.game, "title": title, "bots": list(running.bots), "began": running.began}


def add_stream(app: FastAPI, live: Live) -> None:
    """Add the stream to an application."""

    # it never ends, so no client that reads whole answers should find it in the schema
    @app.get(STREAM, response_class=EventSourceResponse, include_in_schema=False)
    async def stream(
        match: Match = None, known: Known = "", last_event_id: Annotated[str, Header()] = ""
    ) -> AsyncIterator[ServerSentEvent]:
        """Send the progress of the tournament; with a match, also its decisions."""
        async for event in live.events(match, last_event_id or known):
            yield event


def live_page(live: Live, key: str, pictures: str = "") -> Page | None:
    """Return the page of a match that is being played, or was and may be again; None for others.

    Raises HTTPException if its game is not installed here.
    """
    if (table := live.table(key)) is None:
        return None
    try:
        game = find_game(table["game"])
    except UnknownGame as error:
        raise HTTPException(409, printable(str(error))) from error
    return running_page(game, key, table["bots"], f"{STREAM}?match={quote(key)}", "/matches", pictures)
