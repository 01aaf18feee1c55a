"""Plays one stage of a ladder: the missing part of it, until it is complete or something else comes first."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, takewhile
from time import monotonic

from ballcourt.arena.tournament.decisions.course import DueBlock
from ballcourt.arena.tournament.event.stages import Stage, choose
from ballcourt.arena.tournament.folder.dropped import dropped_keys
from ballcourt.arena.tournament.folder.events import MatchesSkipped, RunEvent
from ballcourt.arena.tournament.folder.output import Folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.played import CountedMatches
from ballcourt.arena.tournament.schedules.schedule import Block, keyed_seatings
from ballcourt.arena.workers.runner import BlockRunner


class StageRun(CountedMatches):
    """A stage that is being played, and the outcomes of its matches so far."""

    def __init__(self, stage: Stage, folder: Folder) -> None:
        self.stage = stage
        self.since = monotonic()
        """When this run took it up."""
        self._blocks = [*stage.blocks()]
        super().__init__(folder, stage.first_block - 1)
        kept = (block.index for block in self._blocks if any(self._recorded(block)))
        self.begun = max(kept, default=self.begun)

    @property
    def first_missing(self) -> int:
        """The first block whose matches do not all have records."""
        missing = (block.index for block in self._blocks if not all(self._recorded(block)))
        return min(missing, default=self._blocks[-1].index + 1)

    @property
    def has_begun(self) -> bool:
        """Whether any of its blocks has been begun."""
        return self.begun >= self.stage.first_block

    def waits_for(self) -> set[int]:
        """Return the entrants of the blocks that have been begun and lack a record; at least of the first block."""
        begun = [block for block in self._blocks if block.index <= max(self.begun, self.stage.first_block)]
        lacking = (block for block in begun if not all(self._recorded(block)))
        return {entrant for block in lacking for entrant in block.tables[0]}

    def cut(self) -> None:
        """Give up the blocks that have not been begun."""
        self._blocks = [block for block in self._blocks if block.index <= self.begun]
        self.stage = self.stage.cut(len(self._blocks))

    def end(self) -> Iterator[RunEvent]:
        """Give up all from the first block on that is not complete, and put away what was played of it."""
        first = self.first_missing
        given_up = [block for block in self._blocks if block.index >= first]
        yield from self._skip([key for block in given_up for key, _ in keyed_seatings(block)])
        self.begun = first - 1
        self.cut()

    def is_complete(self, tournament: Plan) -> bool:
        """Whether all matches that are due have been played."""
        return not any(self.lacks(_due(block, tournament)) for block in self._blocks)

    def recall(self, tournament: Plan) -> Iterator[RunEvent]:
        """Count what an earlier run played; drop what is no longer due."""
        for block in self._blocks:
            due = _due(block, tournament)
            yield from self._skip(due.skipped)
            if due.block.index <= self.begun:
                for match in tournament.playable(due):
                    if match.key not in self.outcomes and self._folder.path_of(match.key).exists():
                        yield self.recalled(match.spec)

    def play(
        self,
        tournament: Plan,
        start: Callable[[], BlockRunner],
        may_begin: Callable[[int], bool],
        absent: Callable[[], AbstractSet[int]],
    ) -> Iterator[RunEvent]:
        """Play the blocks that are missing, one after another while they may begin.

        The tables of those who are `absent` when they would be begun are given up, unless no other table was played.
        """
        upcoming = takewhile(lambda due: may_begin(due.block.index), self._missing(tournament, absent))
        if first := next(upcoming, None):
            yield from self.play_blocks(tournament, start(), chain([first], upcoming))

    def _missing(self, tournament: Plan, absent: Callable[[], AbstractSet[int]]) -> Iterator[DueBlock]:
        """Yield the blocks that are missing; give up those of who is absent in time."""
        place = 0
        while place < len(self._blocks):
            block = self._blocks[place]
            if block.index > self.begun and not (gone := absent()).isdisjoint(block.tables[0]):
                self._give_up(gone)
                if place >= len(self._blocks):
                    return
                block = self._blocks[place]
            place += 1
            if self.lacks(due := _due(block, tournament)):
                yield due

    def _give_up(self, absent: AbstractSet[int]) -> None:
        """Give up the tables of absent entrants that have not been begun, but keep one table; on disk then."""
        without = self.stage.without(absent, self.begun + 1)
        if without.tables:
            choose(self._folder.path, without)
            self.stage, self._blocks = without, [*without.blocks()]

    def _recorded(self, block: Block) -> Iterator[bool]:
        """Yield for each match of a block whether it has a record."""
        return (self._folder.path_of(key).exists() for key, _ in keyed_seatings(block))

    def _skip(self, keys: Sequence[str]) -> Iterator[RunEvent]:
        """Announce that matches are no longer due; move the records of those that were played away."""
        for key in keys:
            self.outcomes.pop(key, None)
        yield from removed(self._folder, keys)


def _due(block: Block, tournament: Plan) -> DueBlock:
    return DueBlock(block, tournament.changes.due(block, keyed_seatings(block)))


def removed(folder: Folder, keys: Sequence[str]) -> Iterator[RunEvent]:
    """Announce that matches do not count, then move their records away."""
    dropped = dropped_keys(folder.path) if keys else ()
    if played := [key for key in keys if key in dropped or folder.path_of(key).exists()]:
        yield from folder.put_away(MatchesSkipped(tuple(played), folder.read_all(played)), played)
