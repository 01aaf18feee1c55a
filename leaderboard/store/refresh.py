"""Processes beside this one that compute what others show: here, the tables of databases that a tournament fills.

Fits and bots share the processors. So such a process has a low priority, uses one processor, and rests three times as
long as it has worked. It is a process, not a thread, because a fit would hold up whatever runs in this one.
"""

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from time import monotonic, process_time, sleep
from typing import Final

from ballcourt.arena.tournament.folder.events import RunEvent
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store.beside import NICE, beside

SHORTEST_REST_S: Final = 3.0
FIRST_S: Final = 5.0
"""A run that takes no longer needs no tables before its end."""


class Refresher(ExitStack):
    """Keeps the tables of databases up to date when a run has taken some seconds. Call it with every event."""

    def __init__(self, urls: Sequence[str], first_s: float = FIRST_S) -> None:
        super().__init__()
        self._urls = list(urls)
        self._due = monotonic() + first_s
        self.is_running = False

    def __call__(self, _: RunEvent) -> None:
        """Start the process if it is time to."""
        if self._urls and not self.is_running and monotonic() >= self._due:
            self.enter_context(beside(_refresh_all, self._urls))
            self.is_running = True


def _refresh_all(_: Connection, urls: list[str]) -> None:
    os.nice(NICE)
    own: dict[str, str | None] = {}
    while True:
        sleep(max(refreshed(url, own) for url in urls))


def refreshed(url: str, own: dict[str, str | None]) -> float:
    """Refresh the tables of a database if it can be read; return for how many seconds to rest.

    `own` has, by URL, the digest of the matches in the tables that this process kept last. While valid ones are not
    its own, another arena that shares the database keeps them up to date, and one of them is enough.
    """
    from ballcourt.leaderboard.store.database import open_database
    from ballcourt.leaderboard.store.snapshot import refresh, version

    began, worked_before_s = monotonic(), process_time()

    def two_cycles_s() -> int:  # the next one may take longer
        return round(2 * (monotonic() - began + rest_s(process_time() - worked_before_s)))

    with suppress(LeaderboardError), open_database(url) as database:
        _, kept = version(database)
        if kept in (None, own.get(url)):
            refresh(database, two_cycles_s)
            _, own[url] = version(database)
    return rest_s(process_time() - worked_before_s)


def rest_s(worked_s: float) -> float:
    """Return how long to rest after using this much CPU time; both in seconds."""
    return max(SHORTEST_REST_S, 3 * worked_s)
