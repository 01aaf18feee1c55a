"""Runs a tournament: plays the remaining matches in its folder and yields an event for everything that happens.

Subscribers, such as tables and databases, act on an event before the next one is made. A record is written before its
`MatchPlayed` and moved away after its `BlockVoided`; so a database that follows the events holds nothing without a
record, whenever the run is killed.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from itertools import chain

from ballcourt.arena.records.store import RecordError
from ballcourt.arena.tournament.course import DueBlock
from ballcourt.arena.tournament.events import (
    BlockVoided,
    EntrantJudged,
    Event,
    Finished,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    Planned,
    RecordUnreadable,
    Resumed,
)
from ballcourt.arena.tournament.folder import Folder
from ballcourt.arena.tournament.log import EventLog
from ballcourt.arena.tournament.plan import Tournament
from ballcourt.arena.tournament.schedule import SeatOutcome, block_index
from ballcourt.arena.workers.blocks import Started, Voided
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord

Start = Callable[[int], AbstractContextManager[Runner]]
"""Starts a runner for at most this number of matches."""


def run_tournament(tournament: Tournament, folder: Folder, start: Start) -> Generator[Event]:
    """Play the remaining matches of a tournament, and log and yield its events.

    Closing the generator ends all that was started. Raises RunnerError for a match that cannot be played, FolderError
    for a record that does not belong to the tournament, and OSError.
    """
    with EventLog(folder.path) as log, ExitStack() as stack:
        for event in _Run(tournament, folder, lambda matches: stack.enter_context(start(matches))).events():
            log.add(event)
            yield event


class _Run:
    def __init__(self, tournament: Tournament, folder: Folder, start: Callable[[int], Runner]) -> None:
        self._tournament = tournament
        self._folder = folder
        self._start = start
        self._runner: Runner | None = None
        self._kept = folder.keys()
        self._last_kept = max((index for key in self._kept if (index := block_index(key)) is not None), default=-1)
        self._outcomes: dict[str, tuple[SeatOutcome, ...]] = {}  # of the matches that count
        self._expected = tournament.matches

    def events(self) -> Iterator[Event]:
        yield self._planned()
        course = self._tournament.course()
        while first := next(upcoming := course.upcoming(), None):
            yield from self._play(chain([first], upcoming), skips=course.suspensions.any)
            for entrant, sentence in course.settle(self._outcomes):
                judged = self._tournament.entrants[entrant]
                yield EntrantJudged(judged.name, judged.version, sentence)
        if not self._runner:
            yield from self._resumed()
        placing = tuple(self._tournament.entrants[entrant].name for entrant in course.placing())
        yield Finished(len(self._outcomes), self._folder.path, placing)

    def _planned(self) -> Planned:
        planned = self._tournament
        bots = tuple(bot.name for bot in planned.entrants)
        exact = planned.schedule.is_exact
        return Planned(planned.game.name, bots, planned.matches, exact, self._folder.path, planned)

    def _resumed(self) -> Iterator[Event]:
        if self._outcomes:
            yield Resumed(len(self._outcomes))

    def _play(self, blocks: Iterator[DueBlock], *, skips: bool) -> Iterator[Event]:
        """Play the remaining matches of blocks that are independent of each other; with `skips`, some are not due."""
        seen: list[DueBlock] = []
        for due in blocks:
            seen.append(due)
            yield from self._skip(due.skipped)
            yield from self._recall(due)
            if due.block.index >= self._last_kept and not skips:
                break  # the rest has no records; there may be millions of blocks, so they wait for their turn
        missing = (due for due in chain(seen, blocks) if any(key not in self._outcomes for key, _ in due.matches))
        first = next(missing, None)
        if first is None:
            return
        if not self._runner:
            yield from self._resumed()
            self._runner = self._start(self._expected - len(self._outcomes))
        yield from self._play_missing(self._runner, chain([first], missing))

    def _play_missing(self, runner: Runner, blocks: Iterable[DueBlock]) -> Iterator[Event]:
        for event in runner.run_blocks(map(self._tournament.playable, blocks), self._outcomes.keys()):
            match event:
                case Started():
                    yield MatchStarted(event.key, event.bots)
                case Voided():
                    yield from self._void(event)
                case MatchRecord():
                    self._folder.add(event)
                    yield self._count(event, is_new=True)

    def _recall(self, due: DueBlock) -> Iterator[Event]:
        """Count the matches of a block that an earlier run played."""
        if self._kept.isdisjoint(key for key, _ in due.matches):
            return
        for match in self._tournament.playable(due):
            if match.key not in self._kept:
                continue
            try:
                record = self._folder.read(match.spec)
            except RecordError as error:
                yield RecordUnreadable(match.key, str(error))
            else:
                self._folder.restore_bundles(record)
                yield self._count(record, is_new=False)

    def _count(self, record: MatchRecord, *, is_new: bool) -> MatchPlayed:
        outcomes = self._outcomes[record.key] = _outcomes(record)
        return MatchPlayed(
            key=record.key,
            bots=tuple(entrant.name for entrant in record.entrants),
            placements=tuple(outcome.placement for outcome in outcomes),
            scores=tuple(outcome.score for outcome in outcomes),
            path=self._folder.path_of(record.key),
            is_new=is_new,
            record=record,
        )

    def _void(self, block: Voided) -> Iterator[Event]:
        """Announce that a block does not count, then move its records away, even if nobody asks for more events."""
        played = [key for key in block.keys if self._outcomes.pop(key, None)]
        try:
            yield BlockVoided(block.keys, block.reason, self._folder.read_all(played))
        finally:
            if played:
                self._folder.void(played)

    def _skip(self, keys: tuple[str, ...]) -> Iterator[Event]:
        """Announce that matches are not played, then move away what an earlier run played of them."""
        if not keys:
            return
        self._expected -= len(keys)
        kept = self._kept.intersection(keys)
        try:
            yield MatchesSkipped(keys, self._folder.read_all(sorted(kept)))
        finally:
            if kept:
                self._folder.void(sorted(kept))


def _outcomes(record: MatchRecord) -> tuple[SeatOutcome, ...]:
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
