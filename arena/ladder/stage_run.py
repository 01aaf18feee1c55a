"""Plays one stage of a ladder: the missing part of it, until it is complete or something else comes first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, takewhile

from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.broadcast import BROADCASTS
from ballcourt.arena.tournament.decisions.course import DueBlock
from ballcourt.arena.tournament.event.stages import Stage, ladder_field
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    RecordUnreadable,
    RunEvent,
    WorkerChanged,
)
from ballcourt.arena.tournament.folder.output import Folder, put_away
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.played import match_played, outcomes_of
from ballcourt.arena.tournament.schedules.schedule import Seating, SeatOutcome, keyed_seatings
from ballcourt.arena.workers.queue import Started, Voided, WorkerNews
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.v1.record_pb2 import MatchRecord


class StageRun:
    """A stage that is being played, and the outcomes of its matches so far."""

    def __init__(self, stage: Stage, folder: Folder, seats: int) -> None:
        self.stage = stage
        self.outcomes: dict[str, tuple[SeatOutcome, ...]] = {}
        self._folder = folder
        self._blocks = [*stage.blocks(ladder_field(0, seats))]
        kept = (block.index for block in self._blocks if any(map(self._has_record, keyed_seatings(block))))
        self.begun = max(kept, default=stage.first_block - 1)
        """The last block that has been begun."""

    def is_complete(self, tournament: Plan) -> bool:
        """Whether all matches that are due have been played."""
        return all(key in self.outcomes for due in self._due(tournament) for key, _ in due.matches)

    def recall(self, tournament: Plan) -> Iterator[RunEvent]:
        """Count what an earlier run played; drop what is no longer due."""
        for due in self._due(tournament):
            yield from self._skip(due.skipped)
            if due.block.index <= self.begun:
                for match in tournament.playable(due):
                    if match.key not in self.outcomes and self._folder.path_of(match.key).exists():
                        yield self._recalled(match.spec)

    def play(
        self,
        tournament: Plan,
        start: Callable[[], BlockRunner],
        may_begin: Callable[[int], bool],
    ) -> Iterator[RunEvent]:
        """Play the blocks that are missing, one after another while they may begin."""
        missing = (due for due in self._due(tournament) if any(key not in self.outcomes for key, _ in due.matches))
        upcoming = takewhile(lambda due: may_begin(due.block.index), missing)
        if (first := next(upcoming, None)) is None:
            return
        live = self._folder.path / BROADCASTS  # where running matches can be watched
        handed_out = (tournament.playable(due, live) for due in self._handed_out(chain([first], upcoming)))
        for event in start().run_blocks(handed_out, self.outcomes.keys()):
            match event:
                case Started():
                    yield MatchStarted(event.key, event.game, event.bots)
                case Voided():
                    yield from self._void(event)
                case WorkerNews():
                    yield WorkerChanged(event.worker, event.news, event.sentence)
                case MatchRecord():
                    path = self._folder.add(event)
                    self.outcomes[event.key] = outcomes_of(event)
                    yield match_played(event, path, is_new=True)

    def _due(self, tournament: Plan) -> Iterator[DueBlock]:
        for block in self._blocks:
            yield DueBlock(block, tournament.changes.due(block, keyed_seatings(block)))

    def _handed_out(self, blocks: Iterable[DueBlock]) -> Iterator[DueBlock]:
        for due in blocks:
            self.begun = max(self.begun, due.block.index)
            yield due

    def _has_record(self, seating: Seating) -> bool:
        return self._folder.path_of(seating[0]).exists()

    def _recalled(self, spec: MatchSpec) -> MatchPlayed | RecordUnreadable:
        try:
            record = self._folder.read(spec)
        except RecordError as error:
            return RecordUnreadable(spec.key, str(error))
        self._folder.restore_bundles(record)
        self.outcomes[spec.key] = outcomes_of(record)
        return match_played(record, self._folder.path_of(spec.key), is_new=False)

    def _void(self, block: Voided) -> Iterator[RunEvent]:
        """Announce that a block is played again, then move its records away."""
        played = [key for key in block.keys if self.outcomes.pop(key, None)]
        event = BlockVoided(block.keys, block.reason, self._folder.read_all(played))
        yield from put_away(self._folder, event, played)

    def _skip(self, keys: Sequence[str]) -> Iterator[RunEvent]:
        """Announce that matches are no longer due; move the records of those that were played away."""
        for key in keys:
            self.outcomes.pop(key, None)
        yield from removed(self._folder, keys)


def removed(folder: Folder, keys: Sequence[str]) -> Iterator[RunEvent]:
    """Announce that matches do not count, then move their records away."""
    if played := [key for key in keys if folder.path_of(key).exists()]:
        yield from put_away(folder, MatchesSkipped(tuple(played), folder.read_all(played)), played)
