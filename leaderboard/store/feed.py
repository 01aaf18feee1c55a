"""Keeps databases up to date with a running tournament, so that others can see its table meanwhile."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Final, Self

from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    Finished,
    MatchesSkipped,
    MatchPlayed,
    Planned,
    RunEvent,
)
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult, from_record
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.retention import dropped_results

Changes = dict[str, MatchResult | None]
"""Results by identity; None for a match that does not count any more."""

BEHIND_S: Final = 2.0
LONGEST_WAIT_S: Final = 60.0
"""How long at most a database that refused is left alone before it is tried again."""


class DatabaseFeed:
    """Writes the results of a tournament to databases, each at most `BEHIND_S` seconds late.

    A database that is locked or gone does not stop the tournament: what it lacks waits here, and in the records, until
    it can be written. Call the feed with every event. Use it as a context manager; leaving it writes the rest.
    """

    def __init__(
        self,
        databases: Sequence[Database],
        warn: Callable[[str], None] = lambda _: None,
        complete: Callable[[Database], object] | None = None,
    ) -> None:
        """`warn` is called with a sentence when a database begins to refuse.

        For a ladder, whose events do not cover all matches of earlier runs, `complete` adds those that a database
        lacks, such as one that was removed meanwhile. It may raise LeaderboardError; it is then called again later.
        """
        self._whole = complete is None
        self._outlets = [_Outlet(database, warn, complete) for database in databases]
        self._counted: set[str] = set()  # identities
        self._folder: Path | None = None
        self._records: Path | None = None

    def __enter__(self) -> Self:
        if not self._whole:
            for outlet in self._outlets:
                outlet.write()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Write the rest. Raises LeaderboardError if a database still refuses, unless another error is on its way."""
        refusals = [refusal for outlet in self._outlets if (refusal := outlet.write())]
        if refusals and error is None:
            raise LeaderboardError("; ".join(refusals))

    def __call__(self, event: RunEvent) -> None:
        """Handle an event, and write results if it is time to."""
        match event:
            case Planned():
                self._folder = event.folder
            case MatchPlayed():
                result = from_record(event.record, event.path)
                if self._whole:
                    self._counted.add(result.identity)
                self._records = event.path.absolute().parent
                for outlet in self._outlets:
                    outlet.change({result.identity: result})
            case BlockVoided() | MatchesSkipped():
                void = [from_record(record).identity for record in event.records]
                if self._folder and len(void) < len(event.keys):
                    dropped, _ = dropped_results(self._folder)
                    void += [match.identity for match in dropped if match.key in event.keys]
                self._counted.difference_update(void)
                for outlet in self._outlets:
                    outlet.change(dict.fromkeys(void), at_once=True)
            case Finished() if self._whole and self._records:
                for outlet in self._outlets:
                    outlet.own = self._counted, self._records
            case _:
                pass


class _Outlet:
    """A database, and what it lacks."""

    def __init__(
        self, database: Database, warn: Callable[[str], None], complete: Callable[[Database], object] | None
    ) -> None:
        self._database = database
        self._warn = warn
        self._complete = complete
        """None once that has been done."""
        self._changes: Changes = {}
        self.own: tuple[Collection[str], Path] | None = None
        """Which recorded matches count, and where; None before the end."""
        self._tried = monotonic()
        self._refuses = False
        self._wait_s = BEHIND_S

    def change(self, changes: Changes, *, at_once: bool = False) -> None:
        """Add results and identities that are void; write them if it is time to, or with `at_once` if possible."""
        self._changes |= changes
        due = monotonic() - self._tried >= (self._wait_s if self._refuses else BEHIND_S)
        if self._changes and (due or (at_once and not self._refuses)):
            self.write()

    def write(self) -> str:
        """Write what the database lacks; return why it refuses, or an empty string."""
        try:
            self._write()
        except LeaderboardError as error:
            if not self._refuses:
                self._warn(f"{error}; the tournament goes on, and its results will be written later")
            self._wait_s = min(LONGEST_WAIT_S, 2 * self._wait_s if self._refuses else BEHIND_S)
            self._refuses = True
            return str(error)
        finally:
            self._tried = monotonic()
        self._changes.clear()
        self._refuses = False
        return ""

    def _write(self) -> None:
        if self._complete:
            self._complete(self._database)
            self._complete = None
        if void := [identity for identity, match in self._changes.items() if match is None]:
            self._database.forget(void)
        self._database.add(match for match in self._changes.values() if match)
        if self.own:
            self._database.keep_only(*self.own)
