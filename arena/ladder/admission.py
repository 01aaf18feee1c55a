"""Lets bots into a ladder: one at a time, with a copy of its files, once it has passed the checks.

A version plays from a copy below the output folder, `bots/NAME/VERSION`, so its author may change the original at any
time. A bot that is refused gets a report next to its folder, `NAME.refused.txt`; it is not checked again until its
files change, or the report is removed.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final, Protocol

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError, check_plays, load_bot
from ballcourt.arena.bots.contents import ContentsError
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import read_regular, write_atomically
from ballcourt.arena.ladder.copies import copied
from ballcourt.arena.ladder.exam import Exam, Examined
from ballcourt.arena.ladder.inbox import LOOK_S, Inbox
from ballcourt.arena.ladder.roster import RESIDENT, Roster
from ballcourt.arena.printable import printable
from ballcourt.arena.tournament.decisions.changes import joining
from ballcourt.arena.tournament.event.tables import BotTable, ClockTable, SandboxTable
from ballcourt.engine.registry import find_game

REFUSED: Final = ".refused.txt"
MOST_REPORT: Final = 1 << 20
ATTEMPTS: Final = 3
LONGEST_S: Final = 3600.0
"""How long a check may take, with the build before it."""
_HASH: Final = re.compile(r"^files: ([0-9a-f]{64})$", re.MULTILINE)


class RunningExam(Protocol):
    """The interface of `Exam`."""

    @property
    def is_over(self) -> bool:
        """Whether the check has ended."""

    def failures(self) -> list[str]:
        """Return what failed, each a paragraph; nothing if the bot may play. Raises ArenaError."""

    def end(self) -> None:
        """End the check now."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A bot that may join."""

    bot: Bot
    place: str
    """The folder in the watched folder."""
    table: BotTable
    """Where its copy is, relative to the output folder."""

    @property
    def details(self) -> dict[str, object]:
        """The details of the decision to let it in."""
        return joining(self.table, self.bot.entrant, self.place)


@dataclass(frozen=True, slots=True)
class Refused:
    """A bot that may not join."""

    place: str
    sentence: str
    """Why, in a line."""
    report: Path


