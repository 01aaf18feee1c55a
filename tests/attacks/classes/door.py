"""Attacks on the door of a host, by strangers and by the holder of a token. Honest bots share their address."""

import asyncio
import resource
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2

from ballcourt.arena.match.stream.session import MAX_MESSAGE
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.v1.protocol_pb2 import BotMessage, GameSupport, Hello
from tests.arena.hosted import Door, Host, Line, dialled, hello, hosting, make_certificate, wire_to
from tests.attacks.attack import Deed

PATIENCE_S = 300.0
CROWD = 200
"""More connections than a host serves at a time."""
GUESSES = 60
MOST_LINES = 20
"""How many lines of the journal an attacker may cause."""
MOST_MB = 64
"""By how much the unread messages of a bot may let a host grow."""
STREAMS = 32
"""The streams of a connection."""
QUICK_S = 10.0
BRIEF = HostLimits(hello_s=3.0)
UNHURRIED = HostLimits(grace_s=5.0)
"""Limits for an attack that keeps this process busy, in which the honest bot and the host are too."""
ALONE = [("grpc.use_local_subchannel_pool", 1)]
GUESS = hello("ballcourt_guess")

Onslaught = Callable[[Host], Awaitable[list[str]]]
"""Attacks a running host, and returns the promises that were broken."""


def at_the_door(way: str, limits: HostLimits | None = None, *, tls: bool = False) -> Callable[[Onslaught], Deed]:
    """Make an attack of the decorated function, after which an honest bot must be welcome."""

    def deed(onslaught: Onslaught) -> Deed:
        async def attack() -> list[str]:
            async with _host(limits, tls=tls) as host:
                harm = []
                with suppress(grpc.aio.AioRpcError):  # the attacker may be shut out
                    harm = await onslaught(host)
                return [*harm, *await inhospitable(host)]

        return Deed(way, lambda _: asyncio.run(attack()))

    return deed


@asynccontextmanager
async def _host(limits: HostLimits | None, *, tls: bool) -> AsyncIterator[Host]:
    with tempfile.TemporaryDirectory(prefix="attack-", dir="/tmp") as folder:
        certificate = make_certificate(Path(folder)) if tls else None
        async with hosting(certificate, limits) as host:
            yield host


@asynccontextmanager
async def _way(host: Door, source: str) -> AsyncIterator[str]:
    """Yield where a host is reached from an address of this machine; empty: the usual one."""
    if source:
        async with wire_to(host, source) as wire:
            yield wire.address
    else:
        yield host.address


async def inhospitable(host: Door, source: str = "") -> list[str]:
    """Say Hello with a good token, from another address of this machine if one is given; return what is wrong."""
    _, secret = host.tokens.new("bob-bot", "bob")
    try:
        async with asyncio.timeout(PATIENCE_S), _way(host, source) as address, dialled(host, address) as line:
            await line.say(hello(secret, "bob-bot"))
            answer = await line.hear()
    except (TimeoutError, grpc.aio.AioRpcError) as error:
        return [f"an honest bot gets no answer: {type(error).__name__}"]
    return [] if answer.HasField("welcome") else [f"an honest bot gets: {answer.refused.reason or 'nothing'}"]


def _connected(host: Host) -> socket.socket:
    return socket.create_connection(("127.0.0.1", host.port))


def _verbose(host: Host) -> list[str]:
    lines = len(host.events())
    return [f"the attacker caused {lines} lines of the journal"] if lines > MOST_LINES else []


async def _settled(is_settled: Callable[[], bool]) -> bool:
    """Wait for an effect; return whether it came."""
    give_up = time.monotonic() + PATIENCE_S
    while not is_settled() and time.monotonic() < give_up:  # noqa: ASYNC110  a library decides
        await asyncio.sleep(0.05)
    return is_settled()


@at_the_door("silent crowd", tls=True)
async def silent_crowd(host: Host) -> list[str]:
    crowd = [await asyncio.to_thread(_connected, host) for _ in range(CROWD)]
    harm = await inhospitable(host)  # while they are all there
    for connection in crowd:
        connection.close()
    return harm


@at_the_door("knocks and runs")
async def knocks_and_runs(host: Host) -> list[str]:
    for _ in range(CROWD):
        (await asyncio.to_thread(_connected, host)).close()
    return _verbose(host)


@at_the_door("botched handshakes", tls=True)
async def botched_handshakes(host: Host) -> list[str]:
    for _ in range(GUESSES):
        with await asyncio.to_thread(_connected, host) as connection, suppress(OSError):
            connection.sendall(b"\x16\x03\x01 this is no handshake")
    return _verbose(host)


