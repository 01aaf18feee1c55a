"""The trail of an event: what its organiser decided, when and why, in a file that only grows.

Each line of `decisions.jsonl` is a JSON object: a decision, or a run's note of the block from which one applies.
Records and this trail are all the state of an event: from the same two follow the same matches.
"""

import getpass
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from operator import not_
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from ballcourt.arena.locks import lock
from ballcourt.arena.models import Model
from ballcourt.arena.printable import json_line
from ballcourt.arena.tournament.event.json_lines import append, cut_unfinished, damaged, read_lines
from ballcourt.engine.core import WrongInput

TRAIL: Final = "decisions.jsonl"

Action = Literal["withdraw", "void", "repeat", "add", "lengthen", "pause", "resume", "close"]
WHAT: Final[dict[Action, str]] = {
    "withdraw": "{0.bot} is {0.how}",
    "void": "{0.match} does not count",
    "repeat": "{0.match} is played again",
    "add": "{0.bot} joins",
    "lengthen": "the event now has {0.length} {0.unit}",
    "pause": "the event is paused",
    "resume": "the event goes on",
    "close": "the event is closed",
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


class Lengthening(_Decision):
    """The event has another length. A line of the trail calls it `number`, as the place in the trail is not written."""

    action: Literal["lengthen"]
    unit: Literal["rounds", "blocks", "matches"]
    length: int


class Halt(_Decision):
    """The event is paused, goes on, or is closed."""

    action: Literal["pause", "resume", "close"]


class _Application(Model):
    """A run's note of the block from which a decision applies."""

    action: Literal["apply"] = "apply"
    decision: int
    block: int
    time: str = ""


Decision = Annotated[Withdrawal | Ruling | Addition | Lengthening | Halt, Field(discriminator="action")]
_DECISION: Final = TypeAdapter[Decision](Decision)
_VALUES: Final = TypeAdapter(dict[str, Any])


def read_trail(folder: Path) -> tuple[Decision, ...]:
    """Return the decisions about the event in a folder, in order. Raises TrailError."""
    decisions: dict[int, Decision] = {}
    path = folder / TRAIL
    for line, values in read_lines(path, _VALUES, TrailError):
        try:
            if values.get("action") == "apply":
                note = _Application.model_validate(values)
                decisions[note.decision] = decisions[note.decision].model_copy(update={"block": note.block})
            else:
                decisions[len(decisions) + 1] = _decision(len(decisions) + 1, values)
        except (KeyError, ValueError) as error:
            raise damaged(path, line, TrailError) from error
    return tuple(decisions.values())


def size_of(folder: Path) -> int:
    """Return the size of the trail in bytes, which grows with each decision; 0 if there is none."""
    try:
        return (folder / TRAIL).stat().st_size
    except OSError:
        return 0


def decide(folder: Path, action: Action, reason: str, details: Mapping[str, object], who: str = "") -> Decision:
    """Add a decision to the trail, by default of the user of this process; it is on disk when this returns.

    Raises TrailError.
    """
    return decide_all(folder, action, reason, [details], who)[0]


def decide_all(
    folder: Path, action: Action, reason: str, details: Iterable[Mapping[str, object]], who: str = ""
) -> list[Decision]:
    """Add a decision to the trail for each of these details, as `decide` does, all in one write. Raises TrailError."""
    common = {"reason": reason, "who": who or _user(), "time": _now()}
    entries = [{"action": action, **about, **common} for about in details]
    with _appending(folder / TRAIL) as file:
        first = len(read_trail(folder)) + 1
        decisions = [_decision(number, values) for number, values in enumerate(entries, first)]
        append(file, map(json_line, entries))
    return decisions


def apply(folder: Path, decisions: Sequence[Decision], block: int) -> None:
    """Note that these decisions apply from a block on, on disk when this returns. Raises TrailError."""
    with _appending(folder / TRAIL) as file:
        notes = (_Application(decision=one.number, block=block, time=_now()) for one in decisions)
        append(file, map(json_line, notes))


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
