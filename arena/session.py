"""The arena's end of gRPC: one server per worker, and one session per stream. Nothing else here imports grpc.

Messages cross as bytes; parsing is ours, so that bytes that are no message are the bot's fault and nothing worse.
"""

import asyncio
from pathlib import Path

import grpc
from google.protobuf.message import DecodeError

from arena.faults import BotFault
from arena.handshake import objection, refusal, welcome
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, Goodbye, Hello, Termination
from engine.core import Game

SERVICE, METHOD = "ballcourt.v1.Arena", "Play"
MAX_MESSAGE = 64 * 1024
"""What a bot may send in one message, in bytes."""
TRANSPORT_LIMIT = 4 * 1024 * 1024
"""Where gRPC itself breaks the stream; between the two the bot is told what it did."""
HELLO_S = 10.0
FAREWELL_S = 0.2


class StreamSession:
    """A conversation over one gRPC stream."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        self.hello = Hello()
        self.asked = 0
        self.closed = asyncio.Event()
        self._context = context

    async def send(self, message: ArenaMessage) -> None:
        """Return when the message is written. Raises BotFault when the stream is broken."""
        try:
            await self._context.write(message.SerializeToString())
        except grpc.aio.BaseError:
            raise _broken() from None

    async def receive(self) -> BotMessage:
        """Wait for a message. Raises BotFault when the stream ends, or for bytes that are no message."""
        try:
            data = await self._context.read()
        except grpc.aio.BaseError:
            raise _broken() from None
        if not isinstance(data, bytes):  # the end of the stream
            raise _broken()
        return _parsed(data)

    async def farewell(self, reason: str) -> None:
        """Say Goodbye to a bot that is not needed any more, without insisting."""
        try:
            async with asyncio.timeout(FAREWELL_S):
                await self.send(ArenaMessage(goodbye=Goodbye(reason=reason)))
        except (TimeoutError, BotFault):
            pass
        self.closed.set()


class Server:
    """Lets bots dial in, each with the token its process was given. An async context manager."""

    def __init__(self, socket: Path) -> None:
        self.address = str(socket)
        self._expected: dict[str, tuple[Game, asyncio.Future[StreamSession]]] = {}
        options = [("grpc.max_receive_message_length", TRANSPORT_LIMIT), ("grpc.so_reuseport", 0)]
        self._server = grpc.aio.server(options=options)
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {METHOD: play}),))
        self._server.add_insecure_port(f"unix:{socket}")

    async def __aenter__(self) -> "Server":
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop(None)

    def expect(self, token: str, game: Game) -> asyncio.Future[StreamSession]:
        """Await the bot that says Hello with this token; the future fails with BotFault when it has to be refused."""
        arrival: asyncio.Future[StreamSession] = asyncio.get_running_loop().create_future()
        self._expected[token] = game, arrival
        return arrival

    def forget(self, token: str) -> None:
        """Stop waiting for a token."""
        self._expected.pop(token, None)

    async def _play(self, _: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        """Serve one stream: shake hands, hand the session over, and stay until it is closed."""
        session = StreamSession(context)
        try:
            async with asyncio.timeout(HELLO_S):
                accepted = await self._shake_hands(session)
            if accepted:
                await session.closed.wait()
        except (BotFault, TimeoutError):
            pass  # whoever waits for the bot has a limit and a watch on its process
        finally:
            session.closed.set()

    async def _shake_hands(self, session: StreamSession) -> bool:
        first = await session.receive()
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


def _parsed(data: bytes) -> BotMessage:
    if len(data) > MAX_MESSAGE:
        raise _protocol_error(f"the bot sent a message of {len(data)} bytes; at most {MAX_MESSAGE} are allowed")
    try:
        return BotMessage.FromString(data)
    except DecodeError:
        raise _protocol_error(f"the bot sent {len(data)} bytes that are no BotMessage") from None


def _protocol_error(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_PROTOCOL_ERROR, sentence)


def _broken() -> BotFault:
    return BotFault(Termination.TERMINATION_CRASH, "the bot's stream ended in the middle of the match")
