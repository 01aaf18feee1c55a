"""The trail of an event: what its organiser decided, when and why, in a file that only grows.

Each line of `decisions.jsonl` is a JSON object: a decision, or a run's note of the block from which one applies.
Records and this trail are all the state of an event: from the same two follow the same matches.
"""

import getpass
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, Literal, get_args

from ballcourt.arena.locks import lock
from ballcourt.arena.tournament.event.json_lines import append, cut_unfinished, damaged, read_lines
from ballcourt.engine.core import WrongInput

TRAIL: Final = "decisions.jsonl"
MOST_BYTES: Final = 64 << 20

Action = Literal["withdraw", "void", "repeat", "add", "lengthen", "pause", "resume", "close"]
ACTIONS: Final = get_args(Action)
_APPLY: Final = "apply"


class TrailError(WrongInput):
    """The trail of an event cannot be read or written; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What an organiser decided."""

    number: int
    """From 1, in order."""
    action: Action
    reason: str
    who: str
    time: str
    """UTC, such as "2026-11-22T18:30:05Z"."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What was decided; the keys depend on the action."""
    block: int | None = None
    """The first block that was not begun when a run noticed it; None: none has yet."""

    def to_json(self) -> dict[str, object]:
        """Return the decision as JSON values."""
        told = {"number": self.number, "time": self.time, "who": self.who, "action": self.action, **self.details}
        return told | {"reason": self.reason, "block": self.block}

    @property
    def sentence(self) -> str:
        """What was decided, by whom and why."""
        about = self.details
        what = {
            "withdraw": "{bot} is "
            + ("retired" if about.get("rule") else "withdrawn")
            + (", and its matches are struck" if about.get("strike") else ""),
            "void": "{match} does not count",
            "repeat": "{match} is played again",
            "add": "{bot} joins",
            "lengthen": "the event now has {number} {unit}",
            "pause": "the event is paused",
            "resume": "the event goes on",
            "close": "the event is closed",
        }[self.action]
        return f"{what.format_map(about)} ({self.who}: {self.reason})"


def read_trail(folder: Path) -> tuple[Decision, ...]:
    """Return the decisions about the event in a folder, in order. Raises TrailError."""
    decisions: dict[int, Decision] = {}
    path = folder / TRAIL
    for line, values in read_lines(path, TrailError, MOST_BYTES):
        try:
            if values["action"] == _APPLY:
                number, block = int(str(values["decision"])), int(str(values["block"]))
                decisions[number] = replace(decisions[number], block=block)
            else:
                decisions[len(decisions) + 1] = _decision(len(decisions) + 1, values)
        except (KeyError, TypeError, ValueError) as error:
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
    said = {"reason": reason, "who": who or _user(), "time": _now()}
    entries = [{"action": action, **about, **said} for about in details]
    with _appending(folder / TRAIL) as file:
        first = len(read_trail(folder)) + 1
        decisions = [_decision(number, values) for number, values in enumerate(entries, first)]
        append(file, map(_line, entries))
    return decisions


def apply(folder: Path, decisions: Sequence[Decision], block: int) -> None:
    """Note that these decisions apply from a block on, on disk when this returns. Raises TrailError."""
    with _appending(folder / TRAIL) as file:
        notes = ({"action": _APPLY, "decision": one.number, "block": block, "time": _now()} for one in decisions)
        append(file, map(_line, notes))


def _decision(number: int, values: Mapping[str, object]) -> Decision:
    known = {name: str(values[name]) for name in ("action", "reason", "who", "time")}
    if known["action"] not in ACTIONS:
        raise ValueError(known["action"])
    details = {name: value for name, value in values.items() if name not in known}
    decision = Decision(number, details=details, **known)  # type: ignore[arg-type]  # it is one of ACTIONS
    _ = decision.sentence  # raises KeyError if a detail is missing
    return decision


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


def _line(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())  # a user without a name, as in many containers


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
