"""Runs a tournament: plays the remaining matches in its folder and yields an event for everything that happens.

Subscribers, such as tables and databases, act on an event before the next one is made. A record is written before its
`MatchPlayed` and moved away after its `BlockVoided`; so a database that follows the events holds nothing without a
record, whenever the run is killed.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from itertools import chain, takewhile
from time import sleep, time
from typing import Final

from ballcourt.arena.tournament.decisions.course import Course, DueBlock
from ballcourt.arena.tournament.decisions.trail import Halt, Trail
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    EntrantJudged,
    EventPaused,
    Finished,
    MatchesSkipped,
    MatchPlayed,
    OrganiserDecided,
    Planned,
    Resumed,
    RunEvent,
)
from ballcourt.arena.tournament.folder.log import EventLog
from ballcourt.arena.tournament.folder.output import Folder, OtherMatch, record_files
from ballcourt.arena.tournament.folder.placing import placing_page, write_placing
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.played import CountedMatches
from ballcourt.arena.tournament.playing.outliers import Outliers
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.arena.tournament.schedules.stop import ended_early, time_limit
from ballcourt.arena.workers.queue import Voided
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.v1.record_pb2 import MatchRecord

Start = Callable[[int], AbstractContextManager[BlockRunner]]
"""Starts a runner for at most this number of matches."""
_Deal = tuple[int, tuple[str, ...]]
"""The seed of a match and the names of its bots."""
Replan = Callable[[], Plan]
"""Plans the same tournament again, with the organiser's decisions so far."""
REPEATED: Final = "the organiser decided so"
LOOK_S: Final = 0.5
"""How long a paused run waits between two looks for another decision."""


def run_tournament(tournament: Plan, folder: Folder, start: Start, replan: Replan | None = None) -> Generator[RunEvent]:
    """Play the remaining matches of a tournament, and log and yield its events.

    `replan` plans it again, with what the organiser has decided meanwhile; without it, decisions are not followed.
    Closing the generator ends all that was started. Raises RunnerError for a match that cannot be played, FolderError
    for a record that does not belong to the tournament, and OSError.
    """
    with EventLog(folder.path) as log, ExitStack() as stack:
        run = _Run(tournament, folder, lambda matches: stack.enter_context(start(matches)), replan)
        outliers: Outliers | None = None
        for event in run.events():
            if isinstance(event, MatchPlayed) and event.record.worker:  # of a cluster
                outliers = outliers or Outliers()
            for reported in (event, *(outliers.follow(event) if outliers else ())):
                log.add(reported)
                yield reported


