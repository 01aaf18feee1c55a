"""Ladders whose matches are played in this process, and whose bots are checked by looking for a file."""

from collections.abc import Callable, Generator
from contextlib import nullcontext
from pathlib import Path
from typing import cast

from ballcourt.arena.checks.check import CheckResult, Outcome
from ballcourt.arena.ladder.arrivals.admission import Admission
from ballcourt.arena.ladder.arrivals.dialled import DialledArrivals, Here, none_here
from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamOutcome, examine
from ballcourt.arena.ladder.arrivals.handed import HandedArrivals
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.arrivals.interface import AllArrivals
from ballcourt.arena.ladder.model import LadderFile, read_ladder
from ballcourt.arena.ladder.plan import plan_ladder
from ballcourt.arena.ladder.run import Bounds, run_ladder
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.remote.tokens import Tokens
from ballcourt.arena.tournament.folder.events import RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.schedules.stop import Measure
from ballcourt.arena.workers.runner import Runner
from ballcourt.leaderboard.model.precision import Precision
from tests.arena.tournament.in_process import InProcess

BAD = "bad"
"""A bot with a file of this name fails its check."""


def failed_check(detail: str) -> CheckResult:
    return CheckResult(number=5, title="full match", outcome=Outcome.FAIL, detail=detail, advice="fix it")


class Looked:
    """An exam that is over at once."""

    is_over = True

    def __init__(self, arriving: Arriving) -> None:
        self.place = Path(arriving.source).name
        self._found = examine(arriving, self.checks)

    def outcome(self) -> ExamOutcome:
        return self._found

    def checks(self, arriving: Arriving) -> list[CheckResult]:
        is_bad = (Path(arriving.copy_to) / BAD).exists()
        return [failed_check("illegal at decision 3")] if is_bad else []

    def end(self) -> None:
        pass


class Endless(Looked):
    """An exam that does not end by itself."""

    is_over = False


class Begun:
    """Begins exams that do not end by themselves."""

    def __init__(self) -> None:
        self.exams: list[Endless] = []

    def __call__(self, arriving: Arriving) -> Endless:
        self.exams.append(Endless(arriving))
        return self.exams[-1]

    @property
    def running(self) -> list[str]:
        """The places whose bots are being checked, in the order in which their checks began."""
        return [exam.place for exam in self.exams if not exam.is_over]

    def end(self, place: str) -> None:
        """End the check of a bot."""
        next(exam for exam in self.exams if exam.place == place and not exam.is_over).is_over = True


def put(watched: Path, place: str, name: str = "", version: str = "1", **files: str) -> Path:
    """Put a bot into the watched folder; it is never started."""
    folder = watched / place
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text)
    (folder / "bot.toml").write_text(f'name = "{name or place}"\nversion = "{version}"\ncommand = ["true"]\n')
    return folder


def settings_in(place: Path, **values: object) -> LadderFile:
    """Return the settings of a small ladder, in which no bot waits after a refusal.

    Its watched folder is `bots`, its output folder `out`.
    """
    (place / "bots").mkdir(exist_ok=True)
    places = {"bots": place / "bots", "output": place / "out"}
    asked = {"game": "bluff", "seats": 2, "seed": 5, "provisional": 4, "admission": {"pause": 0.0}}
    return LadderFile.model_validate(places | asked | values)


def play(
    settings: LadderFile,
    matches: int | None = None,
    seconds: float | None = None,
    begin: Callable[[Arriving], AnswerDue[ExamOutcome]] = Looked,
    tokens: Tokens | None = None,
    here: Here = none_here,
    closed: Callable[[], str] = str,
    measure: Measure = Precision,
    drop: Callable[[int], object] = lambda _: None,
) -> Generator[RunEvent]:
    """Play a ladder that looks at the watched folder at every step, until it has this number of matches.

    With `tokens`, bots dial in: those that `here` returns are connected. `closed` returns why it is over.
    `measure` is for `stop`, `drop` for `retention`.
    """
    planned = plan_ladder(settings)
    arrivals = AllArrivals(
        Admission(settings, Inbox(settings.bots), begin, look_s=0.0),
        HandedArrivals(settings.output, planned.rules, settings.sandbox),
        *([DialledArrivals(tokens, here)] if tokens else []),
    )
    with open_folder(settings.output, planned) as folder:
        yield from run_ladder(
            planned, settings, folder, arrivals, lambda: nullcontext(cast("Runner", InProcess())),
            Bounds(matches, seconds, closed), here, measure=measure, drop=drop,
        )  # fmt: skip


def begun_in(place: Path, matches: int = 20, **values: object) -> LadderFile:
    """Play a small ladder of ann and bob up to this number of matches; return its settings."""
    settings = settings_in(place, **values)
    for name in ("ann", "bob"):
        put(settings.bots, name)
    for _ in play(settings, matches=matches):
        pass
    return settings


def let_in(file: Path) -> None:
    """Admit the bots in the watched folder of a ladder without their checks, and play the first block."""
    for _ in play(read_ladder(file), matches=1):
        pass
