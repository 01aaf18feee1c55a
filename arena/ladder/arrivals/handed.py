"""Bots that another program hands over to a ladder, such as the server of a contest: it has examined them already.

The two speak by files in the ladder's output folder, so that either may be ended at any time. The other program puts
the files of a bot at `arrivals/HASH`, where HASH is their content hash, and then adds a line to `arrivals.jsonl`:

    {"submission":"7f3a","name":"ann","version":"2","hash":"<64 hexadecimal digits>","owner":"reds"}

`submission` is the other program's own word for it, once used; `name` and `version` are those in bot.toml, and `owner`
is whose bot it is, such as a team. The ladder lets the bot in when it begins its next stage, without another check, and
answers with a line in `arrivals.answers.jsonl`, at least once for each submission:

    {"submission":"7f3a","outcome":"joined","decision":12}
    {"submission":"7f3a","outcome":"refused","sentence":"the name ann belongs to blues; choose another name"}

`decision` is the number of the decision in the trail that let it in. The bot plays from `arrivals/HASH`, which must
stay as it is while the version plays; one that this machine has not built joins once it is built. Its place is
OWNER/NAME: a name belongs to its owner, bots of one owner do not sit at one table while others are there to play, and
the newest `versions` of each place stay.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from ballcourt.arena.bots.bot import Bot, BotError, check_plays, load_bot
from ballcourt.arena.bots.contents import ContentsError
from ballcourt.arena.bots.entrant import LADDER_ITSELF
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.building import Build, Unbuilt, needs_build
from ballcourt.arena.ladder.arrivals.interface import Arrivals, Refused
from ballcourt.arena.ladder.arrivals.names import refusal
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.locks import lock
from ballcourt.arena.models import Model, Must, Text, unless
from ballcourt.arena.naming import line_objection, version_objection
from ballcourt.arena.processes.asked import AnswerDue
from ballcourt.arena.tournament.event.json_lines import LineFollower, append, cut_unfinished, read_lines
from ballcourt.arena.tournament.event.tables import BotTable, EntrantName, SandboxTable
from ballcourt.engine.core import Game, WrongInput

ARRIVALS: Final = "arrivals"
"""The folder in the output folder with the files of bots that were handed over, each named by its content hash."""
HANDED: Final = "arrivals.jsonl"
ANSWERS: Final = "arrivals.answers.jsonl"


class ArrivalsError(WrongInput):
    """The lines about bots that were handed over cannot be read; the sentence says why."""


def _owner_objection(owner: str) -> str:
    is_other = owner not in ("", LADDER_ITSELF)
    return "" if is_other else f"it must be a name, and not {LADDER_ITSELF}, which owns the residents"


class Handed(Model):
    """A bot that was handed over."""

    submission: Annotated[Text, unless(line_objection)]
    """The other program's word for it, at most 200 characters."""
    name: EntrantName
    version: Annotated[str, unless(version_objection)]
    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), Must("64 hexadecimal digits in lower case")]
    """The content hash of its files."""
    owner: Annotated[EntrantName, unless(_owner_objection)]

    @property
    def bot(self) -> BotVersion:
        """What is handed over."""
        return BotVersion(self.name, self.version, self.hash)

    @property
    def place(self) -> str:
        """Where it comes from; no folder in a watched folder can be called so."""
        return f"{self.owner}/{self.name}"


class ArrivalAnswer(Model):
    """The outcome of a submission."""

    submission: str
    outcome: Literal["joined", "refused"]
    sentence: str = ""
    """Why it was refused, in a line."""
    decision: int | None = None
    """The number of the decision in the trail that let it in."""


_HANDED: Final = TypeAdapter(Handed)
_ANSWER: Final = TypeAdapter(ArrivalAnswer)


def files_of(folder: Path, digest: str) -> Path:
    """Return where the files with this content hash are in the output folder of a ladder."""
    return folder / ARRIVALS / digest


def hand_over(folder: Path, handed: Handed) -> None:
    """Hand a bot, whose files are in place, over to the ladder in a folder; on disk when this returns.

    Raises OSError.
    """
    _add(folder / HANDED, handed)


def handed_over(folder: Path) -> Iterator[Handed]:
    """Yield what has been handed over to the ladder in a folder. Raises ArrivalsError."""
    return (handed for _, handed in read_lines(folder / HANDED, _HANDED, ArrivalsError))


def follow_answers(folder: Path) -> LineFollower[ArrivalAnswer]:
    """Return what reads the answers of the ladder in a folder; it raises ArrivalsError."""
    return LineFollower(folder / ANSWERS, _ANSWER, ArrivalsError)


