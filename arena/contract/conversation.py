"""Recorded conversations between arena and bot, and the files that hold them."""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.json_format import ParseDict

from ballcourt.arena.files import PACKAGE
from ballcourt.engine.core import WrongInput
from ballcourt.v1.protocol_pb2 import ArenaMessage

MIRROR = "mirror"
"""The name that the conversations expect of a mirror bot."""
VERSION = 5
"""Of the contract: raised when an SDK that kept to it has to change. The page lists the changes."""
KINDS = ("arena", "arena_bytes", "bot", "closes", "signal", "close", "break", "exit")


class ContractError(WrongInput):
    """A conversation is invalid or a bot is not a mirror bot. The message names it and says what is wrong."""


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One step: something that the arena does, or that it expects of the bot."""

    kind: str
    """One of `KINDS`."""
    value: Any
    stream: int = 0
    """The number of the bot's stream, in the order in which they are opened."""
    prints: str = ""
    """What the process must have printed before it exits."""

    def message(self) -> ArenaMessage:
        """Return the message that the arena sends. Raises ValueError if it is not a message."""
        if self.kind == "arena_bytes":
            return ArenaMessage.FromString(b64decode(self.value))
        return ParseDict(self.value, ArenaMessage())


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with one process of a bot."""

    name: str
    about: str
    steps: tuple[ScriptStep, ...]
    environment: Mapping[str, str | None]
    """Changes to the environment that the bot is started with; None removes a variable."""


def conversations() -> list[Conversation]:
    """Read all conversations that are part of the protocol. Raises ContractError."""
    return [_read(path) for path in sorted((PACKAGE / "contract").glob("*.json"))]


def _read(path: Path) -> Conversation:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        steps = tuple(_step(step) for step in values["steps"])
        return Conversation(path.stem, values["about"], steps, values.get("environment", {}))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ContractError(f"{path} is not a conversation: {type(error).__name__}: {error}") from None


def _step(values: Mapping[str, Any]) -> ScriptStep:
    kinds = [kind for kind in KINDS if kind in values]
    if len(kinds) != 1:
        raise ValueError(f"the step {json.dumps(values)} must have exactly one of {', '.join(KINDS)}")
    step = ScriptStep(kinds[0], values[kinds[0]], values.get("stream", 0), values.get("prints", ""))
    if step.kind.startswith("arena"):
        step.message()
    return step
