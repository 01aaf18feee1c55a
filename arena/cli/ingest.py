"""Keeps the databases close behind a running tournament, so that others can look at its table meanwhile."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leaderboard.database import Database
    from leaderboard.results import MatchResult

BEHIND_S: Final = 2.0


class Ingest:
    """Collects results and writes them to all databases together, at most `BEHIND_S` seconds late."""

    def __init__(self, databases: Sequence[Database]) -> None:
        self._databases = databases
        self._waiting: list[MatchResult] = []
        self._written = monotonic()

    def add(self, match: MatchResult) -> None:
        """Take a result. Raises LeaderboardError when it is time to write and a database refuses."""
        self._waiting.append(match)
        if monotonic() - self._written >= BEHIND_S:
            self.flush()

    def forget(self, matches: Sequence[MatchResult]) -> None:
        """Take results back, written or not. Raises LeaderboardError."""
        self._waiting = [match for match in self._waiting if match not in matches]
        for database in self._databases:
            database.forget(matches)

    def flush(self, more: Sequence[MatchResult] = ()) -> None:
        """Write what has been collected, and `more`. Raises LeaderboardError."""
        for database in self._databases:
            database.add([*self._waiting, *more])
        self._waiting = []
        self._written = monotonic()
