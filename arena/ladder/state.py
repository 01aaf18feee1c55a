"""What a ladder knows: who plays, the results so far, and the stage that is being played. All of it is in its folder.

The trail says who plays, `stages.jsonl` which tables were chosen and how their matches ended, and records hold the
matches. A stage is on disk before it is played, and its results are before the next one is chosen; so a run that is
killed at any moment goes on where it was. What a stage costs does not depend on how much has been played, except when
decisions change the past.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.ladder.arrivals.dialled import Here
from ballcourt.arena.ladder.copies import COPIES
from ballcourt.arena.ladder.divisions import moved
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.plan import Company
from ballcourt.arena.ladder.residents import RESIDENTS
from ballcourt.arena.ladder.roster import FAULTS, RESIDENT, Retirement, Roster, Version, changes_past
from ballcourt.arena.ladder.score import Score
from ballcourt.arena.ladder.seating import Situation, choose_tables, first_tables
from ballcourt.arena.ladder.stage_run import StageRun, removed
from ballcourt.arena.tournament.decisions.changes import Changes, ChangesReader
from ballcourt.arena.tournament.decisions.trail import Action, Decision, Renewal, Trail
from ballcourt.arena.tournament.event.setups import open_setups
from ballcourt.arena.tournament.event.stages import Stage, choose, settle
from ballcourt.arena.tournament.folder.events import DivisionChanged, EntrantJudged, OrganiserDecided, RunEvent
from ballcourt.arena.tournament.folder.output import Folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.strengths import Strengths

GONE: Final = (RESIDENTS, COPIES)
"""The rules that retire bots which this machine does not have any more."""
REMEMBERED: Final = 1000
"""How many of the last matches are announced again when a ladder goes on: a database may lack them."""


@dataclass
class LadderState:
    """A ladder between two looks at the world; `read` makes one."""

    settings: LadderFile
    folder: Folder
    here: Here
    company: Company
    trail: Trail
    roster: Roster
    changes: ChangesReader
    score: Score
    stage: StageRun | None
    """The stage that has not been settled."""
    plan: Plan
    _is_short: bool = False
    """Whether the last stage was for newcomers alone."""

    @classmethod
    def read(cls, planned: Plan, settings: LadderFile, folder: Folder, here: Here, *, build: bool) -> "LadderState":
        """Read the folder of a ladder, and make its bots ready.

        Raises TrailError or StagesError for a damaged folder, SettingsError for a bot whose copy was changed.
        """
        trail, reader = Trail(folder.path), ChangesReader(())
        pending = trail.follow()
        roster = Roster(trail.decisions)
        for decision in trail.decisions:
            reader.read(decision)
        changes, keeps = reader.changes(pending), bool(settings.stop)
        score = Score(planned.policy, roster.field, len(roster), REMEMBERED, keeps_results=keeps)
        found = score.read(folder.path, changes)
        stage, company = StageRun(found, folder) if found else None, Company(folder.path, planned, build)
        state = cls(settings, folder, here, company, trail, roster, reader, score, stage, planned)
        state._gather(changes)
        return state

    @property
    def matches(self) -> int:
        """How many matches count."""
        return self.score.matches + (len(self.stage.outcomes) if self.stage else 0)

    @property
    def next_block(self) -> int:
        """The first block that has not been begun."""
        return self.stage.begun + 1 if self.stage else self.score.blocks

    def begun_before(self, block: int) -> int:
        """Return how many matches the blocks before this one have."""
        tables = self.stage.stage.tables[: block - self.score.blocks] if self.stage else ()
        return self.score.begun.total() + sum(map(len, tables))

    @property
    def absent(self) -> set[int]:
        """The remote bots that play and are not connected, by index."""
        here = self.here()
        return {one.index for one in self.roster.remote if here.get(one.bot.name) != one.bot.version}

    @property
    def able(self) -> list[Version]:
        """Those who play, are not away, and do not have to sit out."""
        status, absent = self.score.suspensions.status, self.absent
        return [version for version in self.roster.playing if not (version.index in absent or status(version.index))]

    @property
    def present(self) -> list[int]:
        """Those who play and are not away, by index."""
        absent = self.absent
        return [index for index in self.roster.field if index not in absent]

    @property
    def newcomers(self) -> set[int]:
        """Those who play and have not played their provisional matches, by index."""
        return {one for one in self.score.meetings.field if self.score.played[one] < self.settings.provisional}

    @property
    def fitting(self) -> list[int]:
        """The set-ups whose tables can be filled, by index."""
        setups, able = self.plan.setups, len(self.able)
        return [index for index in open_setups(setups) if setups[index].seats <= able]

    @property
    def disqualified(self) -> Iterator[Retirement]:
        """Yield the versions to retire for their faults; other versions of their bots may join."""
        for index, sentence in self.score.suspensions.disqualified.items():
            if (version := self.roster[index]).withdrawal is None:
                yield Retirement(version, FAULTS, f"it {sentence}")

    def next_stage(self) -> list[DivisionChanged]:
        """Choose the next stage, and put it on disk; return who goes up or down. Raises StagesError."""
        score, settings, able = self.score, self.settings, [version.index for version in self.able]
        wanted = settings.provisional
        newcomers = self.newcomers
        strengths = Strengths.of(score.meetings)
        established = [entrant for entrant in strengths.order if entrant not in newcomers]
        divisions = settings.divisions.divided(score.divisions, established, score.stages)
        setups = self.plan.setups
        setup = min(self.fitting, key=score.begun.__getitem__)  # the one that was played least so far
        situation = Situation(
            tuple(able), strengths,
            {entrant: wanted - score.played[entrant] for entrant in able if entrant in newcomers}, divisions,
            {version.index: self._kept_apart(version) for version in self.roster.playing},
            setups[setup].seats, score.blocks, score.across, score.waiting,
        )  # fmt: skip
        # after a usual stage comes one of those alone that have never played
        new = {entrant: max(1, wanted) for entrant in able if not score.played[entrant]}
        self._is_short = 0 < len(new) < len(able) and not self._is_short
        if self._is_short:
            tables, across = first_tables(replace(situation, lacking=new), score.blocks), 0
        else:
            tables, across = choose_tables(situation, settings.across, key=score.blocks)
        stage = Stage(score.stages, score.blocks, tables, across, divisions, setup=setup)
        choose(self.folder.path, stage)
        changed = [
            DivisionChanged(*self._named(entrant), before, after)
            for entrant, (before, after) in moved(score.divisions, divisions).items()
        ]
        score.divisions, self.stage = divisions, StageRun(stage, self.folder)
        return changed

    def settle(self, stage: StageRun) -> list[EntrantJudged]:
        """Keep the results of the stage, which is complete, and judge. Raises StagesError."""
        settle(self.folder.path, stage.stage, stage.outcomes)
        self.stage = None
        verdicts = self.score.add(stage.stage, stage.outcomes)
        return [EntrantJudged(*self._named(entrant), sentence) for entrant, sentence in verdicts]

    def decide(self, action: Action, reason: str, details: Mapping[str, object]) -> None:
        """Add a decision of the ladder itself to its trail. Raises TrailError."""
        self.trail.decide(action, reason, details, LADDER_ITSELF)

    def applies_from(self, decision: Decision) -> int:
        """Return the block from which a decision applies: the next; for bots that are gone, the first not complete."""
        is_gone = self.stage and getattr(decision, "rule", "") in GONE
        return self.stage.first_missing if self.stage and is_gone else self.next_block

    def change(self, decided: Sequence[Decision]) -> Iterator[RunEvent]:
        """Go on with another set of bots, and with other results if the decisions change the past."""
        is_past_other = any(changes_past(decision, self.roster) for decision in decided)
        for decision in decided:
            self.roster.take(decision)
            self.changes.read(self.trail.decisions[decision.number - 1])  # with its block
        changes = self.changes.changes()
        self._gather(changes)
        if decided:
            yield OrganiserDecided(tuple(decided), self.matches, self.plan)
        if is_past_other:
            keeps = bool(self.settings.stop)
            self.score = Score(self.plan.policy, self.roster.field, len(self.roster), keeps_results=keeps)
            self.score.read(self.folder.path, changes)
            yield from self.strike()
        else:
            self.score.join(self.roster.field, len(self.roster))
            if any(isinstance(decision, Renewal) for decision in decided):
                self.score.renew()

    def strike(self) -> Iterator[RunEvent]:
        """Take back the matches of earlier stages that do not count any more."""
        struck, self.score.struck = self.score.struck, []
        for first in range(0, len(struck), REMEMBERED):
            yield from removed(self.folder, struck[first : first + REMEMBERED])

    def _gather(self, changes: Changes) -> None:
        """Make all bots ready that play, and those of the stage that is being played."""
        seated: AbstractSet[int] = set().union(*self.stage.stage.tables) if self.stage else set()
        seated = {index for index in seated if not _is_away(self.roster[index])}
        self.plan = self.company.tournament(self.roster, changes, seated)

    def _kept_apart(self, version: Version) -> str:
        """Return what is the same for bots that do not sit at one table while others are there to play."""
        has_owner = version.has_owner or self.settings.admission.owners == "user"
        return version.owner if has_owner and version.place != RESIDENT else version.source

    def _named(self, entrant: int) -> tuple[str, str]:
        bot = self.plan.entrants[entrant].bot
        return bot.name, bot.version


def _is_away(version: Version) -> bool:
    """Whether the files of a version that was withdrawn may not be here any more."""
    return version.place == RESIDENT or (version.withdrawal is not None and version.withdrawal.rule in GONE)