class HandedArrivals(Arrivals):
    """The bots that were handed over to a ladder."""

    def __init__(
        self,
        folder: Path,
        games: Collection[Game],
        sandbox: SandboxTable | None = None,
        build: Callable[[Unbuilt], AnswerDue[str]] = Build,
    ) -> None:
        """`folder` is the output folder of the ladder; `build` begins a build in the sandbox, if this machine builds.

        Raises ArrivalsError.
        """
        self._folder = folder
        self._games = games
        self._sandbox = sandbox
        self._build = build
        self._builds: dict[str, AnswerDue[str]] = {}  # by submission
        self._lines = LineFollower(folder / HANDED, _HANDED, ArrivalsError)
        self._answered = {answer.submission for _, answer in read_lines(folder / ANSWERS, _ANSWER, ArrivalsError)}
        self._open: dict[str, Handed] = {}  # by submission; those without an answer
        self._let_in: set[str] = set()  # those of these that may join, and may have retired already
        self._places: set[str] = set()

    @property
    def places(self) -> frozenset[str]:
        """The places of all bots that were handed over so far."""
        return frozenset(self._places)

    def step(self, roster: Roster, admitted: Sequence[Version] = ()) -> Iterator[Version | Refused]:
        """Read what was added, and answer; yield those who may join, and those who may not.

        Raises OSError and ArrivalsError.
        """
        for _, handed in self._lines.added():
            self._places.add(handed.place)
            if handed.submission not in self._answered:
                self._open[handed.submission] = handed
        for handed in [*self._open.values()]:
            if any(str(one.bot) == str(handed.bot) for one in admitted):
                continue  # until it is in the roster
            known = roster.find(handed.bot)
            is_known = known and (known.bot, known.place) == (handed.bot, handed.place)
            if known and is_known and (not known.withdrawal or handed.submission in self._let_in):
                self._answer(ArrivalAnswer(submission=handed.submission, outcome="joined", decision=known.arrival))
            elif decided := self._decided(handed, roster, admitted):
                yield decided

    def close(self) -> None:
        for build in self._builds.values():
            build.end()

    def _decided(self, handed: Handed, roster: Roster, admitted: Sequence[Version]) -> Version | Refused | None:
        """Return whether a bot may join; None while it is being built."""
        try:
            bot = self._checked(handed)
            reason: str | None = refusal(handed.bot, handed.place, roster, admitted)
            if not reason and self._sandbox and needs_build(bot) and handed.submission not in self._let_in:
                reason = self._built(handed, self._sandbox)
        except (ArenaError, BotError, ContentsError, OSError) as error:
            reason = str(error).partition("\n")[0]
        if reason is None:
            return None
        if not reason:
            self._let_in.add(handed.submission)
            path = files_of(Path(), handed.hash)
            return Version(handed.bot, handed.place, BotTable(path=str(path), owner=handed.owner))
        self._answer(ArrivalAnswer(submission=handed.submission, outcome="refused", sentence=reason))
        return Refused(handed.place, reason, self._folder / ANSWERS)

    def _built(self, handed: Handed, sandbox: SandboxTable) -> str | None:
        """Return why a bot cannot be built, empty if it can; None while it is built, or waits for its turn.

        The ladder plays on meanwhile, and one bot of each owner is built at a time. Raises ArenaError.
        """
        if handed.submission not in self._builds:
            owners = [self._open[submission].owner for submission in self._builds]
            if handed.owner in owners or len(owners) >= sandbox.sandbox().build.at_once:
                return None
            files = files_of(self._folder.absolute(), handed.hash)
            unbuilt = Unbuilt(files=str(files), hash=handed.hash, owner=handed.owner, sandbox=sandbox)
            self._builds[handed.submission] = self._build(unbuilt)
        is_over = self._builds[handed.submission].is_over
        return self._builds.pop(handed.submission).outcome() if is_over else None

    def _checked(self, handed: Handed) -> Bot:
        """Return a bot whose files describe it and have the hash that the other program says. Raises BotError."""
        bot = load_bot(files_of(self._folder, handed.hash), hashed=handed.hash)
        if bot.entrant.bot != handed.bot:
            raise BotError(f"it was handed over as {handed.bot}, and its bot.toml says {bot.entrant.bot}")
        check_plays(bot, *self._games)
        return bot

    def _answer(self, answer: ArrivalAnswer) -> None:
        """Answer a submission. Raises OSError."""
        _add(self._folder / ANSWERS, answer)
        self._answered.add(answer.submission)
        self._let_in.discard(answer.submission)
        del self._open[answer.submission]
        if build := self._builds.pop(answer.submission, None):
            build.end()


def _add(path: Path, line: Model) -> None:
    with path.open("a+b") as file:
        lock(file)
        cut_unfinished(file)
        append(file, [line.model_dump_json(exclude_defaults=True)])
