"""Makes the summaries that pages show, in a process of its own so that no page waits for a fit."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from secrets import token_hex
from threading import Thread
from time import process_time, sleep
from typing import Final

from ballcourt.engine.errors import WrongInput
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Rated, Summaries, Summary
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.refresh import NICE, beside, rest_s
from ballcourt.leaderboard.store.snapshot import version

FIRST_S: Final = 60.0
"""How long to wait for the first tables."""


class PageRefresher:
    """Keeps a summary up to date with a source."""

    def __init__(self, source: Source, database: Database) -> None:
        self.summary = Summary()
        self._source = source
        self._database = database
        self._summaries = Summaries()
        self._state: object = None
        self._results: object = None
        self._rated: Rated = {}

    def refresh(self) -> bool:
        """Compute the tables if the results have changed; return whether they have.

        Raises OSError and WrongInput.
        """
        began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        state = self._source.state(self._database)
        if state == self._state:
            return False
        filled = self._source.fill(self._database)
        results = version(self._database), filled
        if results == self._results:
            self._state = state
            return False
        known = self.summary.ladders
        ladders, self._rated = self._summaries.tables(self._database, filled.statuses)
        shown = {one.id: replace(one, histories=known[one.id].histories if one.id in known else {}) for one in ladders}
        self.summary = Summary(token_hex(8), began, "", shown, filled.tournament)
        self._state, self._results = state, results
        return True

    def add_histories(self) -> None:
        """Compute the course of ratings, which takes longer than the tables."""
        found = self._summaries.histories(self._rated)
        ladders = {name: replace(one, histories=found[name]) for name, one in self.summary.ladders.items()}
        self.summary = replace(self.summary, version=token_hex(8), trouble="", ladders=ladders)
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


@contextmanager
def kept_fresh(source: Source, show: Callable[[Summary], None]) -> Iterator[None]:
    """Show each new summary of a source until the context ends. Wait for the first one, but not long."""
    with beside(_summarise, source) as summaries:
        if summaries.poll(FIRST_S):
            _show_next(summaries, show)
        Thread(target=_show_all, args=(summaries, show), name="summaries", daemon=True).start()
        yield


def _show_all(summaries: Connection, show: Callable[[Summary], None]) -> None:
    while _show_next(summaries, show):
        pass


def _show_next(summaries: Connection, show: Callable[[Summary], None]) -> bool:
    """Wait for a summary; return whether one came, which it does until the other process ends."""
    with suppress(EOFError, OSError):
        show(summaries.recv())
        return True
    return False


def _summarise(server: Connection, source: Source) -> None:
    """Send a summary whenever the results have changed."""
    with open_database(source.database) as database:
        refresher = PageRefresher(source, database)
        refresher.try_refresh()
        server.send(refresher.summary)
        os.nice(NICE)  # from now on, pages go first
        while True:
            worked_before_s = process_time()
            for step in (refresher.try_add_histories, refresher.try_refresh):
                shown = refresher.summary
                step()
                if refresher.summary is not shown:
                    server.send(refresher.summary)
            sleep(rest_s(process_time() - worked_before_s))
