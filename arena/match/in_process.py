"""Matches between bots in this process, for debugging, training and tests.

The referee is the same as for bot processes, so the same bots and seed give the same match. There is no time limit: a
bot may stop in a breakpoint, and its exceptions reach the caller.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.stream.handshake import objection, welcome
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Hello, Termination
from ballcourt.v1.record_pb2 import MatchRecord

UNLIMITED = Clock(bank_ms=10**9, cap_ms=10**9, match_start_ms=10**9)


class Handler(Protocol):
    """A bot without its transport, such as the `Session` of the Python SDK."""

    def hello(self, token: str) -> BotMessage:
        """Return the bot's Hello."""

    def handle(self, message: ArenaMessage) -> BotMessage | None:
        """Return the bot's reply, if one is due."""


def play_in_process(
    game: str,
    bots: Sequence[Handler],
    *,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    clock: Clock = UNLIMITED,
    policy: FaultPolicy | None = None,
    key: str = "in-process",
) -> MatchRecord:
    """Play one match between objects, in seat order, and return its record.

    Raises UnknownGame or InvalidOption for an impossible match, any exception that a bot raises, and RuntimeError if
    called from a running event loop.
    """
    return asyncio.run(play_among(game, bots, seed, options, clock, policy, key))


async def play_among(
    game: str,
    bots: Sequence[Handler],
    seed: int,
    options: Mapping[str, str] | None = None,
    clock: Clock = UNLIMITED,
    policy: FaultPolicy | None = None,
    key: str = "in-process",
) -> MatchRecord:
    """Play one match as `play_in_process` does, in the event loop that runs. Raises the same, but no RuntimeError."""
    rules = find_game(game)
    seats = [LocalSeat(bot, rules, clock) for bot in bots]
    entrants = tuple(seat.entrant() for seat in seats)
    spec = MatchSpec(key, game, dict(options or {}), seed, entrants, clock, policy or FaultPolicy())
    try:
        return await play_match(rules, spec, seats)
    except Exception:
        for seat in seats:
            seat.local.reraise()
        raise


class LocalSession:
    """A session that calls the bot instead of using a stream."""

    def __init__(self, bot: Handler) -> None:
        self.hello: Hello = bot.hello("").hello
        self.asked = 0
        self.patient = False
        self.transcript = Transcript()
        self._bot = bot
        self._questions: deque[bytes] = deque()
        self._raised: Exception | None = None

    async def send(self, message: ArenaMessage) -> None:
        """Keep a question until its answer is awaited, so that its time is measured; deliver other messages."""
        data = message.SerializeToString()
        self.transcript.sent(data)
        if message.WhichOneof("message") in ("match_start", "decide"):
            self._questions.append(data)
        else:
            self._call(data)

    begin = send

    async def receive(self) -> BotMessage:
        """Return the bot's answer to the oldest question."""
        reply = self._call(self._questions.popleft()) if self._questions else None
        if reply is None:
            raise BotFault(Termination.TERMINATION_CRASH, "the bot gave no reply where one was due")
        data = reply.SerializeToString()
        self.transcript.received(data)
        return BotMessage.FromString(data)

    def reraise(self) -> None:
        """Raise the bot's own exception, if one ended the match."""
        if self._raised:
            raise self._raised

    def _call(self, data: bytes) -> BotMessage | None:
        try:
            return self._bot.handle(ArenaMessage.FromString(data))
        except Exception as error:
            self._raised = error
            raise


class LocalSeat(Seat):
    """The seat of a bot that is an object in this process."""

    def __init__(self, bot: Handler, game: Game, clock: Clock) -> None:
        super().__init__(clock)
        self.local = LocalSession(bot)
        self._game = game

    async def connect(self) -> LocalSession:
        """Shake hands as over a stream."""
        hello = self.local.hello
        if sentence := objection(hello, self._game):
            raise BotFault(Termination.TERMINATION_REFUSED, sentence)
        await self.local.send(welcome())
        return self.local

    async def vacate(self, cause: Termination) -> Evidence:
        """Do nothing: there is no process to end."""
        return Evidence()

    def entrant(self) -> Entrant:
        """Return the bot as it introduces itself in its Hello."""
        identity = self.local.hello.bot
        return Entrant(BotVersion(identity.name, identity.version), identity.author)
