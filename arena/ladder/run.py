"""Runs a ladder: chooses stages, plays them, lets bots join and retire between them, and yields an event for each.

What a ladder knows is in its folder: the trail says who plays, `stages.jsonl` which tables were chosen and how their
matches ended, and records hold the matches. A stage is on disk before it is played, and its results are before the next
one is chosen; so a run that is killed at any moment goes on where it was. What a stage costs does not depend on how
much has been played, except when decisions change the past.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain
from time import monotonic, sleep
from typing import Final

from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.ladder.absences import Absences
from ballcourt.arena.ladder.arrivals.dialled import Here, none_here
from ballcourt.arena.ladder.arrivals.interface import Admitted, Arrivals, Refused
from ballcourt.arena.ladder.copies import COPIES, mend_copies
from ballcourt.arena.ladder.divisions import moved
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.plan import Company
from ballcourt.arena.ladder.residents import RESIDENTS, seat_residents
from ballcourt.arena.ladder.roster import RESIDENT, Retirement, Roster, Version, changes_past
from ballcourt.arena.ladder.score import Score
from ballcourt.arena.ladder.seating import Situation, Table, choose_tables, first_tables
from ballcourt.arena.ladder.space import shortage
from ballcourt.arena.ladder.stage_run import StageRun, removed
from ballcourt.arena.match.policy import counted
from ballcourt.arena.tournament.decisions.changes import Changes, ChangesReader, withdrawing
from ballcourt.arena.tournament.decisions.trail import Action, Decision, Renewal, Trail
from ballcourt.arena.tournament.event.setups import open_setups
from ballcourt.arena.tournament.event.stages import Stage, choose, settle
from ballcourt.arena.tournament.folder.events import (
    BotRefused,
    DivisionChanged,
    EntrantJudged,
    EventPaused,
    Finished,
    LadderWaits,
    OrganiserDecided,
    Planned,
    Resumed,
    RunEvent,
)
from ballcourt.arena.tournament.folder.log import EventLog
from ballcourt.arena.tournament.folder.output import Folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.played import match_played
from ballcourt.arena.tournament.schedules.strengths import Strengths
from ballcourt.arena.workers.runner import BlockRunner

Start = Callable[[], AbstractContextManager[BlockRunner]]
GONE: Final = (RESIDENTS, COPIES)
"""The rules that retire bots which this machine does not have any more."""
LOOK_S: Final = 0.2
"""How often a ladder that plays nothing looks for news."""
REMEMBERED: Final = 1000
"""How many of the last matches are announced again when a ladder goes on: a database may lack them."""
RETURN_S: Final = 60.0
"""How long a run waits for the remote bots of tables that an earlier run began: as long as SDKs dial again."""
NEWCOMERS_S: Final = 20.0
"""How long a stage begins blocks while newcomers wait: with each stage, some workers wait for its end."""
LONGEST_LOG: Final = 20_000
"""After this number of events a new log begins."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a run ends; None: never."""

    matches: int | None = None
    """After the block in which the ladder, and not only this run, reaches this number of matches."""
    seconds: float | None = None
    """After the blocks that have begun in this time."""


def run_ladder(
    planned: Plan,
    settings: LadderFile,
    folder: Folder,
    arrivals: Arrivals,
    start: Start,
    bounds: Bounds,
    *,
    here: Here = none_here,
    build: bool = True,
) -> Generator[RunEvent]:
    """Play a ladder until a bound is reached, and log and yield its events.

    `here` returns the versions of the remote bots that are connected, by name. Without `build`, the runner's workers
    build the bots.
    Closing the generator ends all that was started. Raises RunnerError for a match that cannot be played, TrailError or
    StagesError for a damaged folder, SettingsError for a bot whose copy was changed, and OSError.
    """
    seat_residents(folder.path, settings.residents, planned.rules)
    mend_copies(folder.path, settings.bots)
    with EventLog(folder.path) as log, closing(arrivals), ExitStack() as stack:
        company = Company(folder.path, planned, build)
        run = _Run(planned, settings, folder, arrivals, lambda: stack.enter_context(start()), bounds, company, here)
        for event in run.events():
            log.add(event)
            yield event


