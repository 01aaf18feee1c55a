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
from ballcourt.arena.ladder.arrivals.handed import ARRIVALS
from ballcourt.arena.models import Model
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.entering.allowance import MB
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.unpacking import GridError, unpack
from ballcourt.contest.examining.work import BEAT_S, ExamFinding, Leased, beat, give_back, lease, settle
from ballcourt.contest.store.contest import Contest
from ballcourt.engine.core import WrongInput

LOOK_S: Final = 0.2
CALM_S: Final = 1.0
"""How often an examiner without work looks for some, and for answers of the ladder."""
KEPT_CHECKS: Final = 10
"""Of how many submissions of a team the replays of their checks are kept, the newest ones."""
Unpack = Callable[[Path, Path, int, int | None], Path]


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
        contest: Contest,
        scratch: Path,
        start: Callable[[Arriving], RunningExam] = Exam,
        unpacked: Unpack = unpack,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`report` gets a sentence about what is examined."""
        self._contest = contest
        self._scratch = scratch
        self._start = start
        self._unpack = unpacked
        self._report = report
        self._handover = Handover(contest)
        self._holder = f"{socket.gethostname()}:{os.getpid()}"
        self._current: _Examination | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a submission is being examined."""
        return self._current is not None

    def step(self) -> None:
        """Take up a submission, or see how far its exam is. Raises OSError and WrongInput."""
        if self._current is None:
            self._handover.step()
            self._take_up()
        elif self._current.exam.is_over:
            self._end(self._current)
        elif monotonic() - self._current.began > self._contest.ladder.admission.longest:
            self._give_up(self._current)
        elif monotonic() - self._current.beaten >= BEAT_S:
            self._handover.step()
            self._current.beaten = monotonic()
            if not beat(self._contest, self._current.leased):
                self._report(f"{self._current.leased.bot} was taken up by another examiner")
                self._drop(self._current)

    def close(self) -> None:
        """End what is under way, and let others take it up."""
        if self._current:
            leased = self._current.leased
            self._drop(self._current)
            give_back(self._contest, leased)

    def _take_up(self) -> None:
        leased = lease(self._contest, self._holder)
        if leased is None:
            return
        self._report(f"examining {leased.bot} of {leased.team_name}")
        self._discard_older(leased)
        _make_room(self._contest.checks(leased.team))
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
            give_back(self._contest, leased)
        else:
            arriving = self._arriving(leased, source)
            self._current = _Examination(leased, folder, source, Path(arriving.copy_to), self._start(arriving))

    def _unpacked(self, leased: Leased, folder: Path) -> Path:
        archive = self._contest.archive(leased.archive)
        if not archive.is_file():
            raise GridError("its archive was removed to make room; send it again")
        settings = self._contest.settings.upload
        return self._unpack(archive.absolute(), folder, settings.unpacked_mb, self._contest.ladder.sandbox.tier)

    def _arriving(self, leased: Leased, source: Path) -> Arriving:
        settings, copies = self._contest.ladder, Path(str(self._contest.ladder.output)) / ARRIVALS
        copies.mkdir(parents=True, exist_ok=True)
        return Arriving(
            source=str(source),
            place=f"{leased.team_name}/{leased.bot}",
            output=str(settings.output),
            records=str((self._contest.checks(leased.team) / leased.submission).absolute()),
            copy_to=str((copies / f"{_prefix(leased)}{leased.fence}").absolute()),
            games=settings.games,
            most=self._contest.settings.upload.unpacked_mb * MB,
            clock=settings.clock,
            sandbox=settings.sandbox,
        )

    def _discard_older(self, leased: Leased) -> None:
        """Remove the copies of earlier examiners of a submission, which were killed."""
        copies = Path(str(self._contest.ladder.output)) / ARRIVALS
        for old in copies.glob(f"{_prefix(leased)}*"):
            shutil.rmtree(old, ignore_errors=True)

    def _end(self, current: "_Examination") -> None:
        try:
            outcome = current.exam.outcome()
        except ArenaError as error:
            self._report(f"{current.leased.bot} could not be examined: {error}")
            self._drop(current)
            give_back(self._contest, current.leased)
            return
        finding = _finding(self._private(outcome, current), current.leased)
        if finding.is_accepted:
            self._handover.keep(current.copy, outcome.content_hash)
        self._drop(current)
        self._settle(current.leased, finding)

    def _private(self, outcome: ExamOutcome, current: "_Examination") -> ExamOutcome:
        """Return an outcome without the paths of this machine."""
        paths = (f"{current.source}/", f"{current.copy}/", str(current.source), str(current.copy))
        reasons = []
        for reason in outcome.reasons:
            for path in paths:
                reason = reason.replace(path, "" if path.endswith("/") else "the folder")
            reasons.append(reason)
        return outcome.replaced(reasons=tuple(reasons))

    def _settle(self, leased: Leased, finding: ExamFinding) -> None:
        state = settle(self._contest, leased, finding)
        self._report(f"{leased.bot} of {leased.team_name}: {state or 'another examiner has it'}")
        self._handover.step()

    def _give_up(self, current: "_Examination") -> None:
        sentence = f"its check took more than {self._contest.ladder.admission.longest / 60:g} min"
        self._drop(current)
        self._settle(current.leased, ExamFinding(False, sentence, _report_of([sentence])))

    def _drop(self, current: "_Examination") -> None:
        current.exam.end()
        shutil.rmtree(current.copy, ignore_errors=True)
        shutil.rmtree(current.folder, ignore_errors=True)
        self._current = None


class _Examination:
    """A submission that is being examined."""

    def __init__(self, leased: Leased, folder: Path, source: Path, copy: Path, exam: RunningExam) -> None:
        self.leased = leased
        self.folder = folder
        self.source = source
        self.copy = copy
        self.exam = exam
        self.began = self.beaten = monotonic()


def examine_for_ever(contest: Contest, is_over: Callable[[], bool], report: Callable[[str], None]) -> None:
    """Examine submissions until `is_over`. A failure of the database or a disk is reported and tried again."""
    with scratch_folder() as scratch:
        examiner = Examiner(contest, scratch, report=report)
        trouble = ""
        try:
            while not is_over():
                try:
                    examiner.step()
                    trouble = ""
                except (OSError, WrongInput) as error:
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


def _make_room(checks: Path) -> None:
    """Remove the oldest records of checks of a team, so that one more submission has room."""
    if checks.exists():
        for old in sorted(checks.iterdir(), key=lambda folder: -folder.stat().st_mtime)[KEPT_CHECKS - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def _prefix(leased: Leased) -> str:
    return f".{leased.submission}-"
