"""Examines submissions, one at a time: unpacks, runs the exam of the ladder, and keeps what it finds."""

import os
import secrets
import shutil
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from ballcourt.arena.checks.check import Outcome
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.admission import RunningExam
from ballcourt.arena.ladder.arrivals.exam import Arriving, Exam, ExamCheck, ExamOutcome, ExamVerdict
from ballcourt.arena.models import Model
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.entering.allowance import MB
from ballcourt.contest.examining.desks import Desk, ExamPlaces
from ballcourt.contest.examining.unpacking import GridError, Unpack, unpack
from ballcourt.contest.examining.work import BEAT_S, ExamFinding, Leased
from ballcourt.engine.core import WrongInput

LOOK_S: Final = 0.2
CALM_S: Final = 1.0
"""How often an examiner without work looks for some, and for answers of the ladder."""


class ExamReport(Model):
    """What an author reads about a submission."""

    failures: tuple[str, ...] = ()
    """The checks that failed, each a paragraph with the output of the bot."""
    passed: tuple[str, ...] = ()
    """The checks that passed, in a line each."""


class Examiner:
    """An examiner. Call `step` again and again; close it in the end."""

    def __init__(
        self,
        desk: Desk,
        scratch: Path,
        start: Callable[[Arriving], RunningExam] = Exam,
        unpacked: Unpack = unpack,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`report` gets a sentence about what is examined."""
        self._desk = desk
        self._scratch = scratch
        self._start = start
        self._unpack = unpacked
        self._report = report
        self._holder = f"{socket.gethostname()}:{os.getpid()}"
        self._current: _Examination | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a submission is being examined."""
        return self._current is not None

    def step(self) -> None:
        """Take up a submission, or see how far its exam is. Raises OSError and WrongInput."""
        if self._current is None:
            self._desk.step()
            self._take_up()
        elif self._current.exam.is_over:
            self._end(self._current)
        elif monotonic() - self._current.began > self._desk.terms.longest:
            self._give_up(self._current)
        elif monotonic() - self._current.beaten >= BEAT_S:
            self._desk.step()
            self._current.beaten = monotonic()
            if not self._desk.beat(self._current.leased):
                self._report(f"{self._current.leased.bot} was taken up by another examiner")
                self._drop(self._current)

    def close(self) -> None:
        """End what is under way, and let others take it up."""
        if self._current:
            leased = self._current.leased
            self._drop(self._current)
            self._desk.give_back(leased)

    def _take_up(self) -> None:
        leased = self._desk.lease(self._holder)
        if leased is None:
            return
        self._report(f"examining {leased.bot} of {leased.team_name}")
        folder = self._scratch / secrets.token_hex(8)
        folder.mkdir()
        try:
            source = self._unpacked(leased, folder)
        except GridError as error:
            shutil.rmtree(folder, ignore_errors=True)
            self._settle(leased, ExamFinding(False, str(error), _report_of([str(error)])))
        except (ArenaError, OSError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            self._report(f"{leased.bot} could not be unpacked: {error}")
            self._desk.give_back(leased)
        else:
            places = self._desk.places(leased, folder)
            exam = self._start(self._arriving(leased, source, places))
            self._current = _Examination(leased, folder, source, places, exam)

    def _unpacked(self, leased: Leased, folder: Path) -> Path:
        archive, terms = self._desk.archive(leased, folder), self._desk.terms
        return self._unpack(archive, folder, terms.unpacked_mb, terms.sandbox.tier)

    def _arriving(self, leased: Leased, source: Path, places: ExamPlaces) -> Arriving:
        terms = self._desk.terms
        return Arriving(
            source=str(source),
            place=f"{leased.team_name}/{leased.bot}",
            output=str(places.output),
            records=str(places.records),
            copy_to=str(places.copy),
            games=terms.games,
            most=terms.unpacked_mb * MB,
            clock=terms.clock,
            sandbox=terms.sandbox,
        )

    def _end(self, current: "_Examination") -> None:
        try:
            outcome = current.exam.outcome()
        except ArenaError as error:
            self._report(f"{current.leased.bot} could not be examined: {error}")
            self._drop(current)
            self._desk.give_back(current.leased)
            return
        finding = _finding(self._private(outcome, current), current.leased)
        try:
            self._settle(current.leased, finding, current.places)
        finally:
            self._drop(current)

    def _private(self, outcome: ExamOutcome, current: "_Examination") -> ExamOutcome:
        """Return an outcome without the paths of this machine."""
        paths = (f"{current.source}/", f"{current.places.copy}/", str(current.source), str(current.places.copy))
        reasons = []
        for reason in outcome.reasons:
            for path in paths:
                reason = reason.replace(path, "" if path.endswith("/") else "the folder")
            reasons.append(reason)
        return outcome.replaced(reasons=tuple(reasons))

    def _settle(self, leased: Leased, finding: ExamFinding, places: ExamPlaces | None = None) -> None:
        state = self._desk.settle(leased, finding, places)
        self._report(f"{leased.bot} of {leased.team_name}: {state or 'another examiner has it'}")

    def _give_up(self, current: "_Examination") -> None:
        sentence = f"its check took more than {self._desk.terms.longest / 60:g} min"
        self._drop(current)
        self._settle(current.leased, ExamFinding(False, sentence, _report_of([sentence])))

    def _drop(self, current: "_Examination") -> None:
        current.exam.end()
        shutil.rmtree(current.places.copy, ignore_errors=True)
        shutil.rmtree(current.folder, ignore_errors=True)
        self._current = None


class _Examination:
    """A submission that is being examined."""

    def __init__(self, leased: Leased, folder: Path, source: Path, places: ExamPlaces, exam: RunningExam) -> None:
        self.leased = leased
        self.folder = folder
        self.source = source
        self.places = places
        self.exam = exam
        self.began = self.beaten = monotonic()


def examine_for_ever(desk: Callable[[Path], Desk], is_over: Callable[[], bool], report: Callable[[str], None]) -> None:
    """Examine submissions until `is_over`. A failure of a database, a disk or a line is reported and tried again.

    `desk` gets a folder that is removed in the end.
    """
    with scratch_folder() as scratch:
        examiner = Examiner(desk(scratch), scratch, report=report)
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


def _finding(outcome: ExamOutcome, leased: Leased) -> ExamFinding:
    """Return what an exam means for a submission."""
    reasons = [*outcome.reasons]
    if outcome.verdict is ExamVerdict.PLAYS:
        reasons = [
            f"{outcome.name} {outcome.version} plays already, with the same files; change its version to enter it"
        ]
    elif outcome.name and outcome.name != leased.bot:
        reasons.insert(0, f"it was entered as {leased.bot}, and its bot.toml says {outcome.name}; enter it as that")
    first = reasons[0].partition("\n")[0] if reasons else ""
    is_accepted = outcome.verdict is ExamVerdict.PASSED and not reasons
    return ExamFinding(is_accepted, first, _report_of(reasons, outcome.checks), outcome.version, outcome.content_hash)


def _report_of(failures: Sequence[str], checks: Sequence[ExamCheck] = ()) -> str:
    passed = (f"{one.number}, {one.title}: {one.detail}" for one in checks if one.outcome is Outcome.PASS)
    return ExamReport(failures=tuple(failures), passed=tuple(passed)).model_dump_json()
