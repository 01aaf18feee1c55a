"""Admission of remote bots: accepts or refuses every Hello from outside, and journals it."""

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
from ballcourt.arena.remote.hosting import Hosting, tls_context
from ballcourt.arena.remote.journal import Journal
from ballcourt.arena.remote.proxy import TcpProxy, Visitor
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.remote.sessions import RemoteSession
from ballcourt.arena.remote.tokens import Token, TokenError, TokenFile
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Hello, Termination

FOLDER: Final = "remote"  # apart from the sockets of local bots, which must not reach this one
SOCKET: Final = "grpc.sock"
LONGEST_VERSION: Final = 64
IDLE_MS: Final = 60_000
"""After how long a connection without a stream is closed."""
KEEPALIVE_MS: Final = 10_000
"""How often a silent connection is pinged, and how long it may take to answer."""
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
    """A refused Hello: `reason` is for the journal, `sentence` for the bot's author.

    `counts` says whether it counts towards the limit of failed attempts, as the guess of a token would.
    """

    def __init__(self, reason: str, sentence: str, *, counts: bool = False) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.counts = counts


@asynccontextmanager
async def serve_remote_bots(hosting: Hosting | None, folder: Path, journal: Journal) -> AsyncIterator[SessionRegistry]:
    """Admit remote bots while the context is open, or none without `hosting`; inner sockets are made below `folder`."""
    if hosting is None:
        yield SessionRegistry()
        return
    inside = folder / FOLDER / SOCKET
    inside.parent.mkdir(mode=0o700)
    registry = SessionRegistry(hosting.bots, hosting.versions, hosting.tables)
    tls = tls_context(hosting.certificate, hosting.key)
    proxy = TcpProxy(socket.socket(fileno=hosting.listener), tls, inside, hosting.limits, journal)
    async with AdmissionServer(inside, proxy, registry, hosting, journal), proxy:
        yield registry
        await registry.dismiss("the arena closes")


class AdmissionServer(StreamServer):
    """The gRPC server behind the proxy: checks the Hello of each stream."""

    def __init__(
        self, path: Path, proxy: TcpProxy, registry: SessionRegistry, hosting: Hosting, journal: Journal
    ) -> None:
        super().__init__([path], OPTIONS)
        self._proxy = proxy
        self._registry = registry
        self._game = find_game(hosting.game)
        self._tokens = TokenFile(Path(hosting.tokens))
        self._reconnect_ms = hosting.reconnect_ms
        self._limits = hosting.limits
        self._journal = journal

    async def shake_hands(self, stream: StreamSession) -> bool:
        """Admit a bot: start a session, or resume the one that it had."""
        visitor = self._proxy.visitor(stream.peer)
        if visitor is None:
            return False
        try:
            hello = await self._hello(stream)
            self._check(hello, visitor)
        except Refusal as refused:
            if refused.counts:
                self._proxy.failures.add(visitor.address)
            self._journal.write("refused", peer=str(visitor), reason=refused.reason)
            await stream.send(refusal(refused.sentence))
            return False
        visitor.proven = True
        session = self._admit(hello, stream, visitor)  # no await since the check, so nothing has changed
        if self._registry.farewell:
            await session.farewell(self._registry.farewell)
        return True

    async def _hello(self, stream: StreamSession) -> Hello:
        """Read the first message. Raises Refusal, or BotFault if the stream ends first."""
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
        """Raise Refusal unless the bot may be admitted."""
        if self._registry.find(hello.session) is None and (wait_s := self._proxy.failures.wait_s(visitor.address)):
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
        """Return why a bot with a valid token cannot play here; empty if it can."""
        name, version = hello.bot.name, hello.bot.version
        if name not in self._registry.names:
            return f"the bot '{name}' is not entered in what is played here"
        if sentence := objection(hello, self._game):
            return sentence
        if not (version.isprintable() and 0 < len(version) <= LONGEST_VERSION):
            return (
                f"the bot's version is '{version}'; the Hello must say one, of at most {LONGEST_VERSION} characters, "
                "so that results of two versions are not mixed"
            )
        if version != (agreed := self._registry.version_of(name) or version):
            return f"version '{agreed}' of {name} is playing here and the bot is version '{version}'"
        count = len(self._registry.sessions_of(name))
        if count >= self._limits.streams_per_bot and not self._session_of(hello):
            return f"{name} has {count} streams already, and more are not allowed"
        return ""

    def _session_of(self, hello: Hello) -> RemoteSession | None:
        """Return the session that a bot resumes: the one it names, or one that broke right after its Hello."""
        sessions = self._registry.sessions_of(hello.bot.name)
        named = (session for session in sessions if session.id == hello.session and session.can_resume(hello.received))
        return next(named, None) or next((session for session in sessions if session.can_restart(hello)), None)

    def _admit(self, hello: Hello, stream: StreamSession, visitor: Visitor) -> RemoteSession:
        """Attach the stream to the session that the bot resumes, or to a new one."""
        session, event = self._session_of(hello), "back"
        if session is None:
            session, event = RemoteSession(hello, self._reconnect_ms, partial(self._note, hello.bot.name)), "arrived"
            self._registry.add(session)
        session.attach(stream, hello.received if session.id == hello.session else 0)
        self._note(hello.bot.name, event, peer=str(visitor), version=hello.bot.version)
        return session

    def _note(self, name: str, event: str, **details: str) -> None:
        self._registry.sessions_changed()
        self._journal.write(event, bot=name, **details, missing=self._registry.missing())
