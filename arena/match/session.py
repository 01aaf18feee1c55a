"""The gRPC servers of the arena, and one session per stream. No other module of the arena imports grpc.

gRPC carries bytes. They are parsed here, so that a malformed message is a fault of the bot and does not break gRPC.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import grpc
from google.protobuf.message import DecodeError

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.handshake import objection, refusal, welcome
from ballcourt.arena.match.transcript import Transcript
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Goodbye, Hello, Termination

SERVICE, METHOD = "ballcourt.v1.Arena", "Play"
MAX_MESSAGE = 64 * 1024
"""The largest message that a bot may send, in bytes."""
TRANSPORT_LIMIT = 4 * 1024 * 1024
"""The size at which gRPC itself breaks the stream; below it, the bot is told what it did wrong."""
HELLO_S = 10.0
SOCKETS = 64
SOCKET_LIMITS = (("grpc.max_allowed_incoming_connections", 8), ("grpc.max_concurrent_streams", 8))
"""Limits per socket: connections, and streams in each. An honest bot has one of each, and more while it reconnects."""
FAREWELL_S = 0.2


class StreamSession:
    """A conversation over one gRPC stream."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        self.hello = Hello()
        self.asked = 0
        self.patient = False
        self.transcript = Transcript()
        self.closed = asyncio.Event()
        self._context = context
        self._reading: asyncio.Task[object] | None = None

    async def send(self, message: ArenaMessage) -> None:
        """Write a message; return when it is written. Raises BotFault if the stream is broken."""
        data = message.SerializeToString()
        self.transcript.sent(data)
        try:
            await self._context.write(data)
        except grpc.aio.BaseError:
            raise _broken() from None

    @property
    def peer(self) -> str:
        """The address of the other side, as gRPC writes it."""
        return self._context.peer()

    async def receive(self, limit: int = MAX_MESSAGE) -> BotMessage:
        """Wait for a message. Raises BotFault if the stream ends, or the bytes are not a message or exceed `limit`."""
        try:
            data = await (self._patiently_read() if self.patient else self._context.read())
        except grpc.aio.BaseError:
            raise _broken() from None
        if not isinstance(data, bytes):  # the end of the stream
            raise _broken()
        self.transcript.received(data)
        return _parsed(data, limit)

    async def _patiently_read(self) -> object:
        """Read in a separate task, because gRPC loses the message and the stream when a read is cancelled."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._context.read())
            self._reading.add_done_callback(lambda task: task.cancelled() or task.exception())  # its owner may be gone
        data = await asyncio.shield(self._reading)
        self._reading = None
        return data

    async def farewell(self, reason: str) -> None:
        """Say Goodbye to a bot, and close the session even if that fails."""
        try:
            async with asyncio.timeout(FAREWELL_S):
                await self.send(ArenaMessage(goodbye=Goodbye(reason=reason)))
        except (TimeoutError, BotFault):
            pass
        self.closed.set()

    async def abort(self, reason: str) -> None:
        """Break the stream, as a lost connection would."""
        with suppress(grpc.aio.AbortError):
            await self._context.abort(grpc.StatusCode.UNAVAILABLE, reason)
        self.closed.set()


class StreamServer(ABC):
    """Serves Play streams on Unix sockets. An async context manager."""

    def __init__(self, sockets: Sequence[Path], options: Sequence[tuple[str, int]] = ()) -> None:
        self.sockets = sockets
        limits = [("grpc.max_receive_message_length", TRANSPORT_LIMIT), ("grpc.so_reuseport", 0), *options]
        self._server = grpc.aio.server(options=limits)
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {METHOD: play}),))
        for socket in sockets:
            self._server.add_insecure_port(f"unix:{socket}")

    async def __aenter__(self) -> Self:
        await self._server.start()
        for socket in self.sockets:
            socket.chmod(0o666)  # its folder keeps strangers out; a confined bot may run as another user
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)

    @abstractmethod
    async def shake_hands(self, session: StreamSession) -> bool:
        """Read and answer the Hello, and hand over an accepted session; return False to end the stream.

        BotFault and TimeoutError end it too.
        """

    async def _play(self, _: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        """Serve one stream: shake hands, then wait until the session is closed."""
        session = StreamSession(context)
        try:
            if await self.shake_hands(session):
                await session.closed.wait()
        except (BotFault, TimeoutError):
            pass  # whoever waits for the bot has a timeout and watches its process
        finally:
            session.closed.set()


class Server(StreamServer):
    """Serves a worker's own bots, each with the token that its process was given, on a socket of its own.

    Each socket is alone in its folder and takes few connections, so a bot that opens many shuts out nobody else.
    """

    def __init__(self, folder: Path) -> None:
        """Make the sockets in an empty folder."""
        super().__init__([_new_socket(folder / str(number)) for number in range(SOCKETS)], SOCKET_LIMITS)
        self._assigned: dict[str, Path] = {}  # by token
        self._expected: dict[str, tuple[Game, asyncio.Future[StreamSession]]] = {}

    def expect(self, token: str, game: Game) -> asyncio.Future[StreamSession]:
        """Return a future for the bot that says Hello with this token; it fails with BotFault if the bot is refused."""
        arrival: asyncio.Future[StreamSession] = asyncio.get_running_loop().create_future()
        self._expected[token] = game, arrival
        return arrival

    def socket_for(self, token: str) -> Path:
        """Return the socket of the bot with this token until `forget`; shared if there are more bots than sockets."""
        if token not in self._assigned:
            bots = Counter(self._assigned.values())
            self._assigned[token] = min(self.sockets, key=lambda socket: bots[socket])
        return self._assigned[token]

    def forget(self, token: str) -> None:
        """Stop waiting for a token, and free its socket."""
        self._expected.pop(token, None)
        self._assigned.pop(token, None)

    async def shake_hands(self, session: StreamSession) -> bool:
        """Accept a bot that is expected."""
        async with asyncio.timeout(HELLO_S):
            return await self._answer(session, await session.receive())

    async def _answer(self, session: StreamSession, first: BotMessage) -> bool:
        if first.WhichOneof("message") != "hello":
            await session.send(refusal("the first message of a stream must be Hello"))
            return False
        session.hello = first.hello
        game, arrival = self._expected.pop(first.hello.token, (None, None))
        if game is None or arrival is None or arrival.done():
            await session.send(refusal("the token is unknown or used; say Hello once, with BALLCOURT_TOKEN"))
            return False
        if sentence := objection(first.hello, game):
            arrival.set_exception(BotFault(Termination.TERMINATION_REFUSED, sentence))
            await session.send(refusal(sentence))
            return False
        await session.send(welcome())
        arrival.set_result(session)
        return True


def _new_socket(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o755)
    return folder / "arena.sock"


def _parsed(data: bytes, limit: int) -> BotMessage:
    if len(data) > limit:
        raise _protocol_error(f"the bot sent a message of {len(data)} bytes; at most {limit} are allowed")
    try:
        return BotMessage.FromString(data)
    except DecodeError:
        raise _protocol_error(f"the bot sent {len(data)} bytes that are not a BotMessage") from None


def _protocol_error(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_PROTOCOL_ERROR, sentence)


def _broken() -> BotFault:
    return BotFault(Termination.TERMINATION_CRASH, "the bot's stream ended in the middle of the match")
