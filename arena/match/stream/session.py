"""The gRPC servers of the arena, and one session per stream. Only `arena.remote.services` imports grpc besides.

gRPC carries bytes. They are parsed here, so that a malformed message is a fault of the bot and does not break gRPC.
"""

import asyncio
import sys
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, deque
from collections.abc import Coroutine, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import grpc
from google.protobuf.message import DecodeError

from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.stream.flood_guard import FloodGuard
from ballcourt.arena.match.stream.handshake import objection, refusal, welcome
from ballcourt.arena.match.stream.transcript import Transcript
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Goodbye, Hello, Termination


class EagerCoroutine:
    """A coroutine that starts immediately; await it once to run the rest.

    The waits of a coroutine are the futures that it yields. A task which awaits it later yields the same future.
    """

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        """Run to the first wait. Raises what the coroutine raises before that."""
        self._rest = work.__await__()
        self._waits_for: asyncio.Future[object] | None = next(self._rest, None)

    def __await__(self) -> Generator[Any, Any, None]:
        if self._waits_for:
            if not self._waits_for.done():
                yield self._waits_for
            yield from self._rest

    def abandon(self) -> None:
        """Mark the exception as retrieved, so that asyncio does not log it."""
        if self._waits_for:
            self._waits_for.add_done_callback(lambda future: future.cancelled() or future.exception())


SERVICE, METHOD = "ballcourt.v1.Arena", "Play"
MAX_MESSAGE = 64 * 1024
"""The largest message that a bot may send, in bytes."""
TRANSPORT_LIMIT = 4 * 1024 * 1024
"""The size at which gRPC itself breaks the stream; below it, the bot learns what it did wrong."""
HELLO_S = 10.0
SOCKETS = 64
SOCKET_LIMITS = (("grpc.max_allowed_incoming_connections", 16), ("grpc.max_concurrent_streams", 16))
"""Limits per socket: connections, and streams in each. An honest bot has as many as it plays matches, `MOST_MATCHES`
at most, and more while it reconnects."""
NO_PROBES = ("grpc.http2.bdp_probe", 0)
"""Keeps gRPC from measuring the bandwidth of a socket, which takes messages of its own."""
ANY_PINGS = ("grpc.http2.max_ping_strikes", 0)
"""Keeps gRPC from closing a connection that pings often. It cannot do so while it writes to the bot, and spends more on
every further ping then: seconds of a processor, if the bot does not read."""
READ_LIMIT = ("grpc.experimental.tcp_max_read_buffer_size", 1 << 20)
"""How much gRPC may read at a time. Without it, that grows with what a bot sends without a pause, to hundreds of MB."""
OPTIONS = (
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT),
    ("grpc.so_reuseport", 0),
    NO_PROBES,
    ANY_PINGS,
    READ_LIMIT,
)
"""Of all servers of streams."""
FAREWELL_S = 0.2
LEAVE_S = 2.0
"""How long a bot may take to close its side of the stream after Refused or Goodbye."""
SETTLE_S = 0.05


