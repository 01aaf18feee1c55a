"""Keeps the answers for pages up to date, in a process of its own so that no page waits for a fit."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread
from time import monotonic, sleep
from typing import Final

from ballcourt.engine.errors import WrongInput
from ballcourt.leaderboard.columns import Columns
from ballcourt.leaderboard.database import Database, open_database
from ballcourt.leaderboard.pages.answers import Answers
from ballcourt.leaderboard.pages.source import Source
from ballcourt.leaderboard.pages.summaries import Summaries
from ballcourt.leaderboard.results import Ladder

LOOK_S: Final = 2.0
REST: Final = 3
"""How long to rest after an update, as a multiple of the time it took."""
FIRST_S: Final = 60.0
"""How long to wait for the first tables."""


class Refresher:
    """Brings answers up to date with a source."""

    def __init__(self, source: Source, database: Database, answers: Answers) -> None:
        self._source = source
        self._database = database
        self._answers = answers
        self._summaries = Summaries()
        self._state: object = None
        self._ladders: Mapping[Ladder, Columns] = {}

    def refresh(self) -> bool:
        """Make the tables again if there are other results; return whether there were.

        Raises OSError and WrongInput.
        """
        state = self._source.state(self._database)
        if state == self._state:
            return False
        filled = self._source.fill(self._database)
        answers, self._ladders = self._summaries.tables(self._database, filled.statuses)
        answers.append(("tournament", filled.tournament))
        self._answers.put([*answers, ("status", {"at": _now(), "trouble": ""})])
        self._state = state
        return True

    def add_histories(self) -> None:
        """Compute how ratings went, which takes longer than the tables."""
        self._answers.put(self._summaries.histories(self._ladders))

    def try_refresh(self) -> bool:
        """Refresh like `refresh`; if that fails, pages say so and show the tables before."""
        try:
            return self.refresh()
        except (OSError, WrongInput) as error:
            self._answers.put([("status", {"at": _now(), "trouble": str(error)})])
            return False


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
    """Refresh whenever there are other results, until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    with open_database(source.database) as database:
        refresher = Refresher(source, database, answers)
        refresher.try_refresh()
        parent.send(None)
        os.nice(19)  # from now on, pages go first
        refresher.add_histories()
        while True:
            began = monotonic()
            if refresher.try_refresh():
                refresher.add_histories()
            sleep(max(LOOK_S, REST * (monotonic() - began)))


def _end_with(parent: Connection) -> None:
    try:
        parent.recv()
    except (EOFError, OSError):
        os._exit(0)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
