"""Records the conversations of the contract: matches of the real referee, and messages built for the purpose.

Match ids and remaining times would differ in every recording, so they are set to fixed values.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

import ballcourt.contract
from ballcourt import Parameters, Session, View
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.bots.random.bot import RandomBot
from ballcourt.bots.sdk.python.mirror.bot import MirrorBot
from ballcourt.bots.sdk.python.parameters import VARIABLE
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage

FOLDER = Path(next(iter(ballcourt.contract.__path__)))
SEED = 17
DECISIONS = 20
"""How many decisions of a match are recorded."""
BANK_MS, LIMIT_MS = 60_000, 10_000
UNKNOWN_FIELD = bytes([0xC2, 0x3E, 3]) + b"new"
"""Field 1000, a string."""
UNKNOWN_MESSAGE = bytes([0x7A, 2, 0x08, 1])
"""Field 15 of ArenaMessage, a message."""
UNKNOWN_ACTION = 9_999_999
UNKNOWN_TERMINATION = 99

Step = dict[str, Any]
Steps = list[Step]

CAPABILITIES = {"observe": True, "workLimited": True}
HELLO: Step = {
    "bot": {
        "hello": {
            "token": "$TOKEN",
            "protocolMin": 1,
            "bot": {"name": "mirror", "version": "1"},
            "capabilities": CAPABILITIES,
        }
    }
}
WELCOME: Step = {"arena": {"welcome": {"protocol": 1, "arena": "ballcourt contract"}}}
SESSION = "recorded"
GOODBYE: Step = {"arena": {"goodbye": {"reason": "that was all"}}}
LEAVES: Step = {"exit": 0}
CLOSES: Step = {"closes": True}
WORK = 250
MOST_STREAMS = 16
ODD_STREAMS = {
    "empty": "",
    "zero": "0",
    "negative": "-1",
    "signed": "+2",
    "letters": "3abc",
    "spaces": " 2 ",
    "padded": "02",
    "script": "\N{ARABIC-INDIC DIGIT TWO}",
    "too_many": "17",
    "huge": "9" * 30,
}
ODD_ADDRESSES = {
    "empty_port": "localhost:",
    "no_host": ":7433",
    "zero": "localhost:0",
    "too_high": "localhost:65536",
    "signed": "localhost:+7433",
    "spaces": "localhost:7433 ",
    "bare_ipv6": "::1:7433",
}
PARAMETERS = {
    "all": ("shift=-3,weight=0.25", "a whole parameter and a number"),
    "whole": ("shift=7,weight=2", "a whole number is a number too"),
    "exponent": ("weight=-25e-2,shift=0", "a number with an exponent; the order does not matter"),
    "commas": (",shift=1,,weight=1,", "commas with nothing between them count as one"),
    "repeated": ("shift=1,weight=1,shift=2", "the last value of a name counts"),
    "bounds": ("shift=-1000000000000000,weight=1E+3", "the least that a parameter can be"),
}
WRONG_PARAMETERS = {
    "fraction": ("shift=0.5,weight=1", "the parameter 'shift' is 0.5; it must be a whole number"),
    "point": ("shift=3.0,weight=1", "the parameter 'shift' is 3.0; it must be a whole number"),
    "absent": ("weight=1", "there is no parameter 'shift'; bot.toml declares weight"),
}
ODD_PARAMETERS = {
    "no_number": "shift",
    "empty": "shift=",
    "no_name": "=3",
    "letters": "shift=many",
    "spaces": "shift= 3",
    "signed": "shift=+3",
    "hexadecimal": "shift=0x10",
    "underscore": "shift=1_000",
    "script": "shift=٢",
    "nan": "shift=nan",
    "infinite": "shift=inf",
    "overflow": "shift=1e999",
    "too_high": "shift=1000000000000001",
    "no_digit": "shift=.5",
    "trailing_point": "shift=5.",
    "semicolon": "shift=1;weight=1",
}
ODD_TLS = {"upper": "OFF", "spaces": " off"}
ODD_CERTIFICATES = {"absent": "/nonexistent/ca.pem", "folder": "/", "none": "/dev/null"}
REASON = "the bot speaks protocol 1 and this arena speaks 7"


def recordings() -> dict[str, str]:
    """Return the files of the contract: file contents by name."""
    return {f"{name}.json": _text(values) for name, values in _conversations()}


def _conversations() -> Iterator[tuple[str, Step]]:
    yield from _of_matches()
    yield from _of_endings()
    yield "unknown", told("a match with fields, messages and enum values that the bot does not know", whole(unknown()))
    yield "queued", told("questions that arrive before the previous one is answered", whole(queued()))
    yield (
        "resumed",
        told(
            "a stream that breaks during a match and is resumed",
            [*resumed(), {**GOODBYE, "stream": 1}, {**CLOSES, "stream": 1}, LEAVES],
        ),
    )
    streams = {"environment": {"BALLCOURT_STREAMS": "2"}}
    yield "several_streams", told("two matches at once, on two streams", several_streams(), **streams)
    yield "evaluation", told("an evaluation has at most 64 ranked actions", whole(evaluated()))
    yield from _of_parameters()
    yield from _of_streams()
    yield from _of_addresses()
    yield from _of_identities()


def _of_matches() -> Iterator[tuple[str, Step]]:
    for game, seats in (("tzolkin", 3), ("maya", 2), ("ahau", 4)):
        yield game, told(f"the start and the end of a match of {game} with {seats} seats", whole(match(game, seats)))
    yield "solo", told("a match with one seat", whole(match("ahau", 1, first=3)))
    yield "work_limited", told("a match with a work limit", whole(match("maya", 2, first=3, work=WORK)))
    yield "observe", told("pushes between questions", whole(match("maya", 3, observes=True, first=3)))
    bot = Session(MirrorBot())
    played = [step for game in ("tzolkin", "maya", "tzolkin") for step in match(game, 2, first=3, session=bot)]
    yield "several_matches", told("three matches, one after another, on one stream", whole(played))


def _of_endings() -> Iterator[tuple[str, Step]]:
    refusal: Step = {"arena": {"refused": {"reason": REASON}}}
    terminate: Step = {"signal": "TERM"}
    asked = match("maya", 2, first=1)[:3]
    yield "refused", told("a refused bot prints the reason", [HELLO, refusal, {"exit": 1, "prints": REASON}])
    yield "closed", told("the arena ends the stream without Goodbye", [HELLO, WELCOME, {"close": True}, LEAVES])
    yield "sigterm", told("SIGTERM between matches", [HELLO, WELCOME, terminate, LEAVES])
    yield "sigterm_in_match", told("SIGTERM during a match", [HELLO, WELCOME, *asked, terminate, LEAVES])
    alone = {"environment": {"BALLCOURT_SOCKET": None, "BALLCOURT_TOKEN": None}}
    yield "by_hand", told("started by hand, without an arena", [{"exit": 2, "prints": "BALLCOURT_SOCKET"}], **alone)
    away = "/nonexistent/arena.sock"
    nowhere = {"environment": {"BALLCOURT_SOCKET": away}}
    yield "no_arena", told("no arena listens on the socket", [{"exit": 1, "prints": away}], **nowhere)


def _of_parameters() -> Iterator[tuple[str, Step]]:
    """Yield conversations with values of BALLCOURT_PARAMETERS: good ones, of the wrong type, and odd ones."""
    for name, (value, about) in PARAMETERS.items():
        steps = match("maya", 2, first=3, session=Session(_mirror(value)))
        yield f"parameters_{name}", told(about, whole(steps), environment={VARIABLE: value})
    start = match("maya", 2, first=0)[0]
    for name, (value, prints) in WRONG_PARAMETERS.items():
        about = "a bot that asks for a whole parameter which is not there ends with a sentence"
        steps = [HELLO, WELCOME, start, {"exit": 1, "prints": prints}]
        yield f"parameters_{name}", told(about, steps, environment={VARIABLE: value})
    for name, value in ODD_PARAMETERS.items():
        prints = f"BALLCOURT_PARAMETERS is '{value}'; it must be NAME=NUMBER"
        about = "BALLCOURT_PARAMETERS is not a list of names and numbers"
        yield f"parameters_{name}", told(about, [{"exit": 2, "prints": prints}], environment={VARIABLE: value})


def _mirror(parameters: str) -> MirrorBot:
    bot = MirrorBot()
    bot.parameters = Parameters.read(parameters)
    return bot


def _of_streams() -> Iterator[tuple[str, Step]]:
    """Yield conversations with values of BALLCOURT_STREAMS; all but the first mean one stream."""
    each = [[{**step, "stream": stream} for stream in range(MOST_STREAMS)] for step in whole([])[:-1]]
    steps = [*(step for steps in each for step in steps), LEAVES]
    environment = {"BALLCOURT_STREAMS": str(MOST_STREAMS)}
    yield "streams_most", told("the highest number of streams", steps, environment=environment)
    for name, value in ODD_STREAMS.items():
        about = f"BALLCOURT_STREAMS is '{value}', which is no number of streams: the bot opens one"
        yield f"streams_{name}", told(about, whole([]), environment={"BALLCOURT_STREAMS": value})


def _of_addresses() -> Iterator[tuple[str, Step]]:
    """Yield conversations of bots that no stream reaches, because of where they look for the arena."""
    yield _of_variables("address_empty", "no socket and no address", 2, "BALLCOURT_SOCKET", address="")
    for name, value in ODD_ADDRESSES.items():
        prints = f"BALLCOURT_ADDRESS is '{value}'; it must be HOST:PORT"
        yield _of_variables(f"address_{name}", "an address that is not HOST:PORT", 2, prints, address=value)
    here, absent = "localhost:1", ODD_CERTIFICATES["absent"]
    about = "BALLCOURT_TLS is off on this machine: the certificates are not read"
    yield _of_variables("tls_off", about, 1, here, address=here, tls="off", ca=absent)
    about, elsewhere = "BALLCOURT_TLS is off, but the arena is elsewhere", "arena.example:7433"
    yield _of_variables("tls_off_elsewhere", about, 2, "BALLCOURT_TLS is 'off'", address=elsewhere, tls="off")
    for name, value in ODD_TLS.items():
        about = f"BALLCOURT_TLS is '{value}', which is not 'off': the certificates are read"
        yield _of_variables(f"tls_{name}", about, 2, "BALLCOURT_CA is", address=here, tls=value, ca=absent)
    for name, value in ODD_CERTIFICATES.items():
        about, prints = "a BALLCOURT_CA without certificates", f"BALLCOURT_CA is '{value}'; it must be"
        yield _of_variables(f"ca_{name}", about, 2, prints, address=here, ca=value)
    yield _of_variables(
        "ca_empty", "an empty BALLCOURT_CA stands for the system's certificates", 1, here, address=here, ca=""
    )


def _of_variables(name: str, about: str, code: int, prints: str, **variables: str) -> tuple[str, Step]:
    """Return a conversation with a bot that gives up; it has these variables, and an empty BALLCOURT_SOCKET."""
    given = {f"BALLCOURT_{variable.upper()}": value for variable, value in variables.items()}
    environment = {"BALLCOURT_SOCKET": "", **given}
    return name, told(about, [{"exit": code, "prints": prints}], environment=environment)


def _of_identities() -> Iterator[tuple[str, Step]]:
    """Yield conversations with odd values of what the bot says in Hello."""
    empty = {"environment": {"BALLCOURT_TOKEN": ""}}
    yield "token_empty", told("without a token", [{"exit": 2, "prints": "BALLCOURT_TOKEN"}], **empty)
    hello = deepcopy(HELLO)
    hello["bot"]["hello"] |= {"token": " ", "games": [{"game": " maya"}, {"game": "ahau"}]}
    blank = {"environment": {"BALLCOURT_TOKEN": " ", "BALLCOURT_PLAYS": ", maya,,ahau,"}}
    about = "spaces are part of a token and of the name of a game; a game without a name is left out"
    yield "hello_spaces", told(about, [hello, *whole([])[1:]], **blank)


def told(about: str, steps: Steps, **more: object) -> Step:
    """Return a conversation in the form of its file."""
    return {"about": about, **more, "steps": steps}


def whole(steps: Steps) -> Steps:
    """Add Hello and Welcome before the steps, and Goodbye, the end of the stream and the exit after them."""
    return [HELLO, WELCOME, *steps, GOODBYE, CLOSES, LEAVES]


def match(
    game: str,
    seats: int,
    *,
    first: int = DECISIONS,
    observes: bool = False,
    work: int = 0,
    session: Session | None = None,
) -> Steps:
    """Record a match of the mirror bot, in the last seat: its start, its first decisions, and its end."""
    recorder = _Recorder(session or Session(MirrorBot()), observes=observes, decisions=first, work=work)
    play_in_process(game, [*(Session(RandomBot()) for _ in range(seats - 1)), recorder], seed=SEED)
    return recorder.steps


class _Recorder:
    """A mirror bot whose conversation is recorded."""

    def __init__(self, session: Session, *, observes: bool, decisions: int, work: int) -> None:
        self.steps: Steps = []
        self._work = work
        self._session = session
        self._observes = observes
        self._decisions = decisions

    def hello(self, token: str) -> BotMessage:
        """Return the bot's Hello; the recording decides whether it asks for pushes."""
        message = self._session.hello(token)
        message.hello.capabilities.observe = self._observes
        return message

    def handle(self, message: ArenaMessage) -> BotMessage | None:
        """Ask the bot while the recording lasts; answer the rest of the match with the lowest legal action."""
        kind = message.WhichOneof("message")
        if kind == "welcome":
            return None
        if kind in ("decide", "observe") and not self._decisions:
            return _lowest(message) if kind == "decide" else None
        self._decisions -= kind == "decide"
        match_id = message.match_start.match_id
        reply = self._record(message)
        if kind == "match_start" and reply:
            reply.ready.match_id = match_id
        return reply

    def _record(self, message: ArenaMessage) -> BotMessage | None:
        _settle(message)
        if message.HasField("match_start"):
            message.match_start.clock.work = self._work
        reply = self._session.handle(message)
        self.steps += exchange({"arena": MessageToDict(message)}, reply)
        return reply


