"""Examines submissions and plays scrimmages, one at a time: unpacks, begins, and keeps what comes out."""

import os
import secrets
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.exam import Arriving, Exam, ExamOutcome
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.background import attempted
from ballcourt.contest.examining.desks import Desk, ExamPlaces
from ballcourt.contest.examining.jobs import Job, exam_of, refused, scrimmage_of
from ballcourt.contest.examining.sources import ToUnpack, UnpackingProcess
from ballcourt.contest.examining.work import BEAT_S, Leased, WorkFinding
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
        unpack: Callable[[ToUnpack], AnswerDue[str]] = UnpackingProcess,
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
        elif self._current.process.is_over:
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
        unpacking = ToUnpack(
            contenders=leased.contenders,
            archives=self._desk.archives(leased),
            folder=str(folder),
            most_mb=self._desk.terms.unpacked_mb,
            tier=self._desk.terms.sandbox.tier,
        )
        places = self._desk.places(leased, folder)
        self._current = _Current(leased, folder, places, unpacking.sources, self._unpack(unpacking))

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
        if refusal := current.unpacking.outcome():
            return refused(refusal)
        leased, sources, places, terms = current.leased, current.sources, current.places, self._desk.terms
        if not leased.kind.is_exam:
            current.job = scrimmage_of(self._play, leased, sources, places, terms)
        else:
            assert sources[0], "what was entered has an archive"
            current.job = exam_of(self._start, leased, sources[0], places, terms)
        current.began = monotonic()
        return None

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
        what = "check" if current.leased.kind.is_exam else "match"
        sentence = f"its {what} took more than {self._desk.terms.longest / 60:g} min"
        self._drop(current)
        self._settle(current.leased, refused(sentence))

    def _drop(self, current: "_Current") -> None:
        current.process.end()
        shutil.rmtree(current.places.copy, ignore_errors=True)
        shutil.rmtree(current.folder, ignore_errors=True)
        self._current = None


@dataclass
class _Current:
    """What is under way."""

    leased: Leased
    folder: Path
    places: ExamPlaces
    sources: list[Path | None]
    unpacking: AnswerDue[str]
    job: Job[Any] | None = None
    """What comes once all is unpacked."""
    began: float = field(default_factory=monotonic)
    beaten: float = field(default_factory=monotonic)

    @property
    def process(self) -> AnswerDue[object]:
        return self.job.process if self.job else self.unpacking


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
                trouble = attempted(examiner.step, report, trouble)
                sleep(LOOK_S if examiner.is_busy else CALM_S)
        finally:
            examiner.close()


def _what(leased: Leased) -> str:
    """Return what was taken up in words, such as: the exam of mine."""
    bots = " against ".join(one.bot.name for one in leased.contenders)
    return f"the {leased.kind} of {bots}"
