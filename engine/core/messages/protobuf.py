"""What the wires of games with generated protobuf messages share. The only file of the core that imports protobuf.

Such a game has one message for its observations, with the fields `seat`, `question` (the kind of the top frame) and
`waiting` (the frames, bottom first, each with its `question` and `numbers`); and one enum each for actions and
questions, whose values 0 end in UNSPECIFIED.
"""

from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message

from ballcourt.engine.core.messages.encoding import MessageField
from ballcourt.engine.core.messages.wire import Wire
from ballcourt.engine.core.observation import SPECTATOR, Observation
from ballcourt.engine.core.state import Rows
from ballcourt.engine.errors import MalformedRows

CACHED = 4096
"""How many encodings of each small part are remembered; most parts recur, in this match or in another."""

MessageT = TypeVar("MessageT", bound=Message)


class ProtobufWire(Wire, Generic[MessageT]):
    """A wire whose subclass writes `encode_public`, `encode_private`, `seats`, `public_rows` and `private_rows`."""

    def __init__(
        self,
        game: str,
        seat_counts: tuple[int, ...],
        observation: type[MessageT],
        actions: EnumDescriptor,
        questions: EnumDescriptor,
    ) -> None:
        self.observation_type = observation.DESCRIPTOR.full_name
        self.action_enum = actions.full_name
        self.question_enum = questions.full_name
        self.encode_frame = lru_cache(maxsize=CACHED)(self._encode_frame)
        self._game = game
        self._seat_counts = seat_counts
        self._observation = observation
        self._actions = actions
        self._questions = questions

    def action_names(self) -> tuple[str, ...]:
        """List the names of the actions by number, without the prefix."""
        return tuple(_names(self._actions).values())

    def question_names(self) -> dict[int, str]:
        """Return the names of the questions by number, without the prefix."""
        names = _names(self._questions)
        deprecated = [value.number for value in self._questions.values if value.GetOptions().deprecated]
        return {number: name for number, name in names.items() if number and number not in deprecated}

    def decode(self, data: bytes) -> Observation:
        """Read an observation back."""
        try:
            message = self._observation.FromString(data)
        except DecodeError as error:
            raise MalformedRows(f"these bytes are not an observation of {self._game}: {error}") from error
        seat, seats = cast(Any, message).seat, self.seats(message)
        if seats not in self._seat_counts or not SPECTATOR <= seat < seats:
            raise MalformedRows(f"an observation of {self._game} cannot have {seats} seats, seen by seat {seat}")
        frames = [[int(frame.question), *frame.numbers] for frame in cast(Any, message).waiting]
        return Observation(seat, seats, [*self.public_rows(message, seats), *frames], self.private_rows(message))

    def _encode_frame(self, row: tuple[int, ...]) -> bytes:
        """Encode the row of a frame; `question` of the last one encoded, the top of the stack, is what remains."""
        build = cast(Any, self._observation)
        encoded: bytes = build(question=row[0], waiting=[{"question": row[0], "numbers": row[1:]}]).SerializeToString()
        return encoded

    # -- what each game supplies

    def seats(self, message: MessageT) -> int:
        """Return the number of seats in an observation, 0 when the message is not a whole one."""
        raise NotImplementedError

    def public_rows(self, message: MessageT, seats: int) -> Rows:
        """Read the public rows back, without those of the frames. Raises MalformedRows."""
        raise NotImplementedError

    def private_rows(self, message: MessageT) -> Rows:
        """Read the private rows back; none for a spectator. Raises MalformedRows."""
        raise NotImplementedError


def fields_of(message: type[Message]) -> dict[str, MessageField]:
    """Return the fields of a message by name, for encoding."""
    zigzag = (FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64)
    return {field.name: MessageField(field.number, field.type in zigzag) for field in message.DESCRIPTOR.fields}


def _names(enum: EnumDescriptor) -> dict[int, str]:
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    return {value.number: value.name.removeprefix(prefix) for value in enum.values}
