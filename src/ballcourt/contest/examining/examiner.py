"""Examines submissions and plays scrimmages, one at a time: unpacks, begins, and keeps what comes out."""

import os
import secrets
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.exam import Arriving, Exam, ExamOutcome
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.examining.desks import Desk, ExamPlaces
from ballcourt.contest.examining.jobs import ExamJob, Job, ScrimmageJob, refused
from ballcourt.contest.examining.sources import ToUnpack, Unpacked, UnpackingProcess
from ballcourt.contest.examining.work import BEAT_S, Leased, WorkFinding
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.scrimmage import Bout, BoutOutcome, BoutProcess

LOOK_S: Final = 0.2
CALM_S: Final = 1.0
"""How often an examiner without work looks for some, and for answers of the ladder."""


class Examiner:
    """An examiner. Call `step` again and again; close it in the end."""

    def __init__(
        self,
        desk: Desk,
        scratch: Path,
        start: Callable[[Arriving], AnswerDue[ExamOutcome]] = Exam,
        unpack: Callable[[ToUnpack], AnswerDue[Unpacked]] = UnpackingProcess,
        report: Callable[[str], None] = lambda _: None,
        play: Callable[[Bout], AnswerDue[BoutOutcome]] = BoutProcess,
    ) -> None:
        """`report` gets a sentence about what is done.

        `start` begins an exam, `unpack` fetching and unpacking, and `play` a match or several.
        """
        self._desk = desk
        self._scratch = scratch
        self._start = start
        self._play = play
        self._unpack = unpack
        self._report = report
        self._holder = f"{socket.gethostname()}:{os.getpid()}"
        self._current: _Current | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a submission is being examined, or a scrimmage played."""
        return self._current is not None

    def step(self) -> None:
        """Take up work, or see how far it is. Raises OSError and WrongInput."""
        if self._current is None:
            self._desk.step()
            self._take_up()
        elif (self._current.job or self._current.unpacking).is_over:
            self._go_on(self._current)
        elif monotonic() - self._current.began > self._desk.terms.longest:
            self._give_up(self._current)
        elif monotonic() - self._current.beaten >= BEAT_S:
            self._current.beaten = monotonic()
            if not self._desk.beat(self._current.leased):
                self._report(f"{_what(self._current.leased)} was taken up by another examiner")
                self._drop(self._current)
            self._desk.step(is_busy=True)

    def close(self) -> None:
        """End what is under way, and let others take it up."""
        if self._current:
            self._give_back(self._current)

    def _take_up(self) -> None:
        leased = self._desk.lease(self._holder)
        if leased is None:
            return
        self._report(f"{_what(leased)} of {leased.team_name} begins")
        folder = self._scratch / secrets.token_hex(8)
        folder.mkdir()
        archives = (self._desk.archive(leased, one) if one.archive else None for one in leased.contenders)
        terms, limit = self._desk.terms, self._desk.terms.unpacked_mb
        unpacking = ToUnpack(archives=tuple(archives), folder=str(folder), most_mb=limit, tier=terms.sandbox.tier)
        self._current = _Current(leased, folder, self._desk.places(leased, folder), self._unpack(unpacking))

    def _go_on(self, current: "_Current") -> None:
        """Begin the job of what was unpacked, or keep what came out of it."""
        try:
            finding = current.job.finding() if current.job else self._begin(current)
        except ArenaError as error:
            self._report(f"{_what(current.leased)} could not be carried out: {error}")
            self._give_back(current)
            return
        if finding is None:
            return
        try:
            self._settle(current.leased, finding, current.places)
        finally:
            self._drop(current)

    def _begin(self, current: "_Current") -> WorkFinding | None:
        """Begin the job of what was unpacked; return what is found if nothing can be begun. Raises ArenaError."""
        unpacked = current.unpacking.outcome()
        if unpacked.refusal:
            return refused(unpacked.refusal)
        sources = [Path(source) if source else None for source in unpacked.sources]
        current.job = self._begun(current.leased, sources, current.places)
        current.began = monotonic()
        return None

    def _begun(self, leased: Leased, sources: list[Path | None], places: ExamPlaces) -> Job:
        if leased.kind == WorkKind.SCRIMMAGE:
            return ScrimmageJob(self._play, leased, sources, places, self._desk.terms)
        assert sources[0], "what was entered has an archive"
        return ExamJob(self._start, leased, sources[0], places, self._desk.terms)

    def _settle(self, leased: Leased, finding: WorkFinding, places: ExamPlaces | None = None) -> None:
        state = self._desk.settle(leased, finding, places)
        self._report(f"{_what(leased)} of {leased.team_name}: {state or 'another examiner has it'}")

    def _give_back(self, current: "_Current") -> None:
        self._drop(current)
        self._desk.give_back(current.leased)

    def _give_up(self, current: "_Current") -> None:
        if current.job is None:  # which is not the bot's fault: unpacking has a limit of its own
            self._report(f"{_what(current.leased)} could not be fetched in {self._desk.terms.longest / 60:g} min")
            self._give_back(current)
            return
        what = "check" if current.leased.kind == WorkKind.EXAM else "match"
        sentence = f"its {what} took more than {self._desk.terms.longest / 60:g} min"
        self._drop(current)
        self._settle(current.leased, refused(sentence))

    def _drop(self, current: "_Current") -> None:
        current.unpacking.end()
        if current.job:
            current.job.end()
        shutil.rmtree(current.places.copy, ignore_errors=True)
        shutil.rmtree(current.folder, ignore_errors=True)
        self._current = None


class _Current:
    """What is under way."""

    def __init__(self, leased: Leased, folder: Path, places: ExamPlaces, unpacking: AnswerDue[Unpacked]) -> None:
        self.leased = leased
        self.folder = folder
        self.places = places
        self.unpacking = unpacking
        self.job: Job | None = None  # until all is unpacked
        self.began = self.beaten = monotonic()


def examine_for_ever(
    desk: Callable[[Path], Desk],
    is_over: Callable[[], bool],
    report: Callable[[str], None],
    start: Callable[[Arriving], AnswerDue[ExamOutcome]] = Exam,
) -> None:
    """Examine submissions and play scrimmages until `is_over`.

    A failure of a database, a disk or a line is reported and tried again. `desk` gets a folder that is removed in the
    end; `start` begins an exam.
    """
    with scratch_folder() as scratch:
        examiner = Examiner(desk(scratch), scratch, start, report=report)
        trouble = ""
        try:
            while not is_over():
                try:
                    examiner.step()
                    trouble = ""
                except (ArenaError, OSError, WrongInput) as error:
                    if str(error) != trouble:
                        trouble = str(error)
                        report(trouble)
                sleep(LOOK_S if examiner.is_busy else CALM_S)
        finally:
            examiner.close()


def _what(leased: Leased) -> str:
    """Return what was taken up in words, such as: the exam of mine."""
    bots = " against ".join(one.bot.name for one in leased.contenders)
    return f"the {leased.kind} of {bots}"
