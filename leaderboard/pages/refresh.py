"""Makes the summaries that pages show, in a process of its own so that no page waits for a fit."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from logging import getLogger
from multiprocessing.connection import Connection, Pipe, wait
from secrets import token_hex
from threading import Event, Thread
from time import process_time, sleep
from typing import Final

from ballcourt.engine.errors import WrongInput
from ballcourt.leaderboard.pages.happening import Happening, newest
from ballcourt.leaderboard.pages.milestones import debuts, leaders
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Rated, Summaries, Summary
from ballcourt.leaderboard.store.beside import NICE, beside
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.listing import Wanted
from ballcourt.leaderboard.store.refresh import rest_s
from ballcourt.leaderboard.store.snapshot import version

SHORTEST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 300.0
"""How long to wait before another process is started, if the last ones sent nothing."""
PATIENCE_S: Final = 600.0
"""How long the process may be silent before another one is started in its place; twice as long after each of them."""
BEAT_S: Final = 60.0
"""How often it says that it is alive while it rests."""
ALIVE: Final = "alive"
ENDED: Final = "the process that makes the tables has ended; another one is being started"
HUNG: Final = "the process that makes the tables hung; another one is being started"
LOG: Final = getLogger(__name__)

Report = Callable[[str], None]


class PageRefresher:
    """Keeps a summary up to date with a source."""

    def __init__(self, source: Source, database: Database, report: Report = lambda _: None) -> None:
        """`report` gets how far the first summary is, again and again."""
        self._report = report
        self.summary = Summary()
        self._source = source
        self._database = database
        self._summaries = Summaries()
        self._state: object = None
        self._results: object = None
        self._rated: Rated = {}
        self._news: Sequence[Happening] = ()
        """What happened, without the leaders."""
        self._leaders: Sequence[Happening] = ()
        """Who took the lead, as the courses of the ratings say."""

    def refresh(self) -> bool:
        """Compute the tables if the results have changed; return whether they have.

        Raises OSError and WrongInput.
        """
        began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        state = self._source.state(self._database)
        if state == self._state:
            return False
        report: Report = self._report if not self.summary.at else lambda _: None
        field, tournament = self._source.fill(self._database, report)
        results = version(self._database), field, tournament
        if results == self._results:
            self._state = state
            return False
        known = self.summary.ladders
        ladders, self._rated = self._summaries.tables(self._database, field.entrants, report)
        shown = {one.id: replace(one, histories=known[one.id].histories if one.id in known else {}) for one in ladders}
        self._news = [*debuts(self._database), *(tournament["happened"] if tournament else ())]
        news = newest(self._news, self._leaders)
        last = next(iter(self._database.listed(Wanted(), None, 1)[0]), None)
        self.summary = Summary(token_hex(8), began, "", shown, tournament, field.placing, news, last)
        self._state, self._results = state, results
        return True

    def add_histories(self) -> None:
        """Compute the course of ratings, which takes longer than the tables."""
        found = self._summaries.histories(self._rated)
        ladders = {name: replace(one, histories=found[name]) for name, one in self.summary.ladders.items()}
        self._leaders = [*leaders(self._database, ladders.values())]
        news = newest(self._news, self._leaders)
        self.summary = replace(self.summary, version=token_hex(8), trouble="", ladders=ladders, news=news)
        self._rated = {}

    def try_refresh(self) -> bool:
        """Refresh like `refresh`; if that fails, pages say so and show the previous tables."""
        with self._failures_shown():
            return self.refresh()
        self._state = self._results = None  # the same results are to be read again
        return False

    def try_add_histories(self) -> None:
        """Compute the histories that are missing; if that fails, pages say so, and the next call starts over."""
        if self._rated:
            with self._failures_shown():
                self.add_histories()

    @contextmanager
    def _failures_shown(self) -> Iterator[None]:
        try:
            yield
        except (OSError, WrongInput) as error:
            if self.summary.trouble != str(error):
                self.summary = replace(self.summary, trouble=str(error))


Show = Callable[[Summary | None], None]
"""Gets each new summary, and None when a look at the results has found nothing new."""


@contextmanager
def kept_fresh(source: Source, show: Show) -> Iterator[Event]:
    """Show each new summary of a source until the context ends; yield what is set once the first one is shown.

    Until then summaries without tables say in `trouble` how far that is, which may take long. Another process makes
    them; if it ends or hangs, pages and the log say so, and another one is started after a pause.
    """
    over, end = Pipe(duplex=False)
    is_shown = Event()

    thread = Thread(target=_keep_fresh, args=(source, show, over, is_shown), name="summaries", daemon=True)
    thread.start()
    try:
        yield is_shown
    finally:
        end.close()
        thread.join()


def _keep_fresh(source: Source, show: Show, over: Connection, is_shown: Event) -> None:
    """Show what one process after the other sends, until `over` is closed."""
    pause_s, patience_s = SHORTEST_PAUSE_S, PATIENCE_S
    latest = Summary()
    while True:
        with suppress(EOFError, OSError), beside(_summarise, source) as summaries:
            for summary in _sent(summaries, over, patience_s):
                if isinstance(summary, str):
                    show(replace(latest, trouble=summary))
                    continue
                if summary is not None:
                    latest = summary if summary.at else replace(latest, trouble=summary.trouble)
                show(summary and latest)
                is_shown.set()
                pause_s = SHORTEST_PAUSE_S
        if over.poll():
            return
        if latest.trouble == HUNG:
            patience_s *= 2
        elif not latest.trouble:
            LOG.warning(ENDED)
            latest = replace(latest, trouble=ENDED)
            show(latest)
            is_shown.set()
        if wait([over], pause_s):
            return
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def _sent(summaries: Connection, over: Connection, patience_s: float) -> Iterator[Summary | str | None]:
    """Yield what a process sends until `over` is closed, or it is silent for too long, which is then the trouble.

    Raises EOFError or OSError if the process ends.
    """
    while over not in (ready := wait([summaries, over], patience_s)):
        if not ready:
            LOG.warning(HUNG)
            yield Summary(trouble=HUNG)
            return
        if (message := summaries.recv()) != ALIVE:
            yield message


def _summarise(server: Connection, source: Source) -> None:
    """Send a summary whenever the results have changed, else None, as long as the database is in place."""
    try:
        with source.opened() as database:
            _send(server, PageRefresher(source, database, server.send), database)
    except (OSError, WrongInput) as error:
        server.send(Summary(trouble=str(error)))


def _send(server: Connection, refresher: PageRefresher, database: Database) -> None:
    refresher.try_refresh()
    server.send(refresher.summary)
    os.nice(NICE)  # from now on, pages go first
    while database.is_in_place:
        worked_before_s = process_time()
        for step in (refresher.try_add_histories, refresher.try_refresh):
            shown = refresher.summary
            step()
            if refresher.summary is not shown:
                server.send(refresher.summary)
            else:
                server.send(ALIVE if shown.trouble else None)
        _rest(server, rest_s(process_time() - worked_before_s))


def _rest(server: Connection, seconds: float) -> None:
    """Sleep, and say now and then that this process is alive."""
    beats, left = divmod(seconds, BEAT_S)
    for _ in range(int(beats)):
        sleep(BEAT_S)
        server.send(ALIVE)
    sleep(left)
