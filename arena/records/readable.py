"""Messages between arena and bot as lines for a person: observations decoded, actions by name."""

from collections.abc import Iterable, Iterator

from google.protobuf import text_format
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import Action, ArenaMessage, BotMessage, Decide, Event, Observe

HIDDEN = "(hidden)"
RAW_BYTES = 64
"""How many bytes of an undecodable message are shown."""


def action_name(game: Game, action: int) -> str:
    """Return number and name of an action; a bot may send any number."""
    names = game.action_names
    return f"{action} {names[action]}" if action < len(names) else f"{action} (no action of {game.name})"


def read_request(data: bytes) -> ArenaMessage:
    """Parse a message of the arena; return an empty one for bytes of a damaged file."""
    try:
        return ArenaMessage.FromString(data)
    except DecodeError:
        return ArenaMessage()


def request_lines(game: Game, data: bytes) -> Iterator[str]:
    """Yield a message of the arena as lines."""
    request = read_request(data)
    kind = request.WhichOneof("message")
    if kind == "decide":
        yield from decide_lines(game, request.decide)
    elif kind == "observe":
        yield "Observe"
        yield from _indented(_news_lines(game, request.observe))
    elif kind:
        yield from _message_lines(getattr(request, kind))
    else:
        yield f"{len(data)} bytes that are not an ArenaMessage"


def decide_lines(game: Game, decide: Decide) -> Iterator[str]:
    """Yield a question as lines: its clock, the legal actions, the events before it, and the observation."""
    yield f"Decide {decide.decision_id}: {decide.limit_ms} ms for this decision, {decide.bank_ms} ms in the bank"
    yield "  legal: " + ", ".join(action_name(game, action) for action in decide.legal)
    yield from _indented(_news_lines(game, decide))


def reply_lines(game: Game, data: bytes) -> Iterator[str]:
    """Yield a message of a bot, which may be any bytes, as lines."""
    try:
        reply = BotMessage.FromString(data)
    except DecodeError:
        shown = data[:RAW_BYTES]
        yield f"{len(data)} bytes or more that are not a BotMessage: {shown!r}{'...' if shown != data else ''}"
        return
    kind = reply.WhichOneof("message")
    if kind == "action":
        yield from _action_lines(game, reply.action)
    elif kind:
        yield from _message_lines(getattr(reply, kind))
    else:
        yield "a BotMessage without any field that protocol 1 knows"


def _action_lines(game: Game, action: Action) -> Iterator[str]:
    yield f"Action to decision {action.decision_id}: {action_name(game, action.action)}"
    if action.thoughts:
        yield from (f"  thoughts: {line}" for line in action.thoughts.splitlines())
    if action.HasField("evaluation"):
        yield "  evaluation:"
        yield from _indented(_indented(_text(action.evaluation)))


def _news_lines(game: Game, news: Decide | Observe) -> Iterator[str]:
    if news.events:
        yield "events: " + ", ".join(_event(game, event) for event in news.events)
    kind = game.wire().observation_type  # the module of the wire has loaded the generated code
    try:
        observation = GetMessageClass(Default().FindMessageTypeByName(kind)).FromString(news.observation)
    except DecodeError:
        yield f"observation: {len(news.observation)} bytes that are not a {kind}"
        return
    yield f"observation, a {kind}:"
    yield from _indented(_text(observation))


def _event(game: Game, event: Event) -> str:
    return f"seat {event.seat} {action_name(game, event.action) if event.action else HIDDEN}"


def _message_lines(message: Message) -> Iterator[str]:
    yield type(message).__name__
    yield from _indented(_text(message))


def _text(message: Message) -> list[str]:
    return text_format.MessageToString(message, use_short_repeated_primitives=True, as_utf8=True).splitlines()


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
