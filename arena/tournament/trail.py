"""The trail of an event: what its organiser decided, when and why, in a file that only grows.

Each line of `decisions.jsonl` is a JSON object: a decision, or the note of a run that one applies from some block on.
Records and this trail are all the state of an event: the same two give the same matches to play.
"""

import fcntl
import getpass
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, Literal, get_args

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
    """What it is about; the keys depend on the action."""
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
            "lengthen": "the event has {number} {unit} now",
            "pause": "the event is paused",
            "resume": "the event goes on",
            "close": "the event is closed",
        }[self.action]
        return f"{what.format_map(about)} ({self.who}: {self.reason})"


def read_trail(folder: Path) -> tuple[Decision, ...]:
    """Return the decisions about the event in a folder, in order. Raises TrailError."""
    decisions: dict[int, Decision] = {}
    path = folder / TRAIL
    for line, values in enumerate(_lines(path), start=1):
        try:
            if values["action"] == _APPLY:
                number, block = int(str(values["decision"])), int(str(values["block"]))
                decisions[number] = replace(decisions[number], block=block)
            else:
                decisions[len(decisions) + 1] = _decision(len(decisions) + 1, values)
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(path, line) from error
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
    with _appending(folder / TRAIL) as file:
        number = len(read_trail(folder)) + 1
        values = {"action": action, **details, "reason": reason, "who": who or _user(), "time": _now()}
        _append(file, [values])
    return _decision(number, values)


def apply(folder: Path, decisions: Sequence[Decision], block: int) -> None:
    """Note that these decisions apply from a block on, on disk when this returns. Raises TrailError."""
    with _appending(folder / TRAIL) as file:
        _append(
            file,
            ({"action": _APPLY, "decision": decision.number, "block": block, "time": _now()} for decision in decisions),
        )


def _decision(number: int, values: Mapping[str, object]) -> Decision:
    known = {name: str(values[name]) for name in ("action", "reason", "who", "time")}
    if known["action"] not in ACTIONS:
        raise ValueError(known["action"])
    details = {name: value for name, value in values.items() if name not in known}
    decision = Decision(number, details=details, **known)  # type: ignore[arg-type]  # it is one of ACTIONS
    _ = decision.sentence  # raises KeyError if a detail is missing
    return decision


def _lines(path: Path) -> Iterator[Mapping[str, object]]:
    """Yield the lines of a trail, without one that is being written or was cut short by a crash."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:
        raise TrailError(f"cannot read {path}: {error.strerror or error}") from error
    whole, _, _ = data.rpartition(b"\n")
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _damaged(path, number) from error
        if not isinstance(values, dict):
            raise _damaged(path, number)
        yield values


@contextmanager
def _appending(path: Path) -> Iterator[IO[bytes]]:
    """Hold a trail open for this process alone, without a line at its end that a crash cut short."""
    try:
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            whole = file.read().rfind(b"\n") + 1
            file.truncate(whole)
            yield file
    except OSError as error:
        raise TrailError(f"cannot write to {path}: {error.strerror or error}") from error


def _append(file: IO[bytes], lines: Iterable[Mapping[str, object]]) -> None:
    """Write lines at once, and wait until they are on disk."""
    file.write(b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines))
    file.flush()
    os.fsync(file.fileno())


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())  # a user without a name, as in many containers


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _damaged(path: Path, line: int) -> TrailError:
    return TrailError(f"{path} is damaged in line {line}; restore it from a copy")
