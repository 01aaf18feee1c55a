"""The matches of a run that count: what it announces about them, and what schedules need to know about them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.broadcast import BROADCASTS
from ballcourt.arena.tournament.decisions.course import DueBlock
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    RecordUnreadable,
    RunEvent,
    WorkerChanged,
)
from ballcourt.arena.tournament.folder.output import Folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.schedule import SeatOutcome
from ballcourt.arena.workers.queue import Started, Voided, WorkerNews
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord


class CountedMatches:
    """The matches in an output folder that count, while blocks are played into it."""

    def __init__(self, folder: Folder, begun: int) -> None:
        self._folder = folder
        self.outcomes: dict[str, tuple[SeatOutcome, ...]] = {}
        self.begun = begun
        """The last block that has been begun."""

    def lacks(self, due: DueBlock) -> bool:
        """Whether any match of a block has not been played."""
        return any(key not in self.outcomes for key, _ in due.matches)

    def check_kept(self) -> None:
        """Raise ArenaError if the record of a match that counts was removed while others were played."""
        if lost := [key for key in self.outcomes if not self._folder.path_of(key).exists()]:
            raise ArenaError(
                f"{self._folder.records} has lost the records of {len(lost)} of {len(self.outcomes)} matches, such as "
                f"{lost[0]}; put them back, or run the same command again, which plays them again"
            )

    def play_blocks(self, tournament: Plan, runner: BlockRunner, blocks: Iterable[DueBlock]) -> Iterator[RunEvent]:
        """Play what is missing of blocks."""
        live = self._folder.path / BROADCASTS  # where running matches can be watched
        handed_out = (tournament.playable(due, live) for due in map(self._begin, blocks))
        for event in runner.run_blocks(handed_out, self.outcomes.keys()):
            match event:
                case Started():
                    yield MatchStarted(event.key, event.game, event.bots)
                case Voided():
                    yield from self.void(event)
                case WorkerNews():
                    yield WorkerChanged(event.worker, event.news, event.sentence)
                case MatchRecord():
                    self._folder.add(event)
                    yield self.count(event, is_new=True)

    def _begin(self, due: DueBlock) -> DueBlock:
        self.begun = max(self.begun, due.block.index)
        return due

    def recalled(self, spec: MatchSpec) -> MatchPlayed | RecordUnreadable:
        """Count a match of an earlier run. Raises OtherMatch if the record is that of another match."""
        try:
            record = self._folder.read(spec)
        except RecordError as error:
            return RecordUnreadable(spec.key, str(error))
        self._folder.restore_bundles(record)
        return self.count(record, is_new=False)

    def count(self, record: MatchRecord, *, is_new: bool) -> MatchPlayed:
        """Count a match whose record is in the folder."""
        self.outcomes[record.key] = outcomes_of(record)
        return match_played(record, self._folder.path_of(record.key), is_new=is_new)

    def void(self, block: Voided) -> Iterator[RunEvent]:
        """Announce that a block does not count, then move its records away."""
        played = [key for key in block.keys if self.outcomes.pop(key, None)]
        yield from self.remove(BlockVoided(block.keys, block.reason, self._folder.read_all(played)), played)

    def remove(self, event: BlockVoided | MatchesSkipped, played: Sequence[str]) -> Iterator[RunEvent]:
        """Announce that matches do not count, then move the records of those that were played away."""
        yield from self._folder.put_away(event, played)


def match_played(record: MatchRecord, path: Path, *, is_new: bool) -> MatchPlayed:
    """Return the event of a match that counts; its record is at `path`."""
    return MatchPlayed(
        key=record.key,
        bots=tuple(entrant.name for entrant in record.entrants),
        placements=tuple(result.placement for result in record.results),
        scores=tuple(result.score for result in record.results),
        path=path,
        is_new=is_new,
        record=record,
    )


def outcomes_of(record: MatchRecord) -> tuple[SeatOutcome, ...]:
    """Return how a match ended for each seat; a fault that was tolerated is a fault too."""
    tolerated = {fault.seat for fault in record.tolerated}
    return tuple(
        SeatOutcome(
            result.placement,
            result.score,
            result.termination != Termination.TERMINATION_OK or seat in tolerated,
            result.termination != Termination.TERMINATION_OK,
        )
        for seat, result in enumerate(record.results)
    )
