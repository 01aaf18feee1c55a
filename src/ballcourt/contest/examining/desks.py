"""Where examiners get their work and report results: in the contest's folder, or through its server."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Protocol

from ballcourt.arena.files import discard
from ballcourt.arena.ladder.arrivals.handed import ARRIVALS
from ballcourt.arena.models import LAX, Model
from ballcourt.arena.tournament.event.tables import ClockTable, FaultsTable, SandboxTable, SetUpTable
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.sources import FarArchives, OwnArchives
from ballcourt.contest.examining.work import Leased, WorkFinding, beat, give_back, lease, settle
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.work_queue import WorkKind

KEPT: Final = {WorkKind.EXAM: 10, WorkKind.AGAIN: 11, WorkKind.SCRIMMAGE: 50}
"""Of how many submissions and scrimmages of a team replays are kept, the newest; a re-exam adds and removes none."""


class ExamTerms(Model):
    """With what submissions are examined and scrimmages are played: what the ladder plays, and its limits."""

    setups: Annotated[tuple[SetUpTable, ...], LAX]
    clock: ClockTable
    faults: FaultsTable
    sandbox: SandboxTable
    longest: float
    """How many seconds an examination or a scrimmage may take."""
    unpacked_mb: int


@dataclass(frozen=True, slots=True)
class ExamPlaces:
    """Where an examiner reads and writes."""

    output: Path
    """The output folder of the ladder, of which the trail is read."""
    records: Path
    """Where the records of matches go, and what the bot of the team printed in a scrimmage."""
    copy: Path
    """Where the files of a bot go once it has passed."""


class Desk(Protocol):
    """Where an examiner gets its work, and what it answers to. All methods raise OSError, ArenaError and WrongInput."""

    terms: ExamTerms
    """With what submissions are examined."""

    def step(self, *, is_busy: bool = False) -> None:
        """Do what is to be done besides; of an examiner that is busy, only what takes no time."""

    def lease(self, holder: str) -> Leased | None:
        """Take up the next work; None if none waits."""

    def archives(self, leased: Leased) -> OwnArchives | FarArchives:
        """Return where the archives of the bots are."""

    def places(self, leased: Leased, folder: Path) -> ExamPlaces:
        """Return where the examiner reads and writes; a new folder may be used for it."""

    def beat(self, leased: Leased) -> bool:
        """Renew a lease; return False if another examiner has it now."""

    def give_back(self, leased: Leased) -> None:
        """Release work, so that others can lease it."""

    def settle(self, leased: Leased, finding: WorkFinding, places: ExamPlaces | None) -> str | None:
        """Keep the result; return the state, None if another examiner holds the lease now.

        `places` are those in which something was begun; None if nothing was.
        """


def terms_of(contest: Contest) -> ExamTerms:
    """Return with what the submissions of a contest are examined."""
    ladder = contest.ladder
    return ExamTerms(
        setups=ladder.tables,
        clock=ladder.clock,
        faults=ladder.faults,
        sandbox=ladder.sandbox,
        longest=ladder.admission.longest,
        unpacked_mb=contest.settings.upload.unpacked_mb,
    )


class OwnDesk(Desk):
    """The desk of an examiner on the contest's own machine, which also hands accepted bots over to the ladder."""

    def __init__(self, contest: Contest, handover: Handover) -> None:
        self._contest = contest
        self._output = contest.ladder.output
        self._handover = handover
        self.terms = terms_of(contest)

    def step(self, *, is_busy: bool = False) -> None:
        """Hand over what was accepted, and follow the ladder."""
        self._handover.step(is_busy=is_busy)

    def lease(self, holder: str) -> Leased | None:
        """Remove the copies of earlier examiners of the same, which were killed, too, whole or begun."""
        leased = lease(self._contest, holder)
        if leased:
            for old in (self._output / ARRIVALS).glob(f"*{_prefix(leased)}*"):
                discard(old)
            make_room(self._contest, leased)
        return leased

    def archives(self, leased: Leased) -> OwnArchives:
        del leased
        settings = self._contest.settings
        return OwnArchives(bucket=settings.archives, files=str(settings.files.absolute()))

    def places(self, leased: Leased, folder: Path) -> ExamPlaces:
        del folder
        copies = self._output / ARRIVALS
        copies.mkdir(parents=True, exist_ok=True)
        records = kept_of(self._contest, leased)
        return ExamPlaces(self._output, records.absolute(), (copies / f"{_prefix(leased)}{leased.fence}").absolute())

    def beat(self, leased: Leased) -> bool:
        return beat(self._contest, leased)

    def give_back(self, leased: Leased) -> None:
        give_back(self._contest, leased)

    def settle(self, leased: Leased, finding: WorkFinding, places: ExamPlaces | None) -> str | None:
        if leased.kind.is_exam and finding.is_good and places:
            self._handover.keep(places.copy, finding.bot.content_hash)
        state = settle(self._contest, leased, finding)
        self._handover.step()
        return state


def kept_of(contest: Contest, leased: Leased) -> Path:
    """Return the folder of what is kept for a team of its submission or scrimmage."""
    of_team = contest.checks if leased.kind.is_exam else contest.scrimmages
    return of_team(leased.team) / leased.subject


def make_room(contest: Contest, leased: Leased) -> None:
    """Remove what is kept of a team's oldest submissions or scrimmages, so that one more has room."""
    kept = kept_of(contest, leased).parent
    if kept.exists():
        for old in sorted(kept.iterdir(), key=lambda folder: -folder.stat().st_mtime)[KEPT[leased.kind] - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def _prefix(leased: Leased) -> str:
    return f".{leased.subject}-"
