"""Keeps the answers for pages up to date, in a process of its own so that no page waits for a fit."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from time import process_time, sleep
from typing import Final

from ballcourt.engine.errors import WrongInput
from ballcourt.leaderboard.pages.answers import STATUS, Answers, Status
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Rated, Summaries
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.refresh import NICE, rest_s
from ballcourt.leaderboard.store.snapshot import version

FIRST_S: Final = 60.0
"""How long to wait for the first tables."""


class PageRefresher:
    """Brings answers up to date with a source."""

    def __init__(self, source: Source, database: Database, answers: Answers) -> None:
        self._source = source
        self._database = database
        self._answers = answers
        self._summaries = Summaries()
        self._state: object = None
        self._results: object = None
        self._at = ""
        self._rated: Rated = {}
        self._lacks_histories = False

    def refresh(self) -> bool:
        """Compute the tables if the results have changed; return whether they have.

        Raises OSError and WrongInput.
        """
        began = _now()
        state = self._source.state(self._database)
        if state == self._state:
            return False
        filled = self._source.fill(self._database)
        results = version(self._database), filled
        if results == self._results:
            self._state = state
            return False
        answers, self._rated = self._summaries.tables(self._database, filled.statuses)
        answers.append(("tournament", filled.tournament))
        self._answers.replace([*answers, (STATUS, Status(at=began, trouble=""))], histories=False)
        self._state, self._results, self._at = state, results, began
        self._lacks_histories = True
        return True

    def add_histories(self) -> None:
        """Compute the course of ratings, which takes longer than the tables."""
        status = STATUS, Status(at=self._at, trouble="")
        self._answers.replace([*self._summaries.histories(self._rated), status], histories=True)
        self._lacks_histories = False

    def try_refresh(self) -> bool:
        """Refresh like `refresh`; if that fails, pages say so and show the previous tables."""
        with self._failures_shown():
            return self.refresh()
        self._state = self._results = None  # the same results are to be read again
        return False

    def try_add_histories(self) -> None:
        """Compute the histories that are missing; if that fails, pages say so, and the next call starts over."""
        if self._lacks_histories:
            with self._failures_shown():
                self.add_histories()

    @contextmanager
    def _failures_shown(self) -> Iterator[None]:
        try:
            yield
        except (OSError, WrongInput, sqlite3.Error) as error:
            with suppress(sqlite3.Error):  # the answers themselves cannot be written; the next refresh tries to
                self._answers.put_status(Status(at=self._at, trouble=str(error)))


@contextmanager
def kept_fresh(source: Source, answers: Answers) -> Iterator[None]:
    """Keep answers up to date until the context ends. Wait for the first ones, but not long."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(source, answers, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        ours.poll(FIRST_S)
        yield
    finally:
        ours.close()
        process.join()


def _run(source: Source, answers: Answers, parent: Connection) -> None:
    """Refresh whenever the results have changed, until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    with open_database(source.database) as database:
        refresher = PageRefresher(source, database, answers)
        refresher.try_refresh()
        parent.send(None)
        os.nice(NICE)  # from now on, pages go first
        refresher.try_add_histories()
        while True:
            worked_before_s = process_time()
            refresher.try_refresh()
            refresher.try_add_histories()
            sleep(rest_s(process_time() - worked_before_s))


def _end_with(parent: Connection) -> None:
    try:
        parent.recv()
    except (EOFError, OSError):
        os._exit(0)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
