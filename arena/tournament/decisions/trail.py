"""The trail of an event: what its organiser decided, when and why, in a file that only grows.

Each line of `decisions.jsonl` is a JSON object: a decision, or a run's note of the block from which one applies.
Records and this trail are all the state of an event: from the same two follow the same matches.
"""

import getpass
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from operator import not_
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.locks import lock
from ballcourt.arena.models import Model
from ballcourt.arena.printable import json_line
from ballcourt.arena.tournament.event.json_lines import LineFollower, append, cut_unfinished, damaged
from ballcourt.engine.core import WrongInput

TRAIL: Final = "decisions.jsonl"

Action = Literal["withdraw", "void", "repeat", "add", "lengthen", "pause", "resume", "close", "renew"]
WHAT: Final[dict[Action, str]] = {
    "withdraw": "{0.bot} is {0.how}",
    "void": "{0.match} does not count",
    "repeat": "{0.match} is played again",
    "add": "{0.bot} joins",
    "lengthen": "the event now has {0.length} {0.unit}",
    "pause": "the event is paused",
    "resume": "the event goes on",
    "close": "the event is closed",
    "renew": "{0.game} goes on under rules {0.version}",
}
"""The sentence of a decision, by its action."""


class TrailError(WrongInput):
    """The trail of an event cannot be read or written; the sentence says why."""


class _Decision(Model):
    """What an organiser decided."""

    number: Annotated[int, Field(ge=1)]
    """From 1, in order."""
    time: Annotated[str, Field(json_schema_extra={"format": "date-time"})]
    """UTC, such as "2026-11-22T18:30:05Z"."""
    who: str
    reason: str
    action: Action
    block: int | None = None
    """The first block that was not begun when a run noticed it; None: none has yet."""

    @property
    def sentence(self) -> str:
        """What was decided, by whom and why."""
        return f"{WHAT[self.action].format(self)} ({self.who}: {self.reason})"


class Withdrawal(_Decision):
    """A bot plays no more matches."""

    action: Literal["withdraw"]
    bot: str
    """Its name and version, with a space between."""
    strike: bool
    """Whether its past matches do not count either."""
    rule: Annotated[str, Field(exclude_if=not_)] = ""
    """The rule of a ladder that retires it; empty if the organiser withdraws it."""

    @property
    def how(self) -> str:
        """In what way it leaves."""
        return ("retired" if self.rule else "withdrawn") + (", and its matches are struck" if self.strike else "")


class Ruling(_Decision):
    """A match or a block does not count; it may be played again."""

    action: Literal["void", "repeat"]
    match: str


class Addition(_Decision):
    """A bot joins."""

    model_config = ConfigDict(validate_by_name=True)

    action: Literal["add"]
    bot: str
    """Its name and version, with a space between."""
    table: dict[str, Any]
    """Its table, as in a tournament file."""
    content_hash: str
    owner: str
    place: Annotated[str, Field(alias="from", exclude_if=not_)] = ""
    """The folder in the watched folder of a ladder that it comes from."""

    @property
    def version(self) -> BotVersion:
        """The bot. Raises ValueError."""
        return BotVersion.parse(self.bot, self.content_hash)


class Lengthening(_Decision):
    """The event has another length. A line of the trail calls it `number`, as the place in the trail is not written."""

    action: Literal["lengthen"]
    unit: Literal["rounds", "blocks", "matches"]
    length: int


class Halt(_Decision):
    """The event is paused, goes on, or is closed."""

    action: Literal["pause", "resume", "close"]


class Renewal(_Decision):
    """A ladder goes on under other rules of a game."""

    action: Literal["renew"]
    game: str
    version: str
    """That of the rules."""


class _Application(Model):
    """A run's note of the block from which a decision applies."""

    action: Literal["apply"] = "apply"
    decision: Annotated[int, Field(ge=1)]
    block: int
    time: str = ""


Decision = Annotated[Withdrawal | Ruling | Addition | Lengthening | Halt | Renewal, Field(discriminator="action")]
_DECISION: Final = TypeAdapter[Decision](Decision)
_VALUES: Final = TypeAdapter(dict[str, Any])


