"""Runs a ladder: plays its stages, lets bots join and retire between them, and yields an event for everything.

What a ladder knows, and how it survives being killed, is in `state.py`.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from itertools import chain
from math import inf
from time import monotonic, sleep, time
from typing import Final

from ballcourt.arena.ladder.absences import Absences
from ballcourt.arena.ladder.arrivals.dialled import Here
from ballcourt.arena.ladder.arrivals.interface import Arrivals, Refused
from ballcourt.arena.ladder.copies import mend_copies
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.residents import seat_residents
from ballcourt.arena.ladder.rest import Rest
from ballcourt.arena.ladder.roster import RESIDENT, Version
from ballcourt.arena.ladder.space import shortage
from ballcourt.arena.ladder.stage_run import StageRun
from ballcourt.arena.ladder.state import LadderState
from ballcourt.arena.match.policy import counted
from ballcourt.arena.tournament.decisions.changes import withdrawing
from ballcourt.arena.tournament.event.setups import open_setups
from ballcourt.arena.tournament.folder.events import (
    BotRefused,
    EventPaused,
    Finished,
    LadderRests,
    LadderWaits,
    MatchPlayed,
    Planned,
    Resumed,
    RunEvent,
)
from ballcourt.arena.tournament.folder.log import EventLog
from ballcourt.arena.tournament.folder.output import Folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.played import match_played
from ballcourt.arena.tournament.schedules.stop import Measure
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.v1.record_pb2 import MatchRecord

Start = Callable[[], AbstractContextManager[BlockRunner]]
LOOK_S: Final = 0.2
"""How often a ladder that plays nothing looks for news."""
RETURN_S: Final = 60.0
"""How long a run waits for the remote bots of tables that an earlier run began: as long as SDKs dial again."""
NEWCOMERS_S: Final = 20.0
"""How long a stage begins blocks while newcomers wait: with each stage, some workers wait for its end."""
PACED_S: Final = 60.0
"""A ladder with a pace plays about what is due in this time, then waits, so that newcomers never wait for long."""
LONGEST_LOG: Final = 20_000
"""After this number of events a new log begins."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a run ends; None: never."""

    matches: int | None = None
    """After the block in which the ladder, and not only this run, reaches this number of matches."""
    seconds: float | None = None
    """After the blocks that have begun in this time."""
    closed: Callable[[], str] = str
    """Returns why nothing is to be played any more, except provisional matches; the ladder goes on when it is empty."""


def run_ladder(
    planned: Plan,
    settings: LadderFile,
    folder: Folder,
    arrivals: Arrivals,
    start: Start,
    bounds: Bounds,
    here: Here,
    *,
    measure: Measure,
    drop: Callable[[int], object] = lambda _: None,
    build: bool = True,
) -> Generator[RunEvent]:
    """Play a ladder until a bound is reached, and log and yield its events.

    `here` returns the versions of the remote bots that are connected, by name. Without `build`, the runner's workers
    build the bots. `measure` is for `stop`, as in `play_tournament`. `drop` is called again and again with a block: of
    those before it, old records may be dropped.
    Closing the generator ends all that was started. Raises RunnerError for a match that cannot be played, TrailError or
    StagesError for a damaged folder, SettingsError for a bot whose copy was changed, and OSError.
    """
    seat_residents(folder.path, settings.residents, planned.rules)
    mend_copies(folder.path, settings.bots)
    with EventLog(folder.path) as log, closing(arrivals), ExitStack() as stack:
        state = LadderState.read(planned, settings, folder, here, build=build)
        rest = Rest(settings.stop or (), measure)
        for event in _Run(state, arrivals, lambda: stack.enter_context(start()), bounds, rest, drop).events():
            log.add(event)
            yield event


