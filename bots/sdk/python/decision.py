"""What a bot is shown and asked."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from ballcourt.v1.protocol_pb2 import Decide, Event, MatchStart, Observe


class UnknownObservation(LookupError):
    """The bot has no generated code for the message that a game's observations are."""


class View:
    """What a bot's seat may know, and what happened since it was last shown anything."""

    match: MatchStart
    data: bytes
    """The observation as it came over the wire."""
    events: Sequence[Event]
    """What the seats did, oldest first; an event's action is 0 while it is secret."""

    def __init__(self, match: MatchStart, message: Decide | Observe) -> None:
        self.match = match
        self.data = message.observation
        self.events = message.events

    @cached_property
    def observation(self) -> Any:  # noqa: ANN401 (a different message for every game)
        """The game's own observation message, e.g. a `TzolkinObservation`; decoded when first asked for.

        Raises UnknownObservation when the game's generated code is not installed.
        """
        return observation_class(self.match.game, self.match.observation_type).FromString(self.data)


class Decision(View):
    """One question to the bot."""

    legal: Sequence[int]
    """The actions to choose from, ascending; at least two."""
    bank_ms: int
    """Thinking time left for the rest of the match."""
    limit_ms: int
    """Thinking time for this decision; a later answer counts as none."""
    rejected: str
    """Asked again: why the last answer to this same question was not accepted; else empty."""
    thoughts: str = ""
    """Set it to keep a note of at most 4096 bytes beside the action in the match record."""

    def __init__(self, match: MatchStart, message: Decide) -> None:
        super().__init__(match, message)
        self.legal = list(message.legal)
        self.bank_ms = message.bank_ms
        self.limit_ms = message.limit_ms
        self.rejected = message.rejected


def observation_class(game: str, full_name: str) -> type[Message]:
    """Find the generated class of a message, importing ballcourt.v1.<game>_pb2 when it is not loaded yet.

    Raises UnknownObservation when there is none.
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
            f"there is no generated code here for '{full_name}', the observation of the game '{game}'; "
            f"import the module that protoc wrote for it at the top of bot.py"
        ) from None
