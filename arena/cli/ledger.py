"""What is known of a running tournament: records in its folder, results in its databases and on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ballcourt.leaderboard.results import from_record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ballcourt.arena.cli.ingest import Ingest
    from ballcourt.arena.cli.progress import Progress
    from ballcourt.arena.tournament.folder import Folder
    from ballcourt.arena.tournament.suspensions import Faults
    from ballcourt.v1.record_pb2 import MatchRecord


class Ledger:
    """Keeps the three in step, so that whenever the run is killed the databases hold nothing without a record."""

    def __init__(self, folder: Folder, ingest: Ingest, progress: Progress) -> None:
        self._folder = folder
        self._ingest = ingest
        self._progress = progress

    @property
    def played(self) -> Collection[str]:
        """The keys of the matches that count; a live view."""
        return self._progress.played.keys()

    def faults(self, keys: Iterable[str]) -> Faults:
        """Who was at fault in these matches."""
        return {key: [seat.fault for seat in self._progress.played[key].seats] for key in keys}

    def enter(self, record: MatchRecord) -> None:
        """Take a match that has just been played; it counts when its record is there."""
        self._folder.add(record)
        match = from_record(record)
        self._progress.add(match)
        self._ingest.add(match)

    def void(self, keys: Collection[str]) -> None:
        """Take matches back, those of them that have been played."""
        played = [self._progress.played[key] for key in keys if key in self._progress.played]
        if not played:
            return
        self._ingest.forget(played)
        self._folder.void([match.key for match in played])
        self._progress.forget([match.key for match in played])

    def skip(self, keys: Collection[str]) -> None:
        """Do without matches, because somebody sits out; take them back if a record says that they were played."""
        self.void(keys)
        self._progress.skip(len(keys))
