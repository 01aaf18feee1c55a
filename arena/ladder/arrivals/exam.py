"""The admission of a bot: hashes, copy and the checks of `ballcourt check bot`, in a process of their own.

The ladder goes on playing meanwhile, however much a stranger's folder holds and however long its build takes, and a bot
under check cannot harm the ladder's process. `python -m ballcourt.arena.ladder.arrivals.exam` reads a line of JSON, an
`Arriving`, and prints an `ExamOutcome` as one. It ends when its parent does.
"""

import shutil
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import BOT_FILE, NO_CONTENT, BotError, check_plays, load_bot
from ballcourt.arena.bots.contents import MOST_BYTES, ContentsError
from ballcourt.arena.bots.version import NO_BOT, BotVersion
from ballcourt.arena.checks.check import CheckResult, Outcome
from ballcourt.arena.ladder.arrivals.names import refusal
from ballcourt.arena.ladder.copies import copied
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.models import LAX, Model
from ballcourt.arena.processes.asked import AskedProcess, answer
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.tournament.event.tables import ClockTable, SandboxTable, SetUpTable
from ballcourt.arena.workers.process import environment
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game


class Arriving(Model):
    """A bot that arrives, and what it is checked with."""

    source: str
    """Its folder; in a watched folder, its name is the bot's place."""
    output: str
    """The output folder of the ladder."""
    copy_to: str
    """Where its copy is put; there is none unless the bot has passed."""
    setups: Annotated[tuple[SetUpTable, ...], LAX]
    """What is played in the ladder."""
    place: str = ""
    """The bot's place, if it is not the name of its folder."""
    owner: str = ""
    """Whose it is, if that is known: of each owner, one bot is built at a time."""
    records: str = ""
    """Where the records of the matches of its check are put; empty: they are not kept."""
    again: bool = False
    """Whether these files may have been let in before; then they are checked again."""
    refused: str = ""
    """The content hash of the files that were refused before; empty if there are none."""
    most: int = MOST_BYTES
    """How many bytes its folder may hold."""
    clock: ClockTable = ClockTable()
    sandbox: SandboxTable = SandboxTable()


class ExamVerdict(StrEnum):
    """The outcome of a bot's admission."""

    PASSED = "passed"
    """It may join."""
    PLAYS = "plays"
    """It plays already."""
    REFUSED = "refused"
    REFUSED_BEFORE = "refused before"
    """Its files are those that were refused."""
    UNREADABLE = "unreadable"
    """Its folder holds no bot, or was changed while it was read."""


class ExamOutcome(Model):
    """The result of the admission of a bot."""

    verdict: Annotated[ExamVerdict, LAX]
    reasons: Annotated[tuple[str, ...], LAX] = ()
    """Why it cannot play, each a paragraph."""
    passed: Annotated[tuple[str, ...], LAX] = ()
    """The checks that it passed, each a line; none if it was refused before them."""
    bot: BotVersion = NO_BOT
    """Without name and version if its bot.toml cannot be read."""
    files_hash: str = ""
    """The hash of its copy without bot.toml."""


class Exam(AskedProcess[ExamOutcome]):
    """The admission of one bot, in a process that this starts."""

    def __init__(self, arriving: Arriving) -> None:
        super().__init__(__name__, arriving, ExamOutcome, environment(), "its check")


def examine(arriving: Arriving, check: Callable[[Arriving], Sequence[CheckResult]]) -> ExamOutcome:
    """Read a bot, copy it if it is new, and check the copy by `check`; leave no copy unless it passes."""
    source, found = Path(arriving.source), ""
    try:
        bot = load_bot(source, most=arriving.most)
        found = bot.content_hash
        bare = ExamOutcome(verdict=ExamVerdict.PASSED, bot=bot.entrant.bot)
        if found == arriving.refused:
            return bare.replaced(verdict=ExamVerdict.REFUSED_BEFORE)
        roster = Roster(read_trail(Path(arriving.output)))
        known = roster.find(bare.bot)
        if not (arriving.again and known and known.bot.content_hash == found):
            if reason := refusal(bare.bot, arriving.place or source.name, roster):
                return bare.replaced(verdict=ExamVerdict.REFUSED, reasons=(reason,))
            if known and not known.withdrawal:
                return bare.replaced(verdict=ExamVerdict.PLAYS)
        check_plays(bot, *(find_game(name) for table in arriving.setups for name in table.game or ()))
        copied(bot, source, Path(arriving.copy_to), arriving.most)
        bare = bare.replaced(files_hash=contents.digest(Path(arriving.copy_to), (BOT_FILE,)))
    except (BotError, ContentsError) as error:
        found = found or _digest(source, arriving.most)
        return ExamOutcome(verdict=ExamVerdict.UNREADABLE, reasons=(str(error),), bot=BotVersion("", "", found))
    passed: tuple[str, ...] = ()
    try:
        results = check(arriving)
        reasons = tuple(result.paragraph for result in results if result.outcome is Outcome.FAIL)
        passed = tuple(result.line for result in results if result.outcome is Outcome.PASS)
    except WrongInput as error:
        reasons = (str(error),)
    if reasons:
        shutil.rmtree(arriving.copy_to, ignore_errors=True)
    verdict = ExamVerdict.REFUSED if reasons else ExamVerdict.PASSED
    return bare.replaced(verdict=verdict, reasons=reasons, passed=passed)


def checked(arriving: Arriving) -> list[CheckResult]:
    """Check the copy of a bot; put the records of its matches where they are asked for. Raises WrongInput."""
    # only here, since most processes find out before that a bot plays already or is refused
    from ballcourt.arena.checks.bot_check import BotCheck
    from ballcourt.arena.records.store import write_record
    from ballcourt.arena.workers.speed import speed

    clock = arriving.clock.clock().on(speed())
    sandbox, setups = arriving.sandbox.sandbox(), setups_of(arriving.setups)
    check = BotCheck(Path(arriving.copy_to), owner=arriving.owner, clock=clock, sandbox=sandbox, setups=setups)
    found = [*check.run()]
    for record in check.records if arriving.records else ():
        write_record(Path(arriving.records), record)
    return found


def _digest(folder: Path, most: int) -> str:
    """Return the content hash of a folder whose bot.toml cannot be read; empty if nothing can be."""
    try:
        return contents.digest(folder, NO_CONTENT, most)
    except ContentsError:
        return ""


if __name__ == "__main__":
    answer(Arriving, lambda arriving: examine(arriving, checked))