class Trail:
    """The trail in a folder, read as it grows: each line once, however long it is."""

    def __init__(self, folder: Path) -> None:
        """Read nothing yet: there need not be a trail."""
        self._folder = folder
        self._lines = LineFollower(folder / TRAIL, _VALUES, TrailError)
        self._seen = 0  # its size when it was read last
        self.decisions: list[Decision] = []
        """Those that have been read, in order."""
        self._pending: dict[int, None] = {}

    @property
    def has_news(self) -> bool:
        """Whether it has grown since it was read."""
        return size_of(self._folder) != self._seen

    @property
    def pending(self) -> list[Decision]:
        """The decisions that no run has noticed, among those that have been read."""
        return [self.decisions[number - 1] for number in self._pending]

    def follow(self) -> list[Decision]:
        """Read what was added; return those of all decisions read that no run has noticed. Raises TrailError."""
        self._seen = size_of(self._folder)
        for line, values in self._lines.added():
            try:
                self._take(values)
            except (IndexError, ValueError) as error:
                raise damaged(self._folder / TRAIL, line, TrailError) from error
        return self.pending

    def _take(self, values: dict[str, Any]) -> None:
        if values.get("action") == "apply":
            note = _Application.model_validate(values)
            noted = self.decisions[note.decision - 1].model_copy(update={"block": note.block})
            self.decisions[note.decision - 1] = noted
            self._pending.pop(note.decision, None)
        else:
            number = len(self.decisions) + 1
            self.decisions.append(_decision(number, values))
            self._pending[number] = None

    def decide(self, action: Action, reason: str, details: Mapping[str, object], who: str = "") -> Decision:
        """Add a decision, by default of the user of this process, on disk when this returns. Raises TrailError."""
        return self.decide_all(action, reason, [details], who)[0]

    def decide_all(
        self, action: Action, reason: str, details: Iterable[Mapping[str, object]], who: str = ""
    ) -> list[Decision]:
        """Add a decision for each of these details, as `decide` does, all in one write. Raises TrailError."""
        common = {"reason": reason, "who": who or _user(), "time": _now()}
        entries = [{"action": action, **about, **common} for about in details]
        with _appending(self._folder / TRAIL) as file:
            self.follow()
            decisions = [_decision(number, values) for number, values in enumerate(entries, len(self.decisions) + 1)]
            append(file, map(json_line, entries))
        return decisions

    def notice(self, first_block: Callable[[Decision], int]) -> list[Decision]:
        """Read what was added, note from which block on each decision applies, and return those that are new.

        Raises TrailError.
        """
        noticed: list[Decision] = []
        while news := self.follow():  # again, with our own notes and what may have been decided in the meantime
            for block, alike in groupby(news, first_block):
                self.apply([*alike], block)
            noticed += news
        return noticed

    def apply(self, decisions: Sequence[Decision], block: int) -> None:
        """Note that these decisions apply from a block on, on disk when this returns. Raises TrailError."""
        with _appending(self._folder / TRAIL) as file:
            notes = (_Application(decision=one.number, block=block, time=_now()) for one in decisions)
            append(file, map(json_line, notes))


def read_trail(folder: Path) -> tuple[Decision, ...]:
    """Return the decisions about the event in a folder, in order. Raises TrailError."""
    trail = Trail(folder)
    trail.follow()
    return tuple(trail.decisions)


def size_of(folder: Path) -> int:
    """Return the size of the trail in bytes, which grows with each decision; 0 if there is none."""
    try:
        return (folder / TRAIL).stat().st_size
    except OSError:
        return 0


def _decision(number: int, values: Mapping[str, object]) -> Decision:
    """Return a decision from a line of the trail. Raises ValueError."""
    named = {"length" if name == "number" else name: value for name, value in values.items()}
    return _DECISION.validate_python({**named, "number": number})


@contextmanager
def _appending(path: Path) -> Iterator[IO[bytes]]:
    """Hold a trail open for this process alone, without a line at its end that a crash cut short."""
    try:
        with path.open("a+b") as file:
            lock(file)
            cut_unfinished(file)
            yield file
    except OSError as error:
        raise TrailError(f"cannot write to {path}: {error.strerror or error}") from error


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without a name, as in many containers
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