class _Refusal(Exception):
    """Why a bot is refused: a paragraph for each reason."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: str
    bot: Bot
    """The copy."""
    exam: RunningExam
    attempt: int = 1
    began: float = field(default_factory=monotonic)


class Admission:
    """Decides who may join a ladder. Call `step` again and again; close it in the end."""

    def __init__(
        self,
        folder: Path,
        inbox: Inbox,
        game: str,
        start: Callable[[Path], RunningExam],
        look_s: float = LOOK_S,
    ) -> None:
        """`folder` is the output folder of the ladder; `start` begins the check of a bot's folder."""
        self._folder = folder
        self._inbox = inbox
        self._game = find_game(game)
        self._begin = start
        self._look_s = look_s
        self._looked: float | None = None
        self._candidate: _Candidate | None = None
        self._reported: set[str] = set()
        self._unreadable = False

    @property
    def examined(self) -> str:
        """The bot that is being checked; empty if there is none."""
        return self._candidate.bot.entrant.identity if self._candidate else ""

    @property
    def places(self) -> frozenset[str] | None:
        """The names of the folders in the watched folder; None while it is away."""
        return None if self._unreadable or self._inbox.is_away else self._inbox.places

    @property
    def is_up_to_date(self) -> bool:
        """Whether all bots that the last look found settled have been admitted or refused."""
        return self._inbox.looks > 1 and not self._candidate and not self._inbox.arrivals()

    def step(self, roster: Roster) -> Iterator[Admitted | Refused]:
        """Look at the watched folder if it is time to, begin or end a check; yield what has been decided.

        Never waits for a check. Raises OSError.
        """
        if self._looked is None or monotonic() - self._looked >= self._look_s:
            self._looked = monotonic()
            try:
                self._inbox.look()
                self._unreadable = False
            except OSError:  # such as a network share that is gone for a while
                self._unreadable = True
            self._look_for_reports()
        if self._candidate and self._candidate.exam.is_over:
            yield from self._end()
        elif self._candidate and monotonic() - self._candidate.began > LONGEST_S:
            yield self._late(self._candidate)
        while not self._candidate and (arrivals := self._inbox.arrivals()):
            yield from self._receive(arrivals[0], roster)

    def close(self) -> None:
        """End the check that is under way."""
        if self._candidate:
            self._candidate.exam.end()
            self._candidate = None

    def _receive(self, place: str, roster: Roster) -> Iterator[Admitted | Refused]:
        """Copy a bot and begin its check, unless it plays already, comes back, or is refused."""
        source, found = self._inbox.path / place, ""
        self._inbox.handled(place)
        try:
            bot = load_bot(source)
            found = bot.content_hash
            if self._refused_before(place, found):
                return
            known = roster.find(bot.name, bot.version)
            if known and known.content_hash != found:
                raise _Refusal(
                    f"{known.identity} has played here with other files (content hash {known.content_hash}, now "
                    f"{found}); give the changed bot another version in its bot.toml"
                )
            if (home := roster.place_of(bot.name)) not in (None, place):
                owner = "a resident" if home == RESIDENT else f"the folder {home}, from which it came first"
                raise _Refusal(f"the name {bot.name} belongs to {owner}; choose another name")
            if known and known.withdrawal and not known.may_return:
                raise _Refusal(f"{known.withdrawal.sentence}; a new version may be admitted")
            if known and not known.withdrawal:
                self._forgive(place)
                return
            check_plays(bot, self._game)
            copy = copied(self._folder, bot, source)
            self._candidate = _Candidate(place, copy, self._begin(copy.home))
        except (BotError, ContentsError) as error:
            found = found or _digest(source)
            if not self._inbox.is_unchanged(place):  # it is away, or is being copied again
                self._inbox.wait_for(place)
            elif not self._refused_before(place, found):
                yield self._refuse(place, found, [str(error)])
        except _Refusal as error:
            yield self._refuse(place, found, [str(error)])

    def _end(self) -> Iterator[Admitted | Refused]:
        """Take the outcome of the check that is over."""
        assert self._candidate, "one is over"
        candidate, self._candidate = self._candidate, None
        try:
            failures = candidate.exam.failures()
        except ArenaError as error:
            if candidate.attempt < ATTEMPTS:
                self._candidate = _Candidate(
                    candidate.place, candidate.bot, self._begin(candidate.bot.home), candidate.attempt + 1
                )
                return
            failures = [f"the arena failed every time it checked this bot: {error}"]
        if failures:
            shutil.rmtree(candidate.bot.home, ignore_errors=True)
            yield self._refuse(candidate.place, candidate.bot.content_hash, failures)
        else:
            yield self._admitted(candidate.place, candidate.bot)

    def _late(self, candidate: _Candidate) -> Refused:
        """End a check that takes too long, and refuse the bot."""
        self.close()
        shutil.rmtree(candidate.bot.home, ignore_errors=True)
        reason = f"its check took more than {LONGEST_S / 3600:g} h"
        return self._refuse(candidate.place, candidate.bot.content_hash, [reason])

    def _admitted(self, place: str, bot: Bot) -> Admitted:
        self._forgive(place)
        path = bot.home.relative_to(self._folder.resolve())
        return Admitted(bot, place, BotTable(path=str(path), owner=bot.name))

    def _refuse(self, place: str, found: str, reasons: Sequence[str]) -> Refused:
        """Write the report of a bot that is refused; without it, the bot is checked again by the next run."""
        lines = [
            f"The bot in the folder {place} cannot play in the ladder:", "", *reasons, "",
            "It will be checked again when its files change, or when this report is removed.", f"files: {found}",
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
            self._inbox.forget(place)

    def _refused_before(self, place: str, found: str) -> bool:
        """Whether there is a report about these very files."""
        try:
            reported = _HASH.search(read_regular(self._report(place), MOST_REPORT).decode(errors="replace"))
        except OSError:
            return False
        is_same = reported is not None and reported[1] == found
        if is_same:
            self._reported.add(place)
        return is_same

    def _forgive(self, place: str) -> None:
        """Remove the report about an earlier state of a bot."""
        self._reported.discard(place)
        with suppress(OSError):
            self._report(place).unlink(missing_ok=True)

    def _report(self, place: str) -> Path:
        return self._inbox.path / f"{place}{REFUSED}"


def exam_of(game: str, clock: ClockTable, sandbox: SandboxTable) -> Callable[[Path], Exam]:
    """Return what begins the check of a bot's folder, with the clock and the sandbox of a ladder."""
    return lambda folder: Exam(Examined(folder=str(folder), game=game, clock=clock, sandbox=sandbox))


def _digest(folder: Path) -> str:
    """Return the content hash of a folder whose bot.toml cannot be read; empty if nothing can be."""
    try:
        return contents.digest(folder, NO_CONTENT)
    except ContentsError:
        return ""