def _lowest(message: ArenaMessage) -> BotMessage:
    return BotMessage(action={"decision_id": message.decide.decision_id, "action": message.decide.legal[0]})


def _settle(message: ArenaMessage) -> None:
    """Replace the values that would differ in the next recording."""
    kind = message.WhichOneof("message")
    if kind == "decide":
        message.decide.bank_ms, message.decide.limit_ms = BANK_MS, LIMIT_MS
    elif kind in ("match_start", "match_end"):
        getattr(message, kind).match_id = "recorded"


def exchange(sent: Step, reply: BotMessage | None) -> Steps:
    """Return the arena's step, followed by the bot's reply if there is one."""
    return [sent, {"bot": MessageToDict(reply)}] if reply else [sent]


def messages(steps: Steps) -> list[ArenaMessage]:
    """Return the arena's messages among the steps."""
    return [ParseDict(step["arena"], ArenaMessage()) for step in steps if "arena" in step]


def unknown() -> Steps:
    """Return a match whose messages have parts that protocol 1 does not define."""
    session = Session(MirrorBot())
    steps: Steps = [{"arena_bytes": _base64(UNKNOWN_MESSAGE)}]
    for message in messages(match("maya", 2, first=5)):
        _make_later(message)
        data = message.SerializeToString(deterministic=True) + UNKNOWN_FIELD
        steps += exchange({"arena_bytes": _base64(data)}, session.handle(ArenaMessage.FromString(data)))
    return steps


