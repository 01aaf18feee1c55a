"""The course of a tournament: what comes next, by its schedule, its fault policy and its results."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.tournament.decisions.changes import NO_CHANGES, Changes
from ballcourt.arena.tournament.decisions.suspensions import Suspensions, Verdict
from ballcourt.arena.tournament.schedules.placing import Placing
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Outcomes,
    PlayedBlock,
    PlayedMatch,
    Schedule,
    Seating,
    keyed_seatings,
)


class DueBlock(NamedTuple):
    """A block and those of its matches that are to be played: not void, and without entrants that sit out."""

    block: Block
    matches: tuple[Seating, ...]
    absent: frozenset[int] = frozenset()
    """Its entrants that sit out."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """The keys of the other matches."""
        due = {key for key, _ in self.matches}
        return tuple(key for key, _ in keyed_seatings(self.block) if key not in due)


class Course:
    """Asks the schedule for blocks and judges the entrants, always with the results of everything before.

    Leaves out what the organiser's changes leave out.

    Call `upcoming` and `settle` in turn.
    """

    def __init__(self, schedule: Schedule, policy: FaultPolicy, entrants: int, changes: Changes = NO_CHANGES) -> None:
        self._changes = changes
        self._suspensions = Suspensions(policy, entrants) if policy.judges else None
        self._schedule = schedule
        self._results: list[PlayedBlock] = []
        self._stage: list[PlayedBlock] = []
        self._portions: Iterator[Iterator[Block]] = iter(())
        self._open: list[DueBlock] = []

    @property
    def leaves_out(self) -> bool:
        """Whether matches may be left out."""
        return self._changes.leave_out or bool(self._suspensions and self._suspensions.any)

    def upcoming(self) -> Iterator[DueBlock]:
        """Yield the blocks that are played before results decide anything; none when the tournament is over.

        That is a stage of the schedule, or a single round of it if entrants are judged.
        """
        portion = next(self._portions, None)
        if portion is None:
            self._results += self._stage
            self._stage = []
            self._portions = self._divided(self._schedule.stage(self._results))
            portion = next(self._portions, iter(()))
        for block in portion:
            seatings = self._suspensions.due(block) if self._suspensions else keyed_seatings(block)
            matches = self._changes.due(block, seatings) if self._changes.leave_out else seatings
            due = DueBlock(block, matches, self._absent(block))
            self._open.append(due)
            yield due

    def settle(self, outcomes: Outcomes) -> list[Verdict]:
        """Take the outcomes of all matches that were due, and judge. Raises KeyError if one is missing."""
        played = [PlayedBlock(due.block, _played(due, outcomes), due.absent) for due in self._open]
        self._open = []
        verdicts = self._suspensions.judge(played) if self._suspensions else []
        gone = self._gone(len(self._results) + len(self._stage) + len(played))
        self._stage += (replace(one, gone=gone) for one in played) if gone else played
        return verdicts

    def status(self, entrant: int) -> str:
        """Return "retired", "withdrawn", "disqualified", "on probation", or an empty string."""
        if entrant in self._changes.withdrawn:
            return "retired" if entrant in self._changes.retired else "withdrawn"
        return self._suspensions.status(entrant) if self._suspensions else ""

    def placing(self) -> Placing | None:
        """Return the entrants from first to last by the rules of the format; None if it leaves that to ratings."""
        return self._schedule.placing(self._results + self._stage)

    def blocks(self, outcomes: Outcomes) -> Iterator[DueBlock]:
        """Yield all blocks that are due, as far as the outcomes reach; the caller may add outcomes meanwhile.

        They come one by one: a file may ask for more blocks than can be listed.
        """
        while True:
            yield from self.upcoming()
            if not self._open or any(key not in outcomes for due in self._open for key, _ in due.matches):
                return
            self.settle(outcomes)

    def follow(self, outcomes: Outcomes) -> None:
        """Settle with these outcomes up to the first match that has not been played."""
        for due in self.blocks(outcomes):
            if any(key not in outcomes for key, _ in due.matches):
                return

    def _absent(self, block: Block) -> frozenset[int]:
        if not self.leaves_out:
            return frozenset()
        entrants = {entrant for table in block.tables for entrant in table}
        suspended = {one for one in entrants if self._suspensions and self._suspensions.sits_out((one,))}
        return self._changes.absent(block.index, entrants) | suspended

    def _gone(self, block: int) -> frozenset[int]:
        """Return who plays neither this block nor any later one."""
        if not self.leaves_out:
            return frozenset()
        disqualified = self._suspensions.disqualified if self._suspensions else ()
        return frozenset(disqualified) | self._changes.absent(block, self._changes.withdrawn)

    def _divided(self, stage: Iterable[Block]) -> Iterator[Iterator[Block]]:
        """Divide a stage into what is played before the next judgement."""
        if not self._suspensions:
            return iter((iter(stage),))
        return (portion for _, portion in groupby(stage, lambda block: block.round))


def _played(due: DueBlock, outcomes: Outcomes) -> tuple[PlayedMatch, ...]:
    return tuple(PlayedMatch(key, table, tuple(outcomes[key])) for key, table in due.matches)
