"""A socket at which connections wait is shut for a while, so that they do not hold up other bots."""

import asyncio
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ballcourt.arena.match.stream import flood_guard
from ballcourt.arena.match.stream.flood_guard import FloodGuard
from ballcourt.arena.match.stream.session import Server
from tests.arena.conftest import wait_until
from tests.bluff import GAME


async def until(condition: Callable[[], bool]) -> None:
    assert await asyncio.to_thread(wait_until, condition)


@asynccontextmanager
async def watched(*names: str) -> AsyncIterator[tuple[FloodGuard, list[socket.socket]]]:
    """Provide the guard of some sockets, and the sockets, at which nothing accepts connections."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, ExitStack() as stack:
        listening = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in names]
        paths = [Path(folder, name) for name in names]
        for listener, path in zip(listening, paths, strict=True):
            listener.bind(str(path))
            listener.listen()
        async with FloodGuard(paths, Path(folder, "shut")) as watching:
            yield watching, listening


def place_of(listener: socket.socket) -> Path:
    return Path(listener.getsockname())


def dial(listener: socket.socket) -> socket.socket:
    """Connect to a socket by its path."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(listener.getsockname())
    return line


async def test_only_the_socket_where_connections_wait_is_shut() -> None:
    async with watched("flooded", "quiet") as (_, (flooded, quiet)):
        with dial(flooded):
            await until(lambda: not place_of(flooded).exists())
            with pytest.raises(FileNotFoundError):
                dial(flooded)
            dial(quiet).close()


async def test_bots_of_others_look_at_no_socket_that_is_shut() -> None:
    async with watched("flooded") as (_, (flooded,)):
        assert (place_of(flooded).parent / "shut").stat().st_mode & 0o777 == 0o700


async def test_connections_from_before_live_on() -> None:
    async with watched("flooded") as (_, (flooded,)):
        with dial(flooded) as line:
            accepted, _ = flooded.accept()
            with accepted, dial(flooded):
                await until(lambda: not place_of(flooded).exists())
                accepted.sendall(b"go on")
                assert line.recv(5) == b"go on"


async def test_a_socket_opens_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood_guard, "SHUT_S", 0.05)
    async with watched("flooded") as (_, (flooded,)):
        with dial(flooded):
            await until(lambda: not place_of(flooded).exists())
            flooded.accept()[0].close()
        await until(lambda: place_of(flooded).exists())
        dial(flooded).close()


async def test_no_socket_is_shut_while_the_arena_itself_is_late() -> None:
    async with watched("slow") as (_, (slow,)):
        with dial(slow):
            for _ in range(6 * flood_guard.LOOKS):  # a look takes several turns of the loop
                time.sleep(3 * flood_guard.LOOK_S)  # noqa: ASYNC251  # the loop is to stand still
                await asyncio.sleep(0)
            assert place_of(slow).exists()


async def test_few_connections_wait_while_the_server_is_busy() -> None:
    async with watched("flooded") as (_, (flooded,)):
        lines: list[socket.socket] = []
        with ExitStack() as stack:
            while len(lines) < 10 * flood_guard.WAITING:
                line = stack.enter_context(socket.socket(socket.AF_UNIX))
                line.setblocking(False)
                try:
                    line.connect(flooded.getsockname())
                except BlockingIOError:
                    break
                lines.append(line)
        assert len(lines) <= flood_guard.WAITING + 1


async def test_the_next_bot_finds_the_socket_of_a_flooder_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood_guard, "SHUT_S", 3600)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with Server(Path(folder)) as server:
            server.expect("flooder", GAME)
            path = server.socket_for("flooder")
            server._flood_guard._close(path)  # as if it had flooded the socket
            assert not path.exists()
            server.forget("flooder")
            assert path.exists()