class _Run:
    def __init__(
        self,
        state: LadderState,
        arrivals: Arrivals,
        start: Callable[[], BlockRunner],
        bounds: Bounds,
        rest: Rest,
        drop: Callable[[int], object],
    ) -> None:
        self._state = state
        self._arrivals = arrivals
        self._start = cache(start)
        self._bounds = bounds
        self._rest = rest
        self._drop = drop
        self._stage_began = inf  # when the first match of the last stage did, in seconds since 1970
        self._path = state.folder.path
        self._shortage = partial(shortage, self._path, state.settings.reserve_mb)
        self._absences = Absences(self._path, state.settings.missing)
        self._began = monotonic()
        self._admitted: list[Version] = []
        self._events = 0  # since the log was begun
        self._waits_for = ""

    def events(self) -> Iterator[RunEvent]:
        state = self._state
        yield self._planned()
        yield from state.strike()
        if state.stage:
            yield from state.stage.recall(state.plan)
            if state.stage.stage.setup not in open_setups(state.plan.setups):  # its rules were replaced meanwhile
                yield from state.stage.end()
                yield from state.settle(state.stage)
        if state.matches:
            yield Resumed(state.matches)
        recent = state.folder.read_all(state.score.recent)
        for record in recent:
            yield match_played(record, state.folder.path_of(record.key), is_new=False)
        latest = recent[max(0, len(recent) - state.score.latest) :]
        self._note_begin(state.folder.read_all(state.stage.outcomes) if state.stage else latest)
        yield from self._wait_for_return()
        while True:
            if sentence := self._shortage():
                yield from self._wait(sentence, self._shortage)
            yield from self._follow_trail()
            if state.stage:
                yield from self._play(state.stage)
            if self._ends_before(state.next_block):
                break
            if not state.stage:
                yield from self._between_stages()
        yield Finished(state.matches, self._path, ())

    def _planned(self) -> Planned:
        names = tuple(version.bot.name for version in self._state.roster.playing)
        return Planned(self._state.plan.games, names, self._bounds.matches or 0, False, self._path, self._state.plan)

    def _play(self, stage: StageRun) -> Iterator[RunEvent]:
        """Play a stage on until it is complete, a bound is reached, or the organiser decides something."""
        state = self._state
        yield from stage.recall(state.plan)
        for event in stage.play(state.plan, self._start, partial(self._may_begin, stage), lambda: state.absent):
            self._events += 1
            yield event
            if isinstance(event, MatchPlayed):
                self._note_begin([event.record])
            yield from self._look()
        if self._is_long(stage):
            stage.cut()
        stage.check_kept()
        if stage.is_complete(state.plan):
            yield from state.settle(stage)

    def _may_begin(self, stage: StageRun, block: int) -> bool:
        """Whether a block may be begun now; one that has begun is finished in any case."""
        return block <= stage.begun or not (
            self._state.trail.has_news or self._ends_before(block) or self._is_long(stage) or self._shortage()
        )

    def _is_long(self, stage: StageRun) -> bool:
        """Whether a stage has begun enough.

        It has lasted long, bots wait to join that have never played, its pace asks for a pause, or the ladder is over.
        """
        if self._over():
            return True
        if (pace := self._state.settings.pace) and self._begun_of(stage) >= pace * PACED_S / 3600:
            return stage.has_begun
        usual_s = self._state.settings.stage
        longest_s = min(NEWCOMERS_S, usual_s) if self._admitted else usual_s
        return stage.has_begun and monotonic() - stage.since >= longest_s

    def _begun_of(self, stage: StageRun) -> int:
        """Return how many matches of a stage have been begun."""
        return self._state.begun_before(stage.begun + 1) - self._state.score.begun.total()

    def _note_begin(self, records: Sequence[MatchRecord]) -> None:
        """Take note of when matches of the last stage began."""
        began = [datetime.fromisoformat(record.started).timestamp() for record in records]
        self._stage_began = min([self._stage_began, *began])

    def _is_ahead(self) -> bool:
        """Whether the matches of the last stage are more than were due by the pace since it began."""
        pace, latest = self._state.settings.pace, self._state.score.latest
        return pace is not None and 0 <= time() - self._stage_began < latest * 3600 / pace

    def _over(self) -> str:
        """Return why nothing is played any more, although it could be; empty while bots are new."""
        over = self._bounds.closed()
        return "" if not over or self._has_new else over

    @property
    def _has_new(self) -> bool:
        """Whether a bot is to play its provisional matches."""
        return bool(self._admitted) or not self._state.newcomers.isdisjoint(self._state.present)

    def _ends_before(self, block: int) -> bool:
        """Whether a bound keeps a block from being begun."""
        most = self._bounds.matches
        return self._is_out_of_time() or (most is not None and self._state.begun_before(block) >= most)

    def _is_out_of_time(self) -> bool:
        return self._bounds.seconds is not None and monotonic() - self._began >= self._bounds.seconds

    def _wait(self, sentence: str, goes_on: Callable[[], object]) -> Iterator[RunEvent]:
        """Say why nothing is played, and wait while that `goes_on`."""
        yield LadderWaits(sentence)
        while goes_on() and not self._is_out_of_time():
            sleep(LOOK_S)

    def _wait_for_return(self) -> Iterator[RunEvent]:
        """Wait until the remote bots of tables that an earlier run began have dialled in again, but not for long."""
        state = self._state
        due = state.stage.waits_for() if state.stage else set()
        if absent := state.absent & due:
            names = ", ".join(str(state.roster[index].bot) for index in sorted(absent))
            yield from self._wait(
                f"matches that had begun wait up to {RETURN_S:g} s for {names} to dial in again",
                lambda: state.absent & due and monotonic() - self._began < RETURN_S,
            )

    def _between_stages(self) -> Iterator[RunEvent]:
        """Admit and retire bots, then choose the next stage; pause briefly if none can be played."""
        state = self._state
        if self._events >= LONGEST_LOG:
            self._events, self._waits_for = 0, ""
            yield self._planned()
            if state.matches:
                yield Resumed(state.matches)
        self._drop(state.score.blocks)
        yield from self._look()
        for admitted in self._admitted:
            reason = "it has dialled in with its token" if admitted.is_remote else "it has passed the checks"
            state.decide("add", reason, admitted.details)
        self._admitted.clear()
        yield from self._follow_trail()
        absent = state.absent
        dialled = {version.place for version in state.roster.remote if version.index not in absent}
        missing = self._absences.retired(state.roster, self._arrivals.places, dialled)
        for retired in chain(state.roster.outdated(state.settings.versions), missing, state.disqualified):
            state.decide("withdraw", retired.reason, withdrawing(retired.version.bot, rule=retired.rule))
        yield from self._follow_trail()
        rests, waits = self._why_rest(), self._why_not()
        if (sentence := rests or waits) and sentence != self._waits_for:
            yield LadderRests(sentence) if rests else LadderWaits(sentence)
        self._waits_for = sentence
        if sentence or self._is_ahead():
            sleep(LOOK_S)
        else:
            self._stage_began = inf
            yield from state.next_stage()

    def _why_rest(self) -> str:
        """Return why nothing needs to be played; empty if something does, as for a bot that is new."""
        if over := self._over():
            return over
        precise = "" if self._has_new else self._rest.sentence(self._state)
        return precise and f"{precise}; it goes on when a bot arrives or the organiser decides something"

    def _why_not(self) -> str:
        """Return why no stage can be chosen; empty if one can.

        The first match waits for bots that are being checked: not if residents can play it, nor for long.
        """
        state, able, seats = self._state, self._state.able, self._state.plan.fewest_seats
        is_late = monotonic() - self._began >= state.settings.admission.first_match
        residents = sum(version.place == RESIDENT for version in able)
        if not (state.score.blocks or self._arrivals.has_heard_all or is_late or residents >= seats):
            return "the first match waits until the bots in the watched folder have been checked"
        return f"a table has {seats} seats, and {counted(len(able), 'bot')} can play" if len(able) < seats else ""

    def _look(self) -> Iterator[RunEvent]:
        """See who has arrived."""
        for found in self._arrivals.step(self._state.roster, self._admitted):
            if isinstance(found, Refused):
                self._events += 1
                yield BotRefused(found.place, found.sentence, found.report)
            else:
                self._admitted.append(found)

    def _follow_trail(self) -> Iterator[RunEvent]:
        """Apply the decisions in the trail from the next block on, and wait while one of them is to pause."""
        state = self._state
        while state.trail.has_news or state.trail.pending:
            yield from state.change(state.trail.notice(state.applies_from))
            if pause := state.plan.changes.pause:
                yield EventPaused(pause)
                while not state.trail.has_news:
                    sleep(LOOK_S)
