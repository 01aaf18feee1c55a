"""The totals from which a ladder chooses its next stage: updated stage by stage, or read from its file.

Their size depends on the field, not on the number of matches.
"""

from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.tournament.decisions.changes import Changes
from ballcourt.arena.tournament.decisions.suspensions import Suspensions, Verdict
from ballcourt.arena.tournament.event.stages import Divisions, Results, Stage, played_blocks, read_stages
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch, keyed_seatings
from ballcourt.arena.tournament.schedules.strengths import Meetings

AT_ONCE: Final = 20_000
"""Matches that are held in memory while the file is read."""


class Score:
    """The results so far: meetings of those who play, matches of each entrant, suspensions."""

    def __init__(
        self, policy: FaultPolicy, field: Sequence[int], entrants: int, recent: int = 0, *, keeps_results: bool = False
    ) -> None:
        """`field` lists those who play, of the entrants so far."""
        self._policy = policy
        self.meetings = Meetings(field)
        self.played: Counter[int] = Counter()
        """How many matches of each entrant count, by index."""
        self.suspensions = Suspensions(policy, entrants)
        self.blocks = self.across = self.matches = self.stages = 0
        """Those of the stages that are over; `across` are the blocks that were drawn across the field."""
        self.begun: Counter[int] = Counter()
        """How many matches they had of each set-up, with those that do not count any more."""
        self.latest = 0
        """How many matches of the last of these stages count."""
        self.results: list[PlayedBlock] = []
        """If they are to be kept, the blocks by the present rules at which two of those who play met, or more."""
        self._keeps_results = keeps_results
        self.divisions: Divisions = ()
        self.waiting: frozenset[int] = frozenset()
        """Those whose tables were given up when a stage was cut, and who have not played since."""
        self.recent: deque[str] = deque(maxlen=recent)
        """The keys of the last matches that count."""
        self.struck: list[str] = []
        """The keys of the matches that were read and do not count any more."""

    def join(self, field: Sequence[int], entrants: int) -> None:
        """Keep only these of the entrants so far; meetings with others are forgotten."""
        self.meetings = self.meetings.among(field)
        self.suspensions.join(entrants)
        self.results = self._between(self.results)

    def renew(self) -> None:
        """Make strengths less certain where they are, since other rules apply from now on."""
        self.meetings = self.meetings.renewed()
        self.results.clear()

    def add(self, stage: Stage, results: Results) -> list[Verdict]:
        """Count the results of a stage that is over; return the verdicts about entrants that sit out from now on."""
        verdicts, played = self._count(stage, results)
        self.meetings.add(played)
        return verdicts

    def read(self, folder: Path, changes: Changes) -> Stage | None:
        """Count the results in the file of a ladder; return the stage that is not over. Raises StagesError."""
        unfinished: Stage | None = None
        waiting: list[PlayedMatch] = []
        renewals = deque(sorted({decision.block for decision in changes.renewed if decision.block is not None}))
        for stage, results in read_stages(folder):
            self.divisions = stage.divisions
            while renewals and renewals[0] <= stage.first_block:
                self.meetings.add(waiting)
                waiting = []
                self.renew()
                renewals.popleft()
            if results is None:
                unfinished = stage
                break
            count = counting(stage, results, changes)
            self.struck += (key for key in results if key not in count)
            waiting += self._count(stage, count)[1]
            if len(waiting) >= AT_ONCE:
                self.meetings.add(waiting)
                waiting = []
        self.meetings.add(waiting)
        for _ in renewals:
            self.renew()
        return unfinished

    def _count(self, stage: Stage, results: Results) -> tuple[list[Verdict], list[PlayedMatch]]:
        """Count everything about a stage except its meetings."""
        blocks = played_blocks(stage, results)
        played = [match for block in blocks for match in block.matches]
        for match in played:
            self.played.update(match.table)
        self.recent += (match.key for match in played)
        self.blocks = stage.end
        self.begun[stage.setup] += sum(map(len, stage.tables))
        self.across += stage.across
        self.matches += len(played)
        self.latest = len(played)
        if self._keeps_results:
            self.results += self._between(blocks)
        self.stages = stage.number + 1
        self.waiting = self.waiting.union(*stage.given_up).difference(*stage.tables)
        return self.suspensions.judge(blocks) if self._policy.judges else [], played

    def _between(self, blocks: Sequence[PlayedBlock]) -> list[PlayedBlock]:
        """Return the blocks at which at least two met of those who play."""
        field = {*self.meetings.field}
        return [one for one in blocks if one.matches and len(field.intersection(one.matches[0].table)) > 1]


def counting(stage: Stage, results: Results, changes: Changes) -> Results:
    """Return the results of a stage that still count after the organiser's decisions."""
    if not changes.leave_out:
        return results
    due = {key for block in stage.blocks() for key, _ in changes.due(block, keyed_seatings(block))}
    return {key: seats for key, seats in results.items() if key in due}
