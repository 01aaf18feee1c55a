"""Where remote bots say who they are: every Hello from outside is accepted here, or refused, and written down."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.handshake import objection, refusal
from ballcourt.arena.match.session import MAX_MESSAGE, StreamServer, StreamSession
from ballcourt.arena.remote.front_door import FrontDoor, Visitor
from ballcourt.arena.remote.hosting import Hosting, tls_context
from ballcourt.arena.remote.journal import Journal
from ballcourt.arena.remote.lobby import Lobby
from ballcourt.arena.remote.sessions import RemoteSession
from ballcourt.arena.remote.tokens import Token, TokenError, TokenFile
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Hello, Termination

FOLDER: Final = "gate"  # apart from the socket of the local bots, which have no business with this one
SOCKET: Final = "gate.sock"
LONGEST_VERSION: Final = 64
IDLE_MS: Final = 60_000
"""A connection without a stream is closed after so long."""
KEEPALIVE_MS: Final = 10_000
"""How often a silent connection is asked whether it is still there, and how long that may take."""
OPTIONS: Final = (
    ("grpc.max_receive_message_length", 2 * MAX_MESSAGE),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.max_concurrent_streams", 64),
    ("grpc.max_connection_idle_ms", IDLE_MS),
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", KEEPALIVE_MS),
    ("grpc.http2.min_ping_interval_without_data_ms", KEEPALIVE_MS // 2),
)


class Refusal(Exception):
    """A bot is not let in: `reason` for the journal, the message for the bot's author.

    One that `counts` is an attempt like those of somebody who guesses.
    """

    def __init__(self, reason: str, sentence: str, *, counts: bool = False) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.counts = counts


@asynccontextmanager
async def open_lobby(hosting: Hosting | None, folder: Path, journal: Journal) -> AsyncIterator[Lobby]:
    """Let remote bots in while the context is open; the way in is made below `folder`. Without `hosting` none can."""
    if hosting is None:
        yield Lobby()
        return
    inside = folder / FOLDER / SOCKET
    inside.parent.mkdir(mode=0o700)
    lobby = Lobby(hosting.bots, hosting.versions, hosting.tables)
    tls = tls_context(hosting.certificate, hosting.key)
    door = FrontDoor(socket.socket(fileno=hosting.listener), tls, inside, hosting.limits, journal)
    async with Gate(inside, door, lobby, hosting, journal), door:
        yield lobby
        await lobby.dismiss("the arena closes")


class Gate(StreamServer):
    """Serves the streams that come through the front door."""

    def __init__(self, path: Path, door: FrontDoor, lobby: Lobby, hosting: Hosting, journal: Journal) -> None:
        super().__init__([path], OPTIONS)
        self._door = door
        self._lobby = lobby
        self._game = find_game(hosting.game)
        self._tokens = TokenFile(Path(hosting.tokens))
        self._reconnect_ms = hosting.reconnect_ms
        self._limits = hosting.limits
        self._journal = journal

    async def shake_hands(self, stream: StreamSession) -> bool:
        """Let a bot into the lobby, or back to the session it had."""
        visitor = self._door.visitor(stream.peer)
        if visitor is None:
            return False
        try:
            hello = await self._hello(stream)
            self._check(hello, visitor)
        except Refusal as refused:
            if refused.counts:
                self._door.failures.add(visitor.address)
            self._journal.write("refused", peer=str(visitor), reason=refused.reason)
            await stream.send(refusal(refused.sentence))
            return False
        visitor.proven = True
        session = self._let_in(hello, stream, visitor)  # in one go with the check, so that nobody comes in between
        if self._lobby.farewell:
            await session.farewell(self._lobby.farewell)
        return True

    async def _hello(self, stream: StreamSession) -> Hello:
        """Read the first message. Raises Refusal, or BotFault when the stream ends before it."""
        try:
            async with asyncio.timeout(self._limits.hello_s):
                first = await stream.receive(self._limits.first_message)
        except TimeoutError:
            raise Refusal("no Hello", f"the bot did not say Hello within {self._limits.hello_s:g} s") from None
        except BotFault as fault:
            if fault.termination == Termination.TERMINATION_CRASH:
                raise
            raise Refusal("no Hello", fault.sentence, counts=True) from None
        if first.WhichOneof("message") != "hello":
            raise Refusal("no Hello", "the first message of a stream must be Hello", counts=True)
        return first.hello

    def _check(self, hello: Hello, visitor: Visitor) -> None:
        """Raise Refusal unless the bot may come in."""
        if self._lobby.find(hello.session) is None and (wait_s := self._door.failures.wait_s(visitor.address)):
            raise Refusal(
                "too many failures", f"too many failed attempts from your address; try again in {wait_s:.0f} s"
            )
        token = self._token(hello.token)
        name = hello.bot.name
        if name != token.bot:
            raise Refusal(
                f"token {token.id} of {token.bot} used by another name",
                f"the token is for the bot '{token.bot}' and the bot calls itself '{name}'; "
                "each bot needs a token of its own",
                counts=True,
            )
        if sentence := self._unwanted(hello):
            raise Refusal(f"token {token.id}: {sentence}", sentence)

    def _token(self, secret: str) -> Token:
        if not secret:
            raise Refusal("no token", "the Hello has no token; set BALLCOURT_TOKEN to yours", counts=True)
        try:
            token = self._tokens.find(secret)
        except TokenError as error:
            raise Refusal(str(error), "the arena cannot read its tokens; tell its organiser") from None
        if token is None:
            raise Refusal("unknown token", "the token is unknown here; check BALLCOURT_TOKEN", counts=True)
        if token.revoked:
            raise Refusal(
                f"token {token.id} is revoked",
                f"the token was revoked on {token.revoked}; ask the organiser for another",
                counts=True,
            )
        return token

    def _unwanted(self, hello: Hello) -> str:
        """Say why a bot with a good token cannot play here; empty when it can."""
        name, version = hello.bot.name, hello.bot.version
        if name not in self._lobby.names:
            return f"the bot '{name}' is not entered in what is played here"
        if sentence := objection(hello, self._game):
            return sentence
        if not (version.isprintable() and 0 < len(version) <= LONGEST_VERSION):
            return (
                f"the bot's version is '{version}'; the Hello must say one, of at most {LONGEST_VERSION} characters, "
                "so that results of two versions are not mixed"
            )
        if version != (agreed := self._lobby.version_of(name) or version):
            return f"version '{agreed}' of {name} is playing here and the bot is version '{version}'"
        count = len(self._lobby.sessions_of(name))
        if count >= self._limits.streams_per_bot and not self._session_of(hello):
            return f"{name} has {count} streams already, and more are not allowed"
        return ""

    def _session_of(self, hello: Hello) -> RemoteSession | None:
        """Find the session that a bot goes on with: the one it names, or one it lost before it said a word there."""
        sessions = self._lobby.sessions_of(hello.bot.name)
        named = (session for session in sessions if session.id == hello.session and session.can_resume(hello.received))
        return next(named, None) or next((session for session in sessions if session.can_begin_anew(hello)), None)

    def _let_in(self, hello: Hello, stream: StreamSession, visitor: Visitor) -> RemoteSession:
        """Hand the stream to the session the bot goes on with, or to a new one."""
        session, event = self._session_of(hello), "back"
        if session is None:
            session, event = RemoteSession(hello, self._reconnect_ms, partial(self._note, hello.bot.name)), "arrived"
            self._lobby.enter(session)
        session.attach(stream, hello.received if session.id == hello.session else 0)
        self._note(hello.bot.name, event, peer=str(visitor), version=hello.bot.version)
        return session

    def _note(self, name: str, event: str, **details: str) -> None:
        self._lobby.change()
        self._journal.write(event, bot=name, **details, missing=self._lobby.missing())
