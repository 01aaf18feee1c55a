"""Admission of remote bots: accepts or refuses every Hello from outside, and journals it."""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import Final, Self

from ballcourt.arena.bots.entries import UNKNOWN
from ballcourt.arena.faults import BotFault
from ballcourt.arena.files import raise_file_limit
from ballcourt.arena.match.stream.handshake import objection, refusal
from ballcourt.arena.match.stream.session import MAX_MESSAGE, StreamServer, StreamSession
from ballcourt.arena.naming import version_objection
from ballcourt.arena.printable import cut
from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.remote.hosting import Hosting, Journal, tls_context
from ballcourt.arena.remote.proxy import TcpProxy
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.remote.services import offer_following, offer_health, offer_reflection
from ballcourt.arena.remote.sessions import KEEPALIVE_S, RemoteSession
from ballcourt.arena.remote.tokens import BotToken, TokenError, TokenFile, Tokens
from ballcourt.arena.remote.visitors import Crowded, Refusal, Visitor
from ballcourt.engine.registry import find_game
from ballcourt.v1.following_pb2 import EventStatus
from ballcourt.v1.protocol_pb2 import Hello, Termination

FOLDER: Final = "remote"  # apart from the sockets of local bots, which must not reach this one
SOCKET: Final = "grpc.sock"
NO_TLS: Final = (
    "this arena speaks TLS and the bot does not: unset BALLCOURT_TLS, leave out --insecure, and ask the organiser for "
    "a new token, as this one was sent unencrypted"
)
NOT_ENTERED: Final = "the bot '{}' is not entered in what is played here"
LOOK_S: Final = 1.0
"""How often matches look who has been away for too long."""
IDLE_MS: Final = 60_000
"""After how long a connection without a stream is closed."""
KEEPALIVE_MS: Final = int(KEEPALIVE_S * 1000)
OPTIONS: Final = (
    ("grpc.max_receive_message_length", 2 * MAX_MESSAGE),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.max_concurrent_streams", 32),
    ("grpc.max_connection_idle_ms", IDLE_MS),
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", KEEPALIVE_MS),
    ("grpc.http2.max_pings_without_data", 0),  # no limit: a bot may wait or think for long
)


@asynccontextmanager
async def serve_remote_bots(hosting: Hosting, folder: Path, journal: Journal) -> AsyncIterator[SessionRegistry]:
    """Admit remote bots while the context is open; inner sockets are made below `folder`."""
    inside = folder / FOLDER / SOCKET
    inside.parent.mkdir(mode=0o700)
    patience_s = hosting.reconnect_ms / 1000 if hosting.forfeits else inf
    registry = SessionRegistry(hosting.bots, hosting.versions, hosting.tables, patience_s, hosting.start_at)
    raise_file_limit()  # a connection from outside takes three
    tls = tls_context(hosting.certificate, hosting.key)
    proxy = TcpProxy(socket.socket(fileno=hosting.listener), tls, inside, hosting.limits, journal)
    async with AdmissionServer(inside, proxy, registry, hosting, journal), proxy:
        looking = asyncio.create_task(_look_at_absentees(registry))
        try:
            yield registry
        finally:
            looking.cancel()


async def _look_at_absentees(registry: SessionRegistry) -> None:
    """Make matches check regularly whether a bot has been away for too long."""
    while True:
        await asyncio.sleep(LOOK_S)
        registry.sessions_changed()


