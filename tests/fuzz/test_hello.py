"""The first message of strangers, to the sockets of a worker and the port of a host: bytes and messages of any kind."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.match.stream import session
from ballcourt.arena.match.stream.session import Server
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage
from tests.arena.conftest import PATIENCE_S
from tests.arena.hosted import Host, Line, dialled, hello, hosting
from tests.fuzz.damage import damaged, distorted, tried

PATIENT_WITH_STRANGERS = HostLimits(hello_s=0.2, per_s=10**9, failures=10**9, unproven=10**9)

sound = hello("a-token", sdk="fuzz 1", session="x", received=3)
first_messages = (
    damaged(sound.SerializeToString())
    | st.binary(max_size=80)
    | distorted(sound).map(BotMessage.SerializeToString)
    | st.sampled_from([b"", b"\x0a", b"\x0a\xff\xff\xff\xff\x0f", bytes(70_000)])
)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """Provide one event loop for all examples of a test; a server has one for all its bots as well."""
    with asyncio.Runner() as runner:
        yield runner


async def end_of(line: Line, data: list[bytes]) -> ArenaMessage:
    """Send data and receive until the stream ends; return the last message received."""
    last = heard = ArenaMessage()
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # refused before everything is sent
        for each in data:
            await line.say(each)
        await line.call.done_writing()
    with suppress(grpc.aio.AioRpcError):
        while (heard := await line.hear()) != ArenaMessage():
            last = heard
    return last


def test_a_worker_admits_no_random_input_and_still_admits_its_own_bot(
    runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "HELLO_S", 0.2)
    folder = Path(tempfile.mkdtemp(prefix="bc-", dir="/tmp"))
    server = runner.run(opened(folder))

    async def strange(data: list[bytes]) -> None:
        async with local(server) as channel:
            assert not (await end_of(Line(channel.stream_stream(PLAY)()), data)).HasField("welcome")

    @tried(40)
    @given(data=st.lists(first_messages, max_size=2))
    def try_it(data: list[bytes]) -> None:
        runner.run(asyncio.wait_for(strange(data), PATIENCE_S))

    async def own() -> None:
        arrival = server.expect("a-secret", find_game("bluff"))
        async with local(server) as channel:
            line = Line(channel.stream_stream(PLAY)())
            await line.say(hello("a-secret"))
            assert (await line.hear()).HasField("welcome")
            (await arrival).closed.set()

    try:
        try_it()
        runner.run(own())
    finally:
        runner.run(server.__aexit__())
        shutil.rmtree(folder)


PLAY = "/ballcourt.v1.Arena/Play"


async def opened(folder: Path) -> Server:
    return await Server(folder).__aenter__()


def local(server: Server) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(f"unix:{server.sockets[0]}", [("grpc.use_local_subchannel_pool", 1)])


@pytest.mark.slow
def test_a_host_admits_no_random_input_and_still_admits_a_bot_with_its_token(runner: asyncio.Runner) -> None:
    context = hosting(limits=PATIENT_WITH_STRANGERS)
    host: Host = runner.run(context.__aenter__())

    async def strange(data: list[bytes]) -> None:
        async with dialled(host) as line:
            assert not (await end_of(line, data)).HasField("welcome")

    async def raw(data: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        writer.write(data)
        with suppress(OSError):
            writer.write_eof()
            await reader.read()
        writer.close()

    @tried(40)
    @given(data=st.lists(first_messages, max_size=2))
    def try_messages(data: list[bytes]) -> None:
        runner.run(asyncio.wait_for(strange(data), PATIENCE_S))

    @tried(25)
    @given(data=st.binary(max_size=100) | damaged(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(40)))
    def try_bytes(data: bytes) -> None:
        runner.run(asyncio.wait_for(raw(data), PATIENCE_S))

    async def owner() -> None:
        async with dialled(host) as line:
            await line.say(hello(host.tokens.new("alice-bot", "alice")[1]))
            assert (await line.hear()).HasField("welcome")

    try:
        try_messages()
        try_bytes()
        assert host.events("arrived") == []
        runner.run(owner())
    finally:
        runner.run(context.__aexit__(None, None, None))