class StreamSession:
    """A conversation over one gRPC stream."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        self.hello = Hello()
        self.asked = 0
        self.patient = False
        self.transcript = Transcript()
        self.closed = asyncio.Event()
        self._context = context
        self._writing: EagerCoroutine | None = None
        self._reading: asyncio.Task[object] | None = None
        self._is_reading = False  # stays True if a read is cancelled

    async def send(self, message: ArenaMessage) -> None:
        """Write a message; return when it is written. Raises BotFault if the stream is broken."""
        await self.begin(message)
        await self._written()

    async def begin(self, message: ArenaMessage) -> None:
        """Begin to write a message, once the one before is written. Raises BotFault if the stream is broken."""
        if self._writing:
            await self._written()
        data = message.SerializeToString()
        self.transcript.sent(data)
        try:
            self._writing = EagerCoroutine(self._context.write(data))
        except grpc.aio.BaseError:
            raise _broken() from None

    async def _written(self) -> None:
        """Wait until what was begun is written."""
        writing = self._writing
        assert writing is not None, "no message was begun"
        try:
            await writing
        except grpc.aio.BaseError:
            raise _broken() from None
        self._writing = None

    @property
    def peer(self) -> str:
        """The address of the other side, as gRPC writes it."""
        return self._context.peer()

    async def receive(self, limit: int = MAX_MESSAGE) -> BotMessage:
        """Wait for a message. Raises BotFault if the stream ends, or the bytes are not a message or exceed `limit`."""
        return parsed(await self.receive_bytes(), limit)

    async def receive_bytes(self) -> bytes:
        """Wait for an encoded message. Raises BotFault if the stream ends."""
        try:
            data = await self._read()
        except grpc.aio.BaseError:
            raise _broken() from None
        if not isinstance(data, bytes):  # the end of the stream
            raise _broken()
        self.transcript.received(data)
        return data

    async def half_closed(self, seconds: float | None = None) -> bool:
        """Wait until the bot closes its side of the stream, and return whether it did.

        A stream that ends before both sides have closed it is reset, and some gRPC libraries then discard what the bot
        has not read yet.
        """
        if self._is_reading:
            return False
        with suppress(TimeoutError, grpc.aio.BaseError):
            async with asyncio.timeout(LEAVE_S if seconds is None else seconds):
                while isinstance(await self._read(), bytes):
                    pass
                return True
        return False

    async def is_whole(self) -> bool:
        """Return whether the stream lives on after its last message: the bot closed its side and did not break it.

        gRPC reports a broken stream to its reader like a closed one, and cancels the stream's handler soon after.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self.closed.wait()
        return not self.closed.is_set()

    def end(self) -> None:
        """Note that the stream has ended."""
        if self._writing:
            self._writing.abandon()
        self.closed.set()

    async def _read(self) -> object:
        if self.patient:
            return await self._patiently_read()
        self._is_reading = True
        data = await self._context.read()
        self._is_reading = False
        return data

    async def _patiently_read(self) -> object:
        """Read in a separate task, because gRPC loses the message and the stream when a read is cancelled."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._context.read())
            self._reading.add_done_callback(lambda task: task.cancelled() or task.exception())  # its owner may be gone
        data = await asyncio.shield(self._reading)
        self._reading = None
        return data

    async def farewell(self, reason: str) -> None:
        """Say Goodbye to a bot, give it a moment to close its side, and close the session."""
        try:
            async with asyncio.timeout(FAREWELL_S):
                await self.send(ArenaMessage(goodbye=Goodbye(reason=reason)))
                await self.half_closed()
        except (TimeoutError, BotFault):
            pass
        self.closed.set()

    async def abort(self, reason: str) -> None:
        """Break the stream, as a lost connection would."""
        with suppress(grpc.aio.AbortError):
            await self._context.abort(grpc.StatusCode.UNAVAILABLE, reason)
        self.closed.set()


class StreamServer(ABC):
    """Serves Play streams, on Unix sockets unless a subclass adds a port. An async context manager."""

    def __init__(self, sockets: Sequence[Path], options: Sequence[tuple[str, int]] = ()) -> None:
        self.sockets = sockets
        self._server = grpc.aio.server(options=[*OPTIONS, *options])
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

    def over(self, session: StreamSession) -> None:  # noqa: B027  most servers need not know
        """Note that the stream of an accepted session has ended."""

    async def _play(self, _: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        """Serve one stream: shake hands, then wait until the session is closed."""
        session = StreamSession(context)
        # gRPC never ends a stream whose first write, which sends this otherwise, was cancelled
        await context.send_initial_metadata(())
        try:
            if not await self.shake_hands(session):
                await session.half_closed()
                return
            try:
                await session.closed.wait()
            finally:
                self.over(session)
        except (BotFault, TimeoutError):
            pass  # the code that waits for the bot has a timeout and watches its process
        finally:
            session.end()


class BotServer(StreamServer):
    """Serves bots that this process starts, each with the token that its process was given."""

    def __init__(self, sockets: Sequence[Path], options: Sequence[tuple[str, int]] = ()) -> None:
        super().__init__(sockets, options)
        self._expected: defaultdict[str, deque[tuple[Game, asyncio.Future[StreamSession]]]] = defaultdict(deque)

    @abstractmethod
    def way(self, token: str) -> dict[str, str]:
        """Return the environment variables by which the bot with this token finds the server."""

    def forget(self, token: str) -> None:
        """Stop waiting for a token."""
        self._expected.pop(token, None)

    def expect(self, token: str, game: Game) -> asyncio.Future[StreamSession]:
        """Return a future for a stream that says Hello with this token; it fails with BotFault if the bot is refused.

        A token serves as many streams as are expected.
        """
        arrival: asyncio.Future[StreamSession] = asyncio.get_running_loop().create_future()
        arrival.add_done_callback(lambda arrival: arrival.cancelled() or arrival.exception())  # it may not be awaited
        self._expected[token].append((game, arrival))
        return arrival

    async def shake_hands(self, session: StreamSession) -> bool:
        """Accept a bot that is expected."""
        async with asyncio.timeout(HELLO_S):
            return await self._answer(session, await session.receive())

    async def _answer(self, session: StreamSession, first: BotMessage) -> bool:
        if first.WhichOneof("message") != "hello":
            await session.send(refusal("the first message of a stream must be Hello"))
            return False
        session.hello = first.hello
        game, arrival = self._next_expected(first.hello.token)
        if game is None or arrival is None:
            await session.send(refusal("the token is unknown or used; say Hello once, with BALLCOURT_TOKEN"))
            return False
        if sentence := objection(first.hello, game):
            arrival.set_exception(BotFault(Termination.TERMINATION_REFUSED, sentence))
            await session.send(refusal(sentence))
            return False
        await session.send(welcome())
        arrival.set_result(session)
        return True

    def _next_expected(self, token: str) -> tuple[Game, asyncio.Future[StreamSession]] | tuple[None, None]:
        expected = self._expected.get(token, deque())
        while expected:
            game, arrival = expected.popleft()
            if not arrival.done():  # it is still waited for
                return game, arrival
        return None, None


class Server(BotServer):
    """Serves each bot on a socket of its own.

    Each socket is alone in its folder and takes few connections, so a bot that opens many shuts out no other bot. One
    that connects without end has its socket shut for a while.
    """

    def __init__(self, folder: Path) -> None:
        """Make the sockets in an empty folder."""
        super().__init__([_new_socket(folder / str(number)) for number in range(SOCKETS)], SOCKET_LIMITS)
        self._flood_guard = FloodGuard(self.sockets, folder / "shut")
        self._assigned: dict[str, Path] = {}  # by token

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        await self._flood_guard.__aenter__()
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self._flood_guard.__aexit__(*reason)
        await super().__aexit__(*reason)

    def way(self, token: str) -> dict[str, str]:
        """Return the variable with its socket."""
        return {"BALLCOURT_SOCKET": str(self.socket_for(token))}

    def socket_for(self, token: str) -> Path:
        """Return the socket of the bot with this token until `forget`; shared if there are more bots than sockets."""
        if token not in self._assigned:
            bots = Counter(self._assigned.values())
            self._assigned[token] = min(self.sockets, key=lambda socket: bots[socket])
        return self._assigned[token]

    def forget(self, token: str) -> None:
        """Stop waiting for a token, and free its socket."""
        super().forget(token)
        if socket := self._assigned.pop(token, None):
            self._flood_guard.open(socket)


class LoopbackServer(BotServer):
    """Serves all bots on one port of this machine, where there are no Unix sockets."""

    def __init__(self) -> None:
        super().__init__(())
        self._port = self._server.add_insecure_port("127.0.0.1:0")

    def way(self, token: str) -> dict[str, str]:
        """Return the variables with its address."""
        return {"BALLCOURT_ADDRESS": f"127.0.0.1:{self._port}", "BALLCOURT_TLS": "off"}


def open_server(folder: Path) -> BotServer:
    """Return the server for bots of this process, to be entered; it has its sockets in an empty folder, if any."""
    return Server(folder) if sys.platform == "linux" else LoopbackServer()


def _new_socket(folder: Path) -> Path:
    folder.mkdir()
    folder.chmod(0o755)
    return folder / "arena.sock"


def parsed(data: bytes, limit: int = MAX_MESSAGE) -> BotMessage:
    """Parse a message of a bot. Raises BotFault if it is damaged, or has more bytes than `limit`."""
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
