"""What the manifest of a folder says about the matches that are played in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.tournament.decisions.changes import Changes, Joining
from ballcourt.arena.tournament.decisions.course import Course, DueBlock
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.event.seeds import Deals, Seed
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.tournament.schedules.schedule import Design, Field, Outcomes, Schedule, block_index
from ballcourt.arena.tournament.schedules.sequential import Sequential, Stop
from ballcourt.arena.tournament.schedules.stop import Reached, Rule


@dataclass(frozen=True, slots=True)
class KeptTournament:
    """A tournament as its folder remembers it."""

    setups: tuple[SetUp, ...]
    entrants: tuple[tuple[str, str], ...]
    """"name version" and content hash of each."""
    policy: FaultPolicy
    field: Field
    """All who play, with those who joined."""
    design: Design
    changes: Changes
    seed: Seed | None
    """None if it was drawn and its file cannot be read; then nobody knows what the deals should be."""
    deals: Deals
    stages: Schedule | None = None
    """The stages that a ladder has chosen so far; None for an event of another format."""
    stop: tuple[Rule, ...] = ()

    @property
    def schedule(self) -> Schedule:
        """What is played, with the changes. Raises ScheduleError, or StagesError."""
        if self.stages:
            return self.stages
        return schedule_with(self.changes, self.design, self.field)

    def course(self) -> Course:
        """Return the course of the tournament, at its beginning."""
        return Course(self.schedule, self.policy, len(self.entrants), self.changes)

    def missing(self, outcomes: Outcomes, is_reached: Reached | None = None, *, is_late: bool = False) -> str:
        """Return the key of a match that is still to be played, given how others ended; empty if it is over.

        `is_reached` says whether results are as precise as `stop` asks for. If it `is_late`, it ended
        with the last block that was begun.
        """
        schedule = Sequential(self.schedule, Stop(1, None, is_reached)) if is_reached else self.schedule
        course = Course(schedule, self.policy, len(self.entrants), self.changes)
        last = max((index for key in outcomes if (index := block_index(key)) is not None), default=-1)
        while asked := [*course.upcoming()]:
            for due in asked:
                if is_late and due.block.index > last:
                    return ""
                for key, _ in due.matches:
                    if key not in outcomes:
                        return key
            course.settle(outcomes)
        return ""

    def joined_by(self, joining: Joining) -> "KeptTournament":
        """Return the tournament with one more entrant."""
        owners = self.field.owners or ("",) * self.field.entrants
        return replace(
            self,
            entrants=(*self.entrants, (joining.identity, joining.content_hash)),
            field=Field(self.field.entrants + 1, self.field.seats, (*owners, joining.owner)),
            changes=replace(self.changes, joined=(*self.changes.joined, joining)),
        )

    def deal(self, block: int, key: str) -> int | None:
        """Return the seed of a match; None if the tournament's is not known."""
        return None if self.seed is None else self.seed.deal(self.deals, block, key, self.changes.repeats(key))

    def due(self, outcomes: Outcomes) -> Iterator[DueBlock]:
        """Yield the blocks that are due, as far as the outcomes reach; the caller may add outcomes meanwhile."""
        course = self.course()
        while True:
            asked = []
            for due in course.upcoming():
                asked.append(due)
                yield due
            if not asked or any(key not in outcomes for due in asked for key, _ in due.matches):
                return
            course.settle(outcomes)
