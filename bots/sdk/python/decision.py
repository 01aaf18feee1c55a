"""What a bot sees, and what it is asked.

Messages are read when a bot asks: each field that is read costs as much as many lines of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from ballcourt.v1.protocol_pb2 import Decide, Evaluation, Event, MatchStart, Observe


class UnknownObservation(LookupError):
    """The generated code of a game's observation message is not installed."""


class View:
    """What a bot's seat may know, and the events since its last view."""

    match: MatchStart

    def __init__(self, match: MatchStart, message: Decide | Observe) -> None:
        self.match = match
        self._message = message

    @property
    def data(self) -> bytes:
        """The encoded observation."""
        return self._message.observation

    @property
    def events(self) -> Sequence[Event]:
        """The actions of all seats, oldest first; an action is 0 while it is secret."""
        return self._message.events

    @cached_property
    def observation(self) -> Any:  # noqa: ANN401 (a different message for every game)
        """The game's own observation message, e.g. a `TzolkinObservation`; decoded on first use.

        Raises UnknownObservation when the game's generated code is not installed.
        """
        return observation_class(self.match.game, self.match.observation_type).FromString(self.data)


class Decision(View):
    """One question to the bot, with the clock it answers under."""

    legal: Sequence[int]
    """The actions to choose from, ascending; at least two."""
    thoughts: str = ""
    """Set this to keep a note of at most 4096 bytes with the action in the match record."""
    evaluation: Evaluation | None = None
    """Set this to keep in the record, in numbers, what the bot makes of the position."""
    fallback: bool = False
    """Set this if the bot did not choose the action itself, as when a model gave no answer. The record keeps it."""

    def __init__(self, match: MatchStart, message: Decide) -> None:
        super().__init__(match, message)
        self._decide = message
        self.legal = list(message.legal)

    @property
    def number(self) -> int:
        """The number of the question, which its answer repeats."""
        return self._decide.decision_id

    @property
    def together(self) -> int:
        """How many questions of several matches the process is asked at this moment, with this one."""
        return self._decide.together or 1

    @property
    def bank_ms(self) -> int:
        """Think time left for the rest of the match, in milliseconds."""
        return self._decide.bank_ms

    @property
    def limit_ms(self) -> int:
        """Think time for this decision, in milliseconds; a later answer does not count."""
        return self._decide.limit_ms

    @property
    def rejected(self) -> str:
        """Why the bot's last answer to this question was not accepted; empty when asked for the first time."""
        return self._decide.rejected


def observation_class(game: str, full_name: str) -> type[Message]:
    """Return the generated class of a message, importing ballcourt.v1.<game>_pb2 if necessary.

    Raises UnknownObservation if it is not installed.
    """
    try:
        return GetMessageClass(Default().FindMessageTypeByName(full_name))
    except KeyError:
        pass
    try:
        import_module(f"ballcourt.v1.{game}_pb2")
        return GetMessageClass(Default().FindMessageTypeByName(full_name))
    except (ImportError, KeyError):
        raise UnknownObservation(
            f"no generated code for '{full_name}', the observation of the game '{game}'; "
            f"import the module that protoc wrote for it at the top of bot.py"
        ) from None