def evaluated() -> Steps:
    """Return a match with a question of 100 legal actions, of which the mirror bot takes the last."""
    session = Session(MirrorBot())
    start, question, end = messages(match("maya", 2, first=1))
    legal = range(1, 101)
    start.match_start.bot_seed = 0
    question.decide.events.clear()
    question.decide.events.add(seat=0, action=len(legal) - 1 - start.match_start.seat - _figure(start, question))
    question.decide.legal[:] = legal
    return [
        step
        for message in (start, question, end)
        for step in exchange({"arena": MessageToDict(message)}, session.handle(message))
    ]


def _figure(start: ArenaMessage, question: ArenaMessage) -> int:
    score: int = View(start.match_start, question.decide).observation.players[start.match_start.seat].score
    return score


def _make_later(message: ArenaMessage) -> None:
    match message.WhichOneof("message"):
        case "decide":
            message.decide.observation += UNKNOWN_FIELD
            message.decide.legal.append(UNKNOWN_ACTION)
        case "match_start":
            message.match_start.options["a later option"] = "on"
        case "match_end":
            message.match_end.results[0].termination = UNKNOWN_TERMINATION  # type: ignore[assignment]


def queued() -> Steps:
    """Return a match in which messages queue up: two questions, then a question, its MatchEnd and a MatchStart."""
    session = Session(MirrorBot())
    start, one, other, last, end = messages(match("maya", 2, first=3))
    steps = exchange({"arena": MessageToDict(start)}, session.handle(start))
    for together in ([one, other], [last, end, start]):
        replies = [session.handle(message) for message in together]
        steps += [{"arena": MessageToDict(message)} for message in together]
        steps += [{"bot": MessageToDict(reply)} for reply in replies if reply]
    return steps


