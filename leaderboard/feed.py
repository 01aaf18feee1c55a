"""Keeps databases close behind a running tournament, so that others can look at its table meanwhile."""

from collections.abc import Iterable, Sequence
from time import monotonic
from types import TracebackType
from typing import Final, Self

from ballcourt.arena.tournament.events import BlockVoided, Event, MatchesSkipped, MatchPlayed
from ballcourt.leaderboard.database import Database
from ballcourt.leaderboard.results import LeaderboardError, MatchResult, from_record
from ballcourt.v1.record_pb2 import MatchRecord

BEHIND_S: Final = 2.0


class DatabaseFeed:
    """Writes the results of a tournament to all databases together, at most `BEHIND_S` seconds late.

    Call it with every event of the tournament. Use it as a context manager; leaving it writes the rest.
    """

    def __init__(self, databases: Sequence[Database]) -> None:
        self._databases = databases
        self._waiting: dict[str, MatchResult] = {}  # by identity
        self._new: list[MatchResult] = []
        self._written = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self.flush()
        except LeaderboardError:
            if error is None:  # otherwise the error that stopped the run is raised, not its consequence
                raise

    def __call__(self, event: Event) -> None:
        """Take in what happened. Raises LeaderboardError when it is time to write and a database refuses."""
        match event:
            case MatchPlayed():
                self._add(from_record(event.record, event.path), is_new=event.is_new)
            case BlockVoided() | MatchesSkipped():
                self._forget(event.records)
            case _:
                pass

    def flush(self) -> None:
        """Write what has been collected. Raises LeaderboardError."""
        for database in self._databases:
            database.forget(self._new)  # an earlier run may have played them too, and lost their records
            database.add(self._waiting.values())
        self._waiting.clear()
        self._new.clear()
        self._written = monotonic()

    def _add(self, result: MatchResult, *, is_new: bool) -> None:
        self._waiting[result.identity] = result
        if is_new:
            self._new.append(result)
        if monotonic() - self._written >= BEHIND_S:
            self.flush()

    def _forget(self, records: Iterable[MatchRecord]) -> None:
        """Take results back, written or not."""
        results = [from_record(record) for record in records]
        for result in results:
            self._waiting.pop(result.identity, None)
        if results:
            for database in self._databases:
                database.forget(results)