@at_the_door("guesses tokens")
async def guesses_tokens(host: Host) -> list[str]:
    for _ in range(GUESSES):
        async with dialled(host) as line:
            await line.say(GUESS)
            await line.hear()
    return _verbose(host)


@at_the_door("guesses on one connection")
async def guesses_on_one_connection(host: Host) -> list[str]:
    answers = 0
    async with grpc.aio.insecure_channel(host.address, ALONE) as channel:
        with suppress(grpc.aio.AioRpcError):
            for _ in range(GUESSES):
                line = Line(channel.stream_stream("/ballcourt.v1.Arena/Play")())
                await line.say(GUESS)
                answers += (await line.hear()).HasField("refused")
    if answers == GUESSES:
        return [f"{GUESSES} guesses on one connection were answered", *_verbose(host)]
    return _verbose(host)


@at_the_door("hoards connections", BRIEF)
async def hoards_connections(host: Host) -> list[str]:
    """Take over one session from a new connection again and again, and keep all connections open."""
    _, secret = host.tokens.new("alice-bot", "alice")
    session, kept = "", 40
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(host.address, ALONE)) for _ in range(kept)
        ]
        lines = []
        for channel in channels:
            lines.append(Line(channel.stream_stream("/ballcourt.v1.Arena/Play")()))
            await lines[-1].say(hello(secret, session=session))
            session = (await lines[-1].hear()).welcome.session or session

        def open_ones() -> int:
            return sum(channel.get_state() == grpc.ChannelConnectivity.READY for channel in channels)

        if not await _settled(lambda: open_ones() <= BRIEF.streams_per_bot):
            return [f"one token keeps {open_ones()} connections"]
        for line in lines:
            line.call.cancel()
    return []


@at_the_door("storm of good Hellos", HostLimits(hellos=100))
async def storm_of_good_hellos(host: Host) -> list[str]:
    _, secret = host.tokens.new("alice-bot", "alice")
    welcomes = 0
    for _ in range(130):
        async with dialled(host) as line:
            await line.say(hello(secret))
            welcomes += (await line.hear()).HasField("welcome")
            await line.call.done_writing()
            await line.hear()
    return [f"{welcomes} Hellos in a row were welcome"] if welcomes > 100 else []


@at_the_door("large when parsed")
async def large_when_parsed(host: Host) -> list[str]:
    """Send messages that are not read, and that are a hundred times larger once they are parsed."""
    _, secret = host.tokens.new("alice-bot", "alice")
    bomb = BotMessage(hello=Hello(games=[GameSupport()] * (MAX_MESSAGE // 2 - 10))).SerializeToString()
    before, grown = _memory_mb(), 0.0
    async with dialled(host) as line:
        await line.say(hello(secret))
        await line.hear()
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            for _ in range(120):
                await line.say(bomb)
                grown = max(grown, _memory_mb() - before)
        await asyncio.sleep(0.5)
        grown = max(grown, _memory_mb() - before)
    return [f"the host grew by {grown:.0f} MB"] if grown > MOST_MB else []


@at_the_door("watches the health", UNHURRIED)
async def watches_the_health(host: Host) -> list[str]:
    """Take streams that need no token and never end, as many as a connection may have, on many connections."""
    before, watches = _memory_mb(), []
    question = health_pb2.HealthCheckRequest(service="").SerializeToString()
    async with AsyncExitStack() as stack:
        for _ in range(UNHURRIED.unproven + 6):
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(host.address, ALONE))
            watch: grpc.aio.UnaryStreamMultiCallable[bytes, bytes]
            watch = channel.unary_stream("/grpc.health.v1.Health/Watch")
            watches += [watch(question) for _ in range(STREAMS)]
        with suppress(grpc.aio.AioRpcError, TimeoutError):
            async with asyncio.timeout(QUICK_S):
                await watches[-1].read()
        harm = await inhospitable(host)  # while they are all there
        grown = _memory_mb() - before
        for one in watches:
            one.cancel()
    return [*harm, *([f"host and attacker grew by {grown:.0f} MB"] if grown > 4 * MOST_MB else [])]


def _memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


ATTACKS = (
    silent_crowd,
    knocks_and_runs,
    botched_handshakes,
    guesses_tokens,
    guesses_on_one_connection,
    hoards_connections,
    storm_of_good_hellos,
    large_when_parsed,
    watches_the_health,
)