class AdmissionServer(StreamServer):
    """The gRPC server behind the proxy: checks the Hello of each stream."""

    def __init__(
        self, path: Path, proxy: TcpProxy, registry: SessionRegistry, hosting: Hosting, journal: Journal
    ) -> None:
        super().__init__([path], OPTIONS)
        offer_following(self._server, self._listening)
        self._proxy = proxy
        self._registry = registry
        self._games = [find_game(name) for name in hosting.games]
        self._tokens: Tokens = TokenFile(Path(hosting.tokens))
        self._reconnect_ms = hosting.reconnect_ms
        self._limits = hosting.limits
        self._journal = journal
        self._reflection = hosting.reflection
        self._hellos = SlidingWindow(hosting.limits.hellos, hosting.limits.window_s)
        self._visitors: dict[StreamSession, Visitor] = {}  # of the accepted streams

    async def __aenter__(self) -> Self:
        self._health = await offer_health(self._server)
        if self._reflection:
            offer_reflection(self._server)
        return await super().__aenter__()

    async def __aexit__(self, *_: object) -> None:
        await self._health.enter_graceful_shutdown()
        await super().__aexit__()

    async def shake_hands(self, stream: StreamSession) -> bool:
        """Admit a bot: start a session, or resume the one that it had."""
        visitor = self._proxy.visitor(stream.peer)
        if visitor is None:
            return False
        try:
            if not visitor.is_encrypted:
                raise Refusal("no TLS", NO_TLS)
            hello = await self._hello(stream)
            self._check(hello)
        except Refusal as refused:
            self._note_refusal(visitor, refused)
            await stream.send(refusal(refused.sentence))
            if visitor.refusals > self._limits.refusals:
                visitor.cut()
            return False
        visitor.stream_opened()
        self._visitors[stream] = visitor
        self._admit(hello, stream, visitor)  # no await since the check, so nothing has changed
        return True

    def over(self, stream: StreamSession) -> None:
        """Note that the stream of an accepted bot has ended."""
        self._visitors.pop(stream).stream_ended()

    @asynccontextmanager
    async def _listening(self, peer: str, secret: str) -> AsyncIterator[AsyncGenerator[EventStatus]]:
        """Yield how the event stands for the bot of a token, again and again. Raises Refusal."""
        visitor = self._proxy.visitor(peer)
        if visitor is None:
            raise Refusal("left", "the connection has ended")
        try:
            name = self._listener(secret, visitor)
        except Refusal as refused:
            self._note_refusal(visitor, refused)
            if visitor.refusals > self._limits.refusals:
                visitor.cut()
            raise
        visitor.stream_opened()
        try:
            async with aclosing(self._registry.board.follow(name)) as statuses:
                yield statuses
        finally:
            visitor.stream_ended()

    def _listener(self, secret: str, visitor: Visitor) -> str:
        """Return the bot whose status the holder of a token may know. Raises Refusal."""
        if not visitor.is_encrypted:
            raise Refusal("no TLS", NO_TLS)
        token = self._token(secret)
        if not self._registry.may_come(token.bot):
            raise Refusal(f"token {token.id}: not entered", NOT_ENTERED.format(token.bot))
        self._limit(token)
        if self._registry.board.listeners(token.bot) >= (most := self._limits.streams_per_bot):
            raise Crowded(
                f"token {token.id}: too many listeners",
                f"{most} programs follow the event for {token.bot} already, and more are not allowed",
            )
        return token.bot

    def _note_refusal(self, visitor: Visitor, refused: Refusal) -> None:
        self._proxy.complain("refused", visitor, refused.reason)
        visitor.refusals += 1

    async def _hello(self, stream: StreamSession) -> Hello:
        """Read the first message. Raises Refusal, or BotFault if the stream ends first."""
        stream.patient = True  # a read that is cancelled would spoil the stream for the refusal
        try:
            async with asyncio.timeout(self._limits.hello_s):
                first = await stream.receive(self._limits.first_message)
        except TimeoutError:
            raise Refusal("no Hello", f"the bot did not say Hello within {self._limits.hello_s:g} s") from None
        except BotFault as fault:
            if fault.termination == Termination.TERMINATION_CRASH:
                raise
            raise Refusal("no Hello", fault.sentence) from None
        if first.WhichOneof("message") != "hello":
            raise Refusal("no Hello", "the first message of a stream must be Hello")
        stream.patient = False
        return first.hello

    def _check(self, hello: Hello) -> None:
        """Raise Refusal unless the bot may be admitted."""
        token = self._token(hello.token)
        name = hello.bot.name
        if name != token.bot:
            raise Refusal(
                f"token {token.id} of {token.bot} used by another name",
                f"the token is for the bot '{token.bot}' and the bot calls itself '{name}'; "
                "each bot needs a token of its own",
            )
        self._limit(token)
        if sentence := self._unwanted(hello):
            raise Refusal(f"token {token.id}: {sentence}", sentence)

    def _limit(self, token: BotToken) -> None:
        """Count a use of a token. Raises Refusal if it is used too often."""
        if self._hellos.is_full(token.id):
            limits = self._limits
            raise Refusal(
                f"token {token.id}: too many Hellos",
                f"the bot sent Hello {limits.hellos} times in {limits.window_s:g} s; try again in a minute",
            )
        self._hellos.add(token.id)

    def _token(self, secret: str) -> BotToken:
        if not secret:
            raise Refusal("no token", "the Hello has no token; set BALLCOURT_TOKEN to yours")
        try:
            token = self._tokens.find(secret)
        except TokenError as error:
            raise Refusal(str(error), "the arena cannot read its tokens; inform its organiser") from None
        if token is None:
            raise Refusal("unknown token", "the token is unknown here; check BALLCOURT_TOKEN")
        if token.revoked:
            raise Refusal(
                f"token {token.id} is revoked",
                f"the token was revoked on {token.revoked}; ask the organiser for another",
            )
        return token

    def _unwanted(self, hello: Hello) -> str:
        """Return why a bot with a valid token cannot play here; empty if it can."""
        name, version = hello.bot.name, hello.bot.version
        if not self._registry.may_come(name):
            return NOT_ENTERED.format(name)
        if len(hello.games) > self._limits.games:
            return f"the Hello names {len(hello.games)} games; it may name {self._limits.games}"
        if sentence := next(filter(None, (objection(hello, game) for game in self._games)), ""):
            return sentence
        if invalid := version_objection(version):
            return (
                f"the bot's version is '{cut(version)}'; {invalid}; the Hello must say one, so that results of two "
                "versions are not mixed"
            )
        if version == UNKNOWN:
            return f"the bot's version is '{version}', by which bots are known that have not come; give it another"
        if version != (agreed := self._registry.version_of(name) or version):
            return f"version '{agreed}' of {name} is playing here and the bot is version '{version}'"
        count = len(self._registry.sessions_of(name))
        if count >= self._limits.streams_per_bot and not self._session_of(hello):
            return f"{name} has {count} streams already, and more are not allowed"
        return ""

    def _session_of(self, hello: Hello) -> RemoteSession | None:
        """Return the session that a bot resumes: the one it names, or one that broke right after its Hello."""
        of_bot = self._registry.sessions_of(hello.bot.name)
        sessions = [session for session in of_bot if session.hello.bot.version == hello.bot.version]
        named = (session for session in sessions if session.id == hello.session and session.can_resume(hello.received))
        return next(named, None) or next((session for session in sessions if session.can_restart(hello)), None)

    def _admit(self, hello: Hello, stream: StreamSession, visitor: Visitor) -> None:
        """Attach the stream to the session that the bot resumes, or to a new one."""
        session, event = self._session_of(hello), "back"
        if session is None:
            session, event = RemoteSession(hello, self._reconnect_ms, partial(self._note, hello.bot.name)), "arrived"
        session.attach(stream, hello.received if session.id == hello.session else 0, visitor.pulse)
        if event == "arrived":
            self._registry.add(session)
        self._note(hello.bot.name, event, peer=str(visitor), version=hello.bot.version)

    def _note(self, name: str, event: str, **details: str) -> None:
        self._registry.sessions_changed()
        self._journal.write(event, bot=name, **details, missing=self._registry.missing())