def resumed() -> Steps:
    """Return a match whose stream breaks while an answer is under way; the bot dials again and repeats the answer."""
    session = Session(MirrorBot())
    hello, welcome = deepcopy([HELLO, WELCOME])
    welcome["arena"]["welcome"] |= {"session": SESSION, "reconnectMs": 60_000}
    steps = [hello, welcome]
    start, one, other, last, end = messages(match("maya", 2, first=3))
    for message in (start, one, other):
        steps += exchange({"arena": MessageToDict(message)}, session.handle(message))
    lost = steps[-1]
    again, met = deepcopy([hello, welcome])
    again["bot"]["hello"] |= {"session": SESSION, "received": "3"}
    met["arena"]["welcome"]["received"] = "2"  # Ready and the first answer
    rest: Steps = [again, met, lost]
    for message in (last, end):
        rest += exchange({"arena": MessageToDict(message)}, session.handle(message))
    return [*steps, {"break": True}, *({**step, "stream": 1} for step in rest)]


def several_streams() -> Steps:
    """Return two matches played in turns on two streams."""
    greetings = [{**step, "stream": stream} for step in (HELLO, WELCOME) for stream in (0, 1)]
    games = [match("maya", 2, first=4), match("tzolkin", 2, first=4)]
    turns = [{**step, "stream": stream} for both in zip(*games, strict=True) for stream, step in enumerate(both)]
    ends = [{**step, "stream": stream} for step in (GOODBYE, CLOSES) for stream in (0, 1)]
    return [*greetings, *turns, *ends, LEAVES]


def _text(values: Step) -> str:
    """Serialize a conversation to JSON, one step per line."""
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in values.items() if key != "steps")
    steps = ",\n".join(f"    {json.dumps(step, sort_keys=True)}" for step in values["steps"])
    return f'{{\n{head}  "steps": [\n{steps}\n  ]\n}}\n'


def _base64(data: bytes) -> str:
    return b64encode(data).decode()
