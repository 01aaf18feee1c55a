"""Keeps the tables of databases up to date while a tournament fills them: a process of its own, of low priority.

Fits and bots share the processors. So the process has a low priority, uses one processor, and rests three times
as long as it has worked.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from time import monotonic, process_time, sleep
from types import TracebackType
from typing import Final, Self

from ballcourt.arena.tournament.folder.events import Event
from ballcourt.leaderboard.model.results import LeaderboardError

NICE: Final = 10
"""What is added to the niceness of a process that computes tables."""
SHORTEST_REST_S: Final = 3.0
FIRST_S: Final = 5.0
"""A run that takes no longer needs no tables before its end."""


class Refresher:
    """Starts the process when a run has taken some seconds. Call it with every event; leave its context to end it."""

    def __init__(self, urls: Sequence[str], first_s: float = FIRST_S) -> None:
        self._urls = list(urls)
        self._due = monotonic() + first_s
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()

    def __call__(self, _: Event) -> None:
        """Start the process if it is time to."""
        if self._urls and not self.process and monotonic() >= self._due:
            self.process = _started(self._urls)


def _started(urls: list[str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ballcourt.leaderboard.store.refresh"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # Ctrl-C is for the run, which ends this process
    )
    assert process.stdin
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(urls) + "\n")  # not an argument: they may have passwords
        process.stdin.flush()
    return process


def main() -> None:
    """Refresh the databases that a line on stdin names, again and again, until stdin is closed."""
    urls = json.loads(sys.stdin.readline())
    Thread(target=_exit_with_parent, daemon=True).start()
    os.nice(NICE)
    while True:
        sleep(max(map(_refreshed, urls)))


def _exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def _refreshed(url: str) -> float:
    """Refresh the tables of a database if it can be read; return for how many seconds to rest."""
    from ballcourt.leaderboard.store.database import open_database
    from ballcourt.leaderboard.store.snapshot import refresh

    began, worked_before_s = monotonic(), process_time()

    def rest() -> float:
        return rest_s(process_time() - worked_before_s)

    with suppress(LeaderboardError), open_database(url) as database:
        refresh(database, lambda: promise_s(monotonic() - began, rest()))
    return rest()


def rest_s(worked_s: float) -> float:
    """Return how long to rest after using this much CPU time; both in seconds."""
    return max(SHORTEST_REST_S, 3 * worked_s)


def promise_s(took_s: float, rest: float) -> int:
    """Return how long tables stay valid, in seconds: two refresh cycles, since the next may take longer."""
    return round(2 * (took_s + rest))


if __name__ == "__main__":
    main()
