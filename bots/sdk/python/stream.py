"""The bot's gRPC stream. The only file of the SDK that imports grpc.

grpc.aio, because one bidirectional stream costs a bot a tenth less with it than with the threads of the
synchronous API, and because `import grpc` loads it anyway.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import grpc.aio

from ballcourt.bots.sdk.python.address import Address
from ballcourt.bots.sdk.python.batch import Batch
from ballcourt.bots.sdk.python.profiling import Profile
from ballcourt.bots.sdk.python.session import Session
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage

METHOD = "/ballcourt.v1.Arena/Play"
FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 5.0
PATIENCE_S = 60.0
"""How long a remote bot that lost its arena keeps dialling."""
LOCAL = [("grpc.http2.bdp_probe", 0), ("grpc.minimal_stack", 1)]
"""Options of a connection on this machine: gRPC sends no messages to measure its bandwidth, and none passes filters
that have no work to do here, those for retries, compression, limits of size and idle connections."""
KEEPALIVE = [("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000)]


class Disconnected(ConnectionError):
    """The arena cannot be reached, or the stream broke."""


async def converse_all(sessions: Sequence[Session], arena: Address, token: str, profile: Profile) -> None:
    """Play on a stream for each session, see `converse`; questions that are asked together are answered together."""
    batch = Batch(profile)
    await asyncio.gather(*(converse(session, arena, token, batch) for session in sessions))


async def converse(session: Session, arena: Address, token: str, batch: Batch | None = None) -> None:
    """Play until the arena says Goodbye or closes the stream; after a disconnection, dial again if the arena allows it.

    Raises Disconnected, and whatever the session raises.
    """
    loop = asyncio.get_running_loop()
    wait_s, give_up = FIRST_WAIT_S, 0.0
    while True:
        met = session.streams
        try:
            return await _converse(session, arena, token, batch)
        except Disconnected:
            if session.streams > met:  # it had been welcomed
                wait_s, give_up = FIRST_WAIT_S, loop.time() + PATIENCE_S
            if not session.resumable or loop.time() > give_up:
                raise
        await asyncio.sleep(wait_s * random.uniform(0.5, 1.0))  # others may have lost the same arena
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


async def _converse(session: Session, arena: Address, token: str, batch: Batch | None) -> None:
    """Play over one stream."""
    async with _channel(arena) as channel:
        play: grpc.aio.StreamStreamMultiCallable[BotMessage, ArenaMessage] = channel.stream_stream(
            METHOD, request_serializer=BotMessage.SerializeToString, response_deserializer=ArenaMessage.FromString
        )
        try:
            call = play()
            await call.write(session.hello(token))
            while not session.ended:
                message = await call.read()
                if not isinstance(message, ArenaMessage):  # grpc.aio.EOF: the arena closed the stream
                    return
                reply: BotMessage | None
                if batch and message.decide.together > 1:
                    decision = session.question(message)
                    reply = session.answer(decision, await batch.choose(session.bot, decision))
                else:
                    reply = session.handle(message)
                if reply is not None:
                    await call.write(reply)
            await _close_both(call)
        except grpc.aio.AioRpcError as error:
            raise Disconnected(f"no connection to the arena at {arena}: {error.details()}") from None


async def _close_both(call: grpc.aio.StreamStreamCall[BotMessage, ArenaMessage]) -> None:
    """Close the bot's side after Goodbye, and wait for the arena to end the stream.

    The arena takes a stream that breaks instead for a bot that will dial again.
    """
    with suppress(grpc.aio.AioRpcError):  # the arena has sent all it had to send
        await call.done_writing()
        while isinstance(await call.read(), ArenaMessage):
            pass


def _channel(arena: Address) -> grpc.aio.Channel:
    if arena.socket:
        return grpc.aio.insecure_channel(f"unix:{arena.socket}", options=LOCAL)
    if not arena.tls:
        return grpc.aio.insecure_channel(arena.host_port, options=KEEPALIVE)
    trusted = Path(arena.ca).read_bytes() if arena.ca else None
    return grpc.aio.secure_channel(arena.host_port, grpc.ssl_channel_credentials(trusted), options=KEEPALIVE)
