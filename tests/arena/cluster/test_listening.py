"""What a member of a cluster lets visitors cost who have not shown a certificate."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from distributed import Security
from distributed.comm.core import connect, listen

from ballcourt.arena.cluster import listening
from tests.arena.conftest import PATIENCE_S


def at_listener(visit: Callable[[str, dict[str, Any]], Awaitable[None]]) -> None:
    """Listen as a scheduler does; call `visit` with the address and what a member connects with."""
    safe = Security.temporary()

    async def echo(comm: Any) -> None:  # noqa: ANN401 - Dask's connection
        await comm.write(await comm.read())

    async def run() -> None:
        async with listen("tls://127.0.0.1:0", echo, **safe.get_listen_args("scheduler")) as listener:
            async with asyncio.timeout(PATIENCE_S):
                await visit(listener.contact_address, safe.get_connection_args("worker"))

    asyncio.run(run())


def dialled(address: str, host: str = "127.0.0.1") -> socket.socket:
    """Return a connection from this host of the machine that has sent nothing."""
    port = int(address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(host, 0))


async def is_cut(visitor: socket.socket) -> bool:
    """Wait until a connection is cut off; return whether it is. Needs a time limit if it may not be."""
    visitor.setblocking(False)
    return await asyncio.get_running_loop().sock_recv(visitor, 1) == b""


async def is_heard(comm: Any) -> bool:  # noqa: ANN401 - Dask's connection
    """Say a word over a member's connection; return whether it comes back."""
    await comm.write("word")
    heard = await comm.read()
    comm.abort()
    return bool(heard == "word")


def test_a_visitor_that_shows_no_certificate_in_time_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "HANDSHAKE_S", 1.0)

    async def visit(address: str, given: dict[str, Any]) -> None:
        member = await connect(address, **given)
        with dialled(address) as silent:
            assert await is_cut(silent)
        assert await is_heard(member)

    at_listener(visit)


def test_for_one_visitor_too_many_the_first_of_the_host_with_the_most_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "HANDSHAKE_S", 2 * PATIENCE_S)
    monkeypatch.setattr(listening, "MOST_WAITING", 4)

    async def visit(address: str, given: dict[str, Any]) -> None:
        with ExitStack() as stack:
            hosts = ("127.0.0.3", "127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.4")
            alone, first, *others = [stack.enter_context(dialled(address, host)) for host in hosts]
            assert await is_cut(first)
            assert await is_heard(await connect(address, **given))
            assert await is_cut(others[0]), "it made room for the member"
            for one in (alone, *others[1:]):
                one.setblocking(False)
                with pytest.raises(BlockingIOError):
                    one.recv(1)

    at_listener(visit)
