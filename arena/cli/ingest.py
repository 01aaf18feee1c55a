"""Keeps the databases close behind a running tournament, so that others can look at its table meanwhile."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Final

from ballcourt.arena.faults import ArenaError
from ballcourt.leaderboard.database import Database
from ballcourt.leaderboard.results import LeaderboardError, MatchResult

BEHIND_S: Final = 2.0


class Ingest:
    """Collects results and writes them to all databases together, at most `BEHIND_S` seconds late.

    The databases were fit for it when they were opened: one that refuses now is a failure of the arena.
    """

    def __init__(self, databases: Sequence[Database], played: Iterable[MatchResult]) -> None:
        self._databases = databases
        self._waiting = [*played]
        self._written = monotonic()

    def add(self, match: MatchResult) -> None:
        """Take a result. Raises ArenaError when it is time to write and a database refuses."""
        self._waiting.append(match)
        if monotonic() - self._written >= BEHIND_S:
            self.flush()

    def forget(self, matches: Sequence[MatchResult]) -> None:
        """Take results back, written or not. Raises ArenaError."""
        self._waiting = [match for match in self._waiting if match not in matches]
        with _no_refusal():
            for database in self._databases:
                database.forget(matches)

    def flush(self) -> None:
        """Write what has been collected. Raises ArenaError."""
        with _no_refusal():
            for database in self._databases:
                database.add(self._waiting)
        self._waiting = []
        self._written = monotonic()


@contextmanager
def _no_refusal() -> Iterator[None]:
    try:
        yield
    except LeaderboardError as error:
        raise ArenaError(f"{error}; what has been played is safe in its records") from error
