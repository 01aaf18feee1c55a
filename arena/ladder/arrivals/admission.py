"""Lets bots into a ladder, with a copy of their files, once they have passed the checks.

All that takes long is done by processes of the checks, some at once, in an order that is fair to those who wait. A
version plays from a copy below the output folder, `bots/NAME/VERSION`, so its author may change the original at any
time. A bot that is refused gets a report next to its folder, `NAME.refused.txt`; it is not checked again until its
files change, or the report is removed.
"""

import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import write_atomically
from ballcourt.arena.ladder.arrivals.exam import Arriving, Exam, ExamOutcome, ExamVerdict
from ballcourt.arena.ladder.arrivals.inbox import LOOK_S, Inbox
from ballcourt.arena.ladder.arrivals.interface import Arrivals, Refused
from ballcourt.arena.ladder.arrivals.names import refusal
from ballcourt.arena.ladder.arrivals.queue import AdmissionQueue
from ballcourt.arena.ladder.copies import home_of
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.match.policy import counted
from ballcourt.arena.printable import printable
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.tournament.event.tables import BotTable

REFUSED: Final = ".refused.txt"
ARRIVING: Final = "arriving"
"""The folder in the output folder with copies of bots that are being checked; what is left in it is of no use."""
ATTEMPTS: Final = 3
SLICE_S: Final = 0.05
"""How long matches wait for a part of a look, at most about."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    arriving: Arriving
    owner: str
    seen: str
    """What its folder looked like."""
    exam: AnswerDue[ExamOutcome]
    attempt: int = 1
    began: float = field(default_factory=monotonic)

    @property
    def place(self) -> str:
        return Path(self.arriving.source).name


class Admission(Arrivals):
    """Decides who may join a ladder from its watched folder."""

    def __init__(
        self,
        settings: LadderFile,
        inbox: Inbox,
        start: Callable[[Arriving], AnswerDue[ExamOutcome]] = Exam,
        look_s: float = LOOK_S,
    ) -> None:
        """`start` begins the check of a bot."""
        self._settings = settings
        self._rules = settings.admission
        self._folder = settings.output
        self._inbox = inbox
        self._start = start
        self._look_s = look_s
        self._look_at: float | None = None  # when the next look is due; None before the first
        self._candidates: dict[str, _Candidate] = {}
        self._queue = AdmissionQueue(settings.output, self._rules.pause)
        self._reported: set[str] = set()
        self._unheard: set[str] | None = None  # of those that were there at the start
        self._unreadable = False

    @property
    def examined(self) -> str:
        return ", ".join(self._candidates)

    @property
    def places(self) -> frozenset[str] | None:
        """The names of the folders in the watched folder; None while it is away."""
        return None if self._unreadable or self._inbox.is_away else self._inbox.places

    @property
    def has_heard_all(self) -> bool:
        return self._unheard is not None and not self._unheard

    def step(self, roster: Roster, admitted: Sequence[Version] = ()) -> Iterator[Version | Refused]:
        """Look at the watched folder if it is time to, begin and end checks; yield what has been decided.

        `admitted` are those who are not in the roster yet. Never waits for a check, nor for what a folder holds. Raises
        OSError.
        """
        self._look(roster)
        for candidate in [*self._candidates.values()]:
            if candidate.exam.is_over:
                yield from self._end(candidate, roster, admitted)
            elif monotonic() - candidate.began > self._rules.longest:
                yield from self._late(candidate, roster, admitted)
        self._begin()

    def close(self) -> None:
        for candidate in self._candidates.values():
            candidate.exam.end()
        if self._candidates:
            self._discard_copies()
        self._candidates.clear()

    def _look(self, roster: Roster) -> None:
        if self._look_at is None:
            self._discard_copies()
            self._reported = {place for place in self._queue.refused if self._report(place).exists()}
            for place in self._queue.refused - self._reported:
                self._queue.forget_files(place)
            self._inbox.handled_before(self._queue.seen({version.place for version in roster.playing}))
        elif monotonic() < self._look_at:
            return
        self._look_at = monotonic()
        try:
            is_complete = self._inbox.look(SLICE_S)
            self._unreadable = False
        except OSError:  # such as a network share that is gone for a while
            is_complete, self._unreadable = True, True
        if is_complete:
            self._look_at += self._look_s
            self._look_for_reports()
            self._note_presence()

    def _note_presence(self) -> None:
        if self.places is not None:
            self._queue.drop(self.places)
        if self._unheard is None and self._inbox.looks > 1:
            self._unheard = {*self._inbox.arrivals(), *self._candidates}
        elif self._unheard:
            self._unheard &= self._inbox.places

    def _begin(self) -> None:
        """Begin the checks of those whose turn it is."""
        if len(self._candidates) >= self._rules.checks or not (waiting := self._inbox.arrivals()):
            return
        owners = {place: self._owner_of(place) for place in waiting if place not in self._candidates}
        busy = Counter(candidate.owner for candidate in self._candidates.values())
        for place in self._queue.ordered(owners, owners):
            if len(self._candidates) < self._rules.checks and busy[owners[place]] < self._rules.per_owner:
                busy[owners[place]] += 1
                self._queue.begin(owners[place])
                arriving = self._arriving(place, owners[place])
                seen = self._inbox.handled(place)
                self._candidates[place] = _Candidate(arriving, owners[place], seen, self._start(arriving))

    def _arriving(self, place: str, owner: str) -> Arriving:
        rules, settings = self._rules, self._settings
        return Arriving(
            source=str(self._inbox.path / place),
            output=str(self._folder),
            copy_to=str(self._new_place()),
            owner=owner,
            setups=settings.tables,
            refused=self._queue.refused_hash(place) if place in self._reported else "",
            most=rules.folder_mb << 20,
            clock=settings.clock,
            sandbox=settings.sandbox,
        )

    def _end(self, candidate: _Candidate, roster: Roster, admitted: Sequence[Version]) -> Iterator[Version | Refused]:
        """Take the outcome of a check that is over."""
        del self._candidates[candidate.place]
        try:
            outcome = candidate.exam.outcome()
        except ArenaError as error:
            if candidate.attempt < ATTEMPTS:
                self._candidates[candidate.place] = self._again(candidate)
                return
            outcome = ExamOutcome(
                verdict=ExamVerdict.REFUSED, reasons=(f"the arena failed every time it checked this bot: {error}",)
            )
        yield from self._decide(candidate, outcome, roster, admitted)

    def _again(self, candidate: _Candidate) -> _Candidate:
        _discard(Path(candidate.arriving.copy_to))
        arriving = self._arriving(candidate.place, candidate.owner)
        return _Candidate(arriving, candidate.owner, candidate.seen, self._start(arriving), candidate.attempt + 1)

    def _decide(
        self, candidate: _Candidate, outcome: ExamOutcome, roster: Roster, admitted: Sequence[Version]
    ) -> Iterator[Version | Refused]:
        place = candidate.place
        if self._unheard:
            self._unheard.discard(place)
        match outcome.verdict:
            case ExamVerdict.PASSED:
                crowd = self._crowd(candidate, roster, admitted)
                # others may have joined since the check began
                if reason := refusal(outcome.bot, place, roster, admitted) or crowd:
                    yield self._refuse(candidate, outcome.bot.content_hash, [reason])
                else:
                    yield self._admit(candidate, outcome.bot)
            case ExamVerdict.REFUSED:
                yield self._refuse(candidate, outcome.bot.content_hash, outcome.reasons)
            case ExamVerdict.PLAYS:
                self._forgive(place)
                self._queue.plays(place, candidate.owner, candidate.seen)
            case ExamVerdict.UNREADABLE if not self._inbox.is_unchanged(place):  # it is away, or is being copied again
                self._inbox.wait_for(place)
            case ExamVerdict.UNREADABLE if (
                outcome.bot.content_hash != candidate.arriving.refused or not outcome.bot.content_hash
            ):
                yield self._refuse(candidate, outcome.bot.content_hash, outcome.reasons)

    def _crowd(self, candidate: _Candidate, roster: Roster, admitted: Sequence[Version]) -> str:
        """Return why an owner may have no further bot; empty if it may."""
        if self._rules.owners == "folder":  # each has its own
            return ""
        here = (*roster.playing, *admitted)
        theirs = {version.place for version in here if version.table.owner == candidate.owner}
        if len(theirs - {candidate.place}) < self._rules.bots:
            return ""
        return (
            f"{candidate.owner} has {counted(self._rules.bots, 'bot')} here, and no more are allowed; let one of them "
            "retire, or ask the organiser for more: admission.bots"
        )

    def _late(self, candidate: _Candidate, roster: Roster, admitted: Sequence[Version]) -> Iterator[Version | Refused]:
        """End a check that takes too long, and refuse the bot."""
        candidate.exam.end()
        _discard(Path(candidate.arriving.copy_to))
        del self._candidates[candidate.place]
        reasons = (f"its check took more than {self._rules.longest / 60:g} min",)
        outcome = ExamOutcome(verdict=ExamVerdict.REFUSED, reasons=reasons)
        yield from self._decide(candidate, outcome, roster, admitted)

    def _admit(self, candidate: _Candidate, bot: BotVersion) -> Version:
        """Put the copy where the bot plays from."""
        home = home_of(self._folder, bot)
        home.parent.mkdir(parents=True, exist_ok=True)
        old = self._new_place()
        with suppress(FileNotFoundError):  # of a version that was retired
            home.rename(old)
            _discard(old)
        Path(candidate.arriving.copy_to).rename(home)
        self._forgive(candidate.place)
        self._queue.admit(candidate.place)
        owner = candidate.owner if self._rules.owners == "user" else bot.name
        path = home.relative_to(self._folder)
        return Version(bot, candidate.place, BotTable(path=str(path), owner=owner))

    def _refuse(self, candidate: _Candidate, found: str, reasons: Sequence[str]) -> Refused:
        """Write the report of a bot that is refused; without it, the bot is checked again by the next run."""
        place = candidate.place
        until_s = self._queue.refuse(place, candidate.owner, candidate.seen, found)
        until = datetime.fromtimestamp(until_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        lines = [
            f"The bot in the folder {place} cannot play in the ladder:", "", *reasons, "",
            "It will be checked again when its files change, or when this report is removed, but not before "
            f"{until}. After each refusal it waits longer.",
            f"files: {found}",
        ]  # fmt: skip
        text = "\n".join(printable(line) for reason in lines for line in reason.split("\n"))
        report = self._report(place)
        try:
            write_atomically(report, f"{text}\n".encode())
            self._reported.add(place)
        except OSError:  # the watched folder may be read-only for the ladder, or away
            if not self._inbox.path.is_dir():
                self._inbox.wait_for(place)
        return Refused(place, reasons[0].partition("\n")[0], report)

    def _look_for_reports(self) -> None:
        """Check the bots again whose reports have been removed."""
        removed = {place for place in self._reported if not self._report(place).exists()}
        self._reported -= removed
        for place in removed:
            self._queue.forget_files(place)
            self._inbox.forget(place)

    def _forgive(self, place: str) -> None:
        """Remove the report about an earlier state of a bot."""
        self._reported.discard(place)
        with suppress(OSError):
            self._report(place).unlink(missing_ok=True)

    def _report(self, place: str) -> Path:
        return self._inbox.path / f"{place}{REFUSED}"

    def _owner_of(self, place: str) -> str:
        return self._inbox.user_of(place) if self._rules.owners == "user" else place

    def _new_place(self) -> Path:
        """Return where a copy may be put."""
        return self._folder / ARRIVING / secrets.token_hex(8)

    def _discard_copies(self) -> None:
        shutil.rmtree(self._folder / ARRIVING, ignore_errors=True)


def _discard(folder: Path) -> None:
    """Remove a folder meanwhile: that of a stranger takes long. What cannot be removed goes with the next run."""
    Thread(target=shutil.rmtree, args=(folder,), kwargs={"ignore_errors": True}, daemon=True).start()