class _Run(CountedMatches):
    def __init__(
        self, tournament: Plan, folder: Folder, start: Callable[[int], BlockRunner], replan: Replan | None
    ) -> None:
        self._kept = {file.stem for file in record_files(folder.path)}
        super().__init__(
            folder, max((index for key in self._kept if (index := block_index(key)) is not None), default=-1)
        )
        self._tournament = tournament
        self._start = start
        self._replan = replan
        self._trail = Trail(folder.path)
        self._runner: BlockRunner | None = None
        self._deals: dict[str, _Deal] = {}  # of the matches that count
        self._verdicts = 0  # that have been announced
        self._expected = tournament.matches
        self._seconds = time_limit(tournament.stop) if tournament.stop else None
        self._began: float | None = None  # when the first match did, in seconds since 1970
        self._is_late = False

    def events(self) -> Iterator[RunEvent]:
        planned = self._tournament
        bots = tuple(bot.bot.name for bot in planned.entrants)
        yield Planned(planned.games, bots, planned.matches, planned.is_exact, self._folder.path, planned)
        while True:
            yield from self._decisions()
            course = self._tournament.course()
            yield from self._follow(course)
            if (decision := self._paused_by()) and not self._has_news():
                yield EventPaused(decision)
                while not self._has_news():
                    sleep(LOOK_S)
            if not self._has_news():
                break
        if not self._runner:
            yield from self._resumed()
        self.check_kept()
        page = self._write_placing(course, is_over=True)
        early = self._tournament.stop and len(self.outcomes) < self._expected
        reason = ended_early(self._tournament.stop, by_time=self._is_late) if early else ""
        names = page.names if page else ()
        yield Finished(len(self.outcomes), self._folder.path, names, reason, self._tournament)

    def _write_placing(self, course: Course, *, is_over: bool) -> PlacingPage | None:
        """Keep who is where by the rules of the format, if it has any, and return it."""
        page = placing_page(self._tournament, course, is_over=is_over)
        if page:
            write_placing(self._folder.path, page)
        return page

    def _follow(self, course: Course) -> Iterator[RunEvent]:
        """Play a course from its beginning to its end, or until the organiser decides something."""
        judged = 0
        while first := next(upcoming := course.upcoming(), None):
            if not (yield from self._play(chain([first], upcoming), skips=course.leaves_out)):
                return
            for entrant, sentence in course.settle(self.outcomes):
                judged += 1
                if judged > self._verdicts:
                    self._verdicts = judged
                    suspended = self._tournament.entrants[entrant]
                    yield EntrantJudged(suspended.bot.name, suspended.bot.version, sentence)
            if self._runner:
                self._write_placing(course, is_over=False)

    def _has_news(self) -> bool:
        return self._replan is not None and self._trail.has_news

    def _decisions(self) -> Iterator[RunEvent]:
        """Apply the organiser's decisions."""
        while self._replan and self._has_news():
            decided = self._trail.notice(lambda _: self.begun + 1)
            self._tournament = self._replan()
            self._expected = self._tournament.matches
            if decided:
                yield OrganiserDecided(tuple(decided), self._expected, self._tournament)

    def _paused_by(self) -> Halt | None:
        """Return the decision that pauses the event; None if it is not paused."""
        return self._tournament.changes.pause if self._replan else None

    def _resumed(self) -> Iterator[RunEvent]:
        if self.outcomes:
            yield Resumed(len(self.outcomes))

    def _play(self, blocks: Iterator[DueBlock], *, skips: bool) -> Generator[RunEvent, None, bool]:
        """Play the remaining matches of blocks that are independent of each other; return whether all were played.

        With `skips`, some are not due. While the event is paused, matches of earlier runs are counted and none begins.
        """
        recalled = yield from self._recall_all(blocks, skips=skips)
        in_time = takewhile(self._may_begin, chain(recalled, blocks))
        missing = filter(self.lacks, in_time)
        first = next(missing, None)
        if first is not None:
            if self._paused_by() or self._has_news():
                return False
            if not self._runner:
                yield from self._resumed()
                self._runner = self._start(self._expected - len(self.outcomes))
            # when the organiser decides something, what was begun is played to its end
            undisturbed = takewhile(lambda _: not self._has_news(), chain([first], missing))
            yield from self.play_blocks(self._tournament, self._runner, undisturbed)
        return not (self._is_late or self._has_news())

    def _recall_all(self, blocks: Iterator[DueBlock], *, skips: bool) -> Generator[RunEvent, None, list[DueBlock]]:
        """Count the matches of earlier runs; return the blocks that have been taken for that."""
        taken: list[DueBlock] = []
        for due in blocks:
            taken.append(due)
            if skips:
                yield from self._skip(due.skipped)
            yield from self._recall(due)
            if due.block.index >= self.begun and not skips:
                break  # the rest has no records; there may be millions of blocks, so they wait for their turn
        return taken

    def _may_begin(self, due: DueBlock) -> bool:
        """Whether it is not too late for a block; one that has begun is finished at any time."""
        if self._seconds is None or due.block.index <= self.begun:
            return True
        now = time()
        self._began = now if self._began is None else self._began
        self._is_late = self._is_late or now - self._began >= self._seconds
        return not self._is_late

    def _recall(self, due: DueBlock) -> Iterator[RunEvent]:
        """Count the matches of a block that have been played, by an earlier run or before a decision."""
        if all(key not in self._kept and key not in self.outcomes for key, _ in due.matches):
            return
        for match in self._tournament.playable(due):
            if match.key in self.outcomes:
                if self._deals[match.key] != (match.spec.seed, tuple(bot.bot.name for bot in match.spec.entrants)):
                    yield from self.void(Voided((match.key,), REPEATED))
            elif match.key in self._kept:
                try:
                    yield self.recalled(match.spec)
                except OtherMatch:  # the organiser has decided that it is played again
                    if not self._tournament.changes.rewrites:
                        raise
                    keys = (match.key,)
                    yield from self.remove(BlockVoided(keys, REPEATED, self._folder.read_all(keys)), keys)

    def count(self, record: MatchRecord, *, is_new: bool) -> MatchPlayed:
        self._deals[record.key] = record.seed, tuple(entrant.name for entrant in record.entrants)
        began = datetime.fromisoformat(record.started).timestamp()
        self._began = began if self._began is None else min(began, self._began)
        return super().count(record, is_new=is_new)

    def remove(self, event: BlockVoided | MatchesSkipped, played: Sequence[str]) -> Iterator[RunEvent]:
        self._kept.difference_update(played)
        yield from super().remove(event, played)

    def _skip(self, keys: tuple[str, ...]) -> Iterator[RunEvent]:
        """Announce that matches are not played, then move away what an earlier run played of them."""
        if not keys:
            return
        self._expected -= len(keys)
        played = [key for key in keys if self.outcomes.pop(key, None) or key in self._kept]
        yield from self.remove(MatchesSkipped(keys, self._folder.read_all(played)), played)