class _Run:
    def __init__(
        self,
        planned: Plan,
        settings: LadderFile,
        folder: Folder,
        arrivals: Arrivals,
        start: Callable[[], BlockRunner],
        bounds: Bounds,
        company: Company,
        here: Here,
    ) -> None:
        self._tournament = planned
        self._settings = settings
        self._folder = folder
        self._arrivals = arrivals
        self._start = start
        self._bounds = bounds
        self._company = company
        self._here = here
        self._absences = Absences(folder.path, settings.missing)
        self._began = monotonic()
        self._runner: BlockRunner | None = None
        self._admitted: list[Admitted] = []
        self._trail = Trail(folder.path)
        pending = self._trail.follow()
        self._roster, self._changes = Roster(self._trail.decisions), ChangesReader(())
        for decision in self._trail.decisions:
            self._changes.read(decision)
        self._score = Score(planned.policy, *self._field(), recent=REMEMBERED)
        changes = self._changes.changes(pending)
        found = self._score.read(folder.path, changes)
        self._stage = StageRun(found, folder) if found else None  # that has not been settled
        self._gather(changes)
        self._events = 0  # since the log was begun
        self._waits_for = ""
        self._stage_began = self._began
        self._is_short = False  # whether the last stage was for newcomers alone

    def events(self) -> Iterator[RunEvent]:
        yield self._planned()
        yield from self._strike()
        if self._stage:
            yield from self._stage.recall(self._tournament)
            yield from self._end_replaced(self._stage)
        yield from self._resumed()
        yield from self._remembered()
        yield from self._wait_for_return()
        while True:
            yield from self._wait_for_space()
            yield from self._follow_trail()
            if self._stage:
                yield from self._play(self._stage)
            if self._is_over():
                break
            if not self._stage:
                yield from self._between_stages()
        yield Finished(self._matches, self._folder.path, ())

    @property
    def _matches(self) -> int:
        return self._score.matches + (len(self._stage.outcomes) if self._stage else 0)

    def _field(self) -> tuple[list[int], int]:
        """Return those who play, by index, and the number of all who have ever joined."""
        return [version.index for version in self._roster.playing], len(self._roster)

    def _planned(self) -> Planned:
        names = tuple(version.bot.name for version in self._roster.playing)
        most = self._bounds.matches or 0
        return Planned(self._tournament.games, names, most, False, self._folder.path, self._tournament)

    def _resumed(self) -> Iterator[RunEvent]:
        if self._matches:
            yield Resumed(self._matches)

    def _remembered(self) -> Iterator[RunEvent]:
        """Announce the last matches again, which a database may lack since an earlier run was killed."""
        for record in self._folder.read_all(self._score.recent):
            yield match_played(record, self._folder.path_of(record.key), is_new=False)

    # what is played

    def _play(self, stage: StageRun) -> Iterator[RunEvent]:
        """Play a stage on until it is complete, a bound is reached, or the organiser decides something."""
        yield from stage.recall(self._tournament)
        for event in stage.play(self._tournament, self._running, self._may_begin, self._absent):
            self._events += 1
            yield event
            yield from self._look()
        if self._is_long():
            stage.cut()
        if stage.is_complete(self._tournament):
            yield from self._settle(stage)

    def _settle(self, stage: StageRun) -> Iterator[RunEvent]:
        """Keep the results of a stage that is complete, and judge."""
        settle(self._folder.path, stage.stage, stage.outcomes)
        self._stage = None
        for entrant, sentence in self._score.add(stage.stage, stage.outcomes):
            judged = self._tournament.entrants[entrant]
            yield EntrantJudged(judged.bot.name, judged.bot.version, sentence)

    def _end_replaced(self, stage: StageRun) -> Iterator[RunEvent]:
        """End a stage whose rules were replaced while it was played."""
        if stage.stage.setup not in open_setups(self._tournament.setups):
            yield from stage.end()
            yield from self._settle(stage)

    def _running(self) -> BlockRunner:
        self._runner = self._runner or self._start()
        return self._runner

    def _may_begin(self, block: int) -> bool:
        """Whether a block may be begun now; one that has begun is finished in any case."""
        return (self._stage is not None and block <= self._stage.begun) or not (
            self._trail.has_news
            or self._is_out_of_time()
            or self._are_enough(block)
            or self._is_long()
            or self._shortage()
        )

    def _shortage(self) -> str:
        return shortage(self._folder.path, self._settings.reserve_mb)

    def _wait_for_space(self) -> Iterator[RunEvent]:
        """Wait while less of the disk is free than the reserve."""
        if sentence := self._shortage():
            yield LadderWaits(sentence)
        while self._shortage() and not self._is_out_of_time():
            sleep(LOOK_S)

    def _absent(self) -> set[int]:
        """Return the remote bots that play and are not connected, by index."""
        here = self._here()
        return {one.index for one in self._roster.remote if here.get(one.bot.name) != one.bot.version}

    def _wait_for_return(self) -> Iterator[RunEvent]:
        """Wait until the remote bots of tables that an earlier run began have dialled in again, but not for long."""
        due = self._stage.waits_for() if self._stage else set()
        if absent := self._absent() & due:
            names = ", ".join(str(self._roster[index].bot) for index in sorted(absent))
            yield LadderWaits(f"matches that had begun wait up to {RETURN_S:g} s for {names} to dial in again")
        while self._absent() & due and not self._is_out_of_time() and monotonic() - self._began < RETURN_S:
            sleep(LOOK_S)

    def _is_long(self) -> bool:
        """Whether a stage has begun enough: it has lasted long, or bots wait to join that have never played."""
        longest_s = min(NEWCOMERS_S, self._settings.stage) if self._admitted else self._settings.stage
        return self._stage is not None and self._stage.has_begun and monotonic() - self._stage_began >= longest_s

    def _is_over(self) -> bool:
        """Whether a bound keeps the next block from being begun."""
        return self._is_out_of_time() or self._are_enough(self._stage.begun + 1 if self._stage else self._score.blocks)

    def _are_enough(self, block: int) -> bool:
        """Whether the blocks before this one have the matches that were asked for."""
        if self._bounds.matches is None:
            return False
        begun = self._stage.stage.tables[: block - self._score.blocks] if self._stage else ()
        return self._score.begun.total() + sum(map(len, begun)) >= self._bounds.matches

    def _is_out_of_time(self) -> bool:
        return self._bounds.seconds is not None and monotonic() - self._began >= self._bounds.seconds

    # what is chosen

    def _between_stages(self) -> Iterator[RunEvent]:
        """Admit and retire bots, then choose the next stage; pause briefly if none can be played."""
        if self._events >= LONGEST_LOG:
            self._events, self._waits_for = 0, ""
            yield self._planned()
            yield from self._resumed()
        yield from self._look()
        for admitted in self._admitted:
            self._decide("add", admitted.reason, admitted.details)
        self._admitted.clear()
        yield from self._follow_trail()
        for retired in chain(self._roster.outdated(self._settings.versions), self._missing()):
            self._decide("withdraw", retired.reason, withdrawing(retired.version.bot, rule=retired.rule))
        yield from self._follow_trail()
        if sentence := self._why_not():
            if sentence != self._waits_for:
                yield LadderWaits(sentence)
            sleep(LOOK_S)
        else:
            yield from self._choose()
        self._waits_for = sentence

    def _missing(self) -> Iterator[Retirement]:
        absent = self._absent()
        dialled = {version.place for version in self._roster.remote if version.index not in absent}
        return self._absences.retired(self._roster, self._arrivals.places, dialled)

    def _why_not(self) -> str:
        """Return why no stage can be chosen; empty if one can."""
        able, seats = len(self._able()), self._tournament.fewest_seats
        if not self._score.blocks and self._waits_for_others():
            return "the first match waits until the bots in the watched folder have been checked"
        return f"a table has {seats} seats, and {counted(able, 'bot')} can play" if able < seats else ""

    def _waits_for_others(self) -> bool:
        """Whether the first match waits for bots that are being checked: not if residents can play it, nor for long."""
        residents = sum(version.place == RESIDENT for version in self._able())
        is_late = monotonic() - self._began >= self._settings.admission.first_match
        return not (self._arrivals.has_heard_all or is_late or residents >= self._tournament.fewest_seats)

    def _able(self) -> list[Version]:
        """Return those who play, are not away, and do not have to sit out."""
        status, absent = self._score.suspensions.status, self._absent()
        return [version for version in self._roster.playing if not (version.index in absent or status(version.index))]

    def _setup(self, able: int) -> int:
        """Return the set-up of the next stage: of those whose tables can be filled, the one played least so far."""
        setups = self._tournament.setups
        fitting = [index for index in open_setups(setups) if setups[index].seats <= able]
        return min(fitting, key=self._score.begun.__getitem__)

    def _choose(self) -> Iterator[RunEvent]:
        """Choose the next stage, and put it on disk."""
        score, settings, able = self._score, self._settings, [version.index for version in self._able()]
        wanted = settings.provisional
        newcomers = {entrant for entrant in score.meetings.field if score.played[entrant] < wanted}
        strengths = Strengths.of(score.meetings)
        established = [entrant for entrant in strengths.order if entrant not in newcomers]
        divisions = settings.divisions.divided(score.divisions, established, score.stages)
        setup = self._setup(len(able))
        situation = Situation(
            tuple(able), strengths,
            {entrant: wanted - score.played[entrant] for entrant in able if entrant in newcomers}, divisions,
            {version.index: self._owner(version) for version in self._roster.playing},
            self._tournament.setups[setup].seats,
            score.blocks, score.across, score.waiting,
        )  # fmt: skip
        tables, across = self._tables(situation)
        stage = Stage(score.stages, score.blocks, tables, across, divisions, setup=setup)
        choose(self._folder.path, stage)
        for entrant, (before, after) in moved(score.divisions, divisions).items():
            moving = self._tournament.entrants[entrant]
            yield DivisionChanged(moving.bot.name, moving.bot.version, before, after)
        score.divisions = divisions
        self._stage, self._stage_began = StageRun(stage, self._folder), monotonic()

    def _tables(self, situation: Situation) -> tuple[tuple[Table, ...], int]:
        """Return the tables of the next stage: after a usual one those of bots alone that have never played."""
        new = {
            entrant: max(1, self._settings.provisional)
            for entrant in situation.field
            if not self._score.played[entrant]
        }
        self._is_short = 0 < len(new) < len(situation.field) and not self._is_short
        if self._is_short:
            return first_tables(replace(situation, lacking=new), self._score.blocks), 0
        return choose_tables(situation, self._settings.across, key=self._score.blocks)

    def _owner(self, version: Version) -> str:
        """Return what is the same for bots that do not sit at one table while others are there to play."""
        has_owner = version.has_owner or self._settings.admission.owners == "user"
        return version.owner if has_owner and version.place != RESIDENT else version.source

    # who plays

    def _look(self) -> Iterator[RunEvent]:
        """See who has arrived."""
        for found in self._arrivals.step(self._roster, self._admitted):
            if isinstance(found, Refused):
                self._events += 1
                yield BotRefused(found.place, found.sentence, found.report)
            else:
                self._admitted.append(found)

    def _decide(self, action: Action, reason: str, details: Mapping[str, object]) -> None:
        self._trail.decide(action, reason, details, LADDER_ITSELF)

    def _follow_trail(self) -> Iterator[RunEvent]:
        """Apply the decisions in the trail from the next block on, and wait while one of them is to pause."""
        decided: list[Decision] = []
        while self._trail.has_news or self._trail.pending:
            if news := self._trail.follow():
                self._apply(news)
                decided += news
                continue  # with our own notes, and what may have been decided in the meantime
            yield from self._change(decided)
            decided = []
            if pause := self._tournament.changes.pause:
                yield EventPaused(pause)
                while not self._trail.has_news:
                    sleep(LOOK_S)

    def _apply(self, news: Sequence[Decision]) -> None:
        """Note from which block on decisions apply: the next; for bots that are gone, the first without all records."""
        stage = self._stage
        gone = [decision for decision in news if stage and getattr(decision, "rule", "") in GONE]
        others = [decision for decision in news if decision not in gone]
        if stage and gone:
            self._trail.apply(gone, stage.first_missing)
        if others:
            self._trail.apply(others, stage.begun + 1 if stage else self._score.blocks)

    def _change(self, decided: Sequence[Decision]) -> Iterator[RunEvent]:
        """Go on with another set of bots, and with other results if the decisions change the past."""
        is_past_other = any(changes_past(decision, self._roster) for decision in decided)
        for decision in decided:
            self._roster.take(decision)
            self._changes.read(self._trail.decisions[decision.number - 1])  # with its block
        changes = self._changes.changes()
        self._gather(changes)
        if decided:
            yield OrganiserDecided(tuple(decided), self._matches, self._tournament)
        if is_past_other:
            self._score = Score(self._tournament.policy, *self._field())
            self._score.read(self._folder.path, changes)
            yield from self._strike()
        else:
            self._score.join(*self._field())
            if any(isinstance(decision, Renewal) for decision in decided):
                self._score.renew()

    def _gather(self, changes: Changes) -> None:
        """Make all bots ready that play, and those of the stage that is being played."""
        seated = {entrant for table in self._stage.stage.tables for entrant in table} if self._stage else set()
        seated = {index for index in seated if not _is_away(self._roster[index])}
        self._tournament = self._company.tournament(self._roster, changes, seated)

    def _strike(self) -> Iterator[RunEvent]:
        """Take back the matches of earlier stages that do not count any more."""
        struck, self._score.struck = self._score.struck, []
        for first in range(0, len(struck), REMEMBERED):
            yield from removed(self._folder, struck[first : first + REMEMBERED])


def _is_away(version: Version) -> bool:
    """Whether the files of a version that was withdrawn may not be here any more."""
    return version.place == RESIDENT or (version.withdrawal is not None and version.withdrawal.rule in GONE)
