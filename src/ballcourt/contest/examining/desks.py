"""Where examiners get their work and report results: in the contest's folder, or through its server."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Protocol

from ballcourt.arena.ladder.arrivals.handed import ARRIVALS
from ballcourt.arena.models import LAX, Model
from ballcourt.arena.tournament.event.tables import ClockTable, SandboxTable
from ballcourt.contest.entering.states import SubmissionState
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.unpacking import GridError
from ballcourt.contest.examining.work import ExamFinding, Leased, beat, give_back, lease, settle
from ballcourt.contest.store.contest import Contest

GONE: Final = "its archive was removed to make room; send it again"
KEPT_CHECKS: Final = 10
"""Of how many submissions of a team the replays of their checks are kept, the newest ones."""


class ExamTerms(Model):
    """With what submissions are examined: what the ladder plays, and its limits."""

    games: Annotated[tuple[str, ...], LAX]
    clock: ClockTable
    sandbox: SandboxTable
    longest: float
    """How many seconds an examination may take."""
    unpacked_mb: int


@dataclass(frozen=True, slots=True)
class ExamPlaces:
    """Where the exam of a submission reads and writes."""

    output: Path
    """The output folder of the ladder, of which the trail is read."""
    records: Path
    """Where the records of its matches go."""
    copy: Path
    """Where the files of the bot go once it has passed."""


class Desk(Protocol):
    """Where an examiner gets its work, and what it answers to. All methods raise OSError, ArenaError and WrongInput."""

    @property
    def terms(self) -> ExamTerms:
        """With what submissions are examined."""

    def step(self) -> None:
        """Do what is to be done besides."""

    def lease(self, holder: str) -> Leased | None:
        """Take up the next submission; None if none waits."""

    def archive(self, leased: Leased, folder: Path) -> Path:
        """Return the archive, which may be put into a folder. Raises GridError if it is gone."""

    def places(self, leased: Leased, folder: Path) -> ExamPlaces:
        """Return where its exam reads and writes; a new folder may be used for it."""

    def beat(self, leased: Leased) -> bool:
        """Hold a submission for longer; return False if somebody else has it now."""

    def give_back(self, leased: Leased) -> None:
        """Let others take a submission up again."""

    def settle(self, leased: Leased, finding: ExamFinding, places: ExamPlaces | None) -> SubmissionState | None:
        """Keep what was found out; return the state, None if somebody else has it now.

        `places` are those of its exam; None if there was none.
        """


def terms_of(contest: Contest) -> ExamTerms:
    """Return with what the submissions of a contest are examined."""
    ladder = contest.ladder
    return ExamTerms(
        games=ladder.games,
        clock=ladder.clock,
        sandbox=ladder.sandbox,
        longest=ladder.admission.longest,
        unpacked_mb=contest.settings.upload.unpacked_mb,
    )


class OwnDesk:
    """The desk of an examiner on the contest's own machine, which also hands accepted bots over to the ladder."""

    def __init__(self, contest: Contest, handover: Handover) -> None:
        self._contest = contest
        self._output = Path(str(contest.ladder.output))
        self._handover = handover

    @property
    def terms(self) -> ExamTerms:
        """See `Desk`."""
        return terms_of(self._contest)

    def step(self) -> None:
        """Hand over what was accepted, and follow the ladder."""
        self._handover.step()

    def lease(self, holder: str) -> Leased | None:
        """See `Desk`. The copies of earlier examiners of the submission, which were killed, are removed."""
        leased = lease(self._contest, holder)
        if leased:
            for old in (self._output / ARRIVALS).glob(f"{_prefix(leased)}*"):
                shutil.rmtree(old, ignore_errors=True)
            make_room(self._contest.checks(leased.team))
        return leased

    def archive(self, leased: Leased, folder: Path) -> Path:
        """See `Desk`."""
        del folder
        archive = self._contest.archive(leased.archive)
        if not archive.is_file():
            raise GridError(GONE)
        return archive.absolute()

    def places(self, leased: Leased, folder: Path) -> ExamPlaces:
        """See `Desk`."""
        del folder
        copies = self._output / ARRIVALS
        copies.mkdir(parents=True, exist_ok=True)
        records = self._contest.checks(leased.team) / leased.submission
        return ExamPlaces(self._output, records.absolute(), (copies / f"{_prefix(leased)}{leased.fence}").absolute())

    def beat(self, leased: Leased) -> bool:
        """See `Desk`."""
        return beat(self._contest, leased)

    def give_back(self, leased: Leased) -> None:
        """See `Desk`."""
        give_back(self._contest, leased)

    def settle(self, leased: Leased, finding: ExamFinding, places: ExamPlaces | None) -> SubmissionState | None:
        """See `Desk`."""
        if finding.is_accepted and places:
            self._handover.keep(places.copy, finding.content_hash)
        state = settle(self._contest, leased, finding)
        self._handover.step()
        return state


def make_room(checks: Path) -> None:
    """Remove the oldest records of checks of a team, so that one more submission has room."""
    if checks.exists():
        for old in sorted(checks.iterdir(), key=lambda folder: -folder.stat().st_mtime)[KEPT_CHECKS - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def _prefix(leased: Leased) -> str:
    return f".{leased.submission}-"
