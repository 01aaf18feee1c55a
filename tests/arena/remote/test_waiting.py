"""Who is served next: no flood keeps others out, whether it hurries, says nothing or leaves at once."""

import asyncio
import select
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from ballcourt.arena.remote.ends import End
from ballcourt.arena.remote.visitors import HEAD, Guest, Visitor, WaitingRoom, length_of
from tests.arena.conftest import PATIENCE_S
from tests.arena.hosted import until

HELLO = b"\x16\x03\x01\x00\x04" + b"abcd"
"""A whole TLS record."""


class Street:
    """A waiting room and those who come to it over TCP. Of several that may be served, the last is chosen."""

    def __init__(self, listener: socket.socket, most: int, words_s: float) -> None:
        self.complaints: list[tuple[str, str, str]] = []
        self.room = WaitingRoom(most, 60.0, words_s, self._note, _last)
        self.callers: list[socket.socket] = []
        self._listener = listener
        self._connections: list[socket.socket] = []

    def _note(self, event: str, visitor: Visitor, reason: str) -> None:
        self.complaints.append((event, str(visitor), reason))

    async def comes(self, address: str, first: bytes = HELLO) -> None:
        """Connect a caller from an address, and send its first words."""
        caller = socket.create_connection(self._listener.getsockname())
        connection, _ = self._listener.accept()
        self.callers.append(caller)
        self._connections.append(connection)
        caller.sendall(first)
        await _heard(connection, lambda: self.room.enter(End(connection), Visitor(address, len(self.callers))))

    async def says(self, number: int, words: bytes) -> None:
        """Send the rest of a caller's first words, or disconnect it if that is nothing."""
        if words:
            self.callers[number - 1].sendall(words)
        else:
            self.callers[number - 1].close()
        await _heard(self._connections[number - 1])

    async def served(self, count: int) -> list[str]:
        """Serve this number of callers; return who they are."""
        served = []
        for _ in range(count):
            end, visitor = await self.room.take()
            end.connection.close()
            served.append(str(visitor))
        return served


async def _heard(connection: socket.socket, then: Callable[[], None] = lambda: None) -> None:
    """Wait until something has come, do something, and return when the room has looked at it."""
    select.select([connection], [], [], PATIENCE_S)
    then()
    for _ in range(5):
        await asyncio.sleep(0)


def _last(guests: Sequence[Guest]) -> Guest:
    return guests[-1]


@asynccontextmanager
async def street(most: int = 10, words_s: float = 60.0) -> AsyncIterator[Street]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        here = Street(listener, most, words_s)
        try:
            yield here
        finally:
            here.room.close()
            for caller in here.callers:
                caller.close()


async def test_a_connection_of_the_quietest_prefix_is_served_next() -> None:
    async with street() as here:
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"):
            await here.comes(address)
        assert await here.served(4) == ["192.0.2.2:3", "192.0.2.1:4", "192.0.2.1:2", "192.0.2.1:1"]


async def test_those_of_a_prefix_that_come_again_and_again_do_not_keep_another_one_waiting() -> None:
    """Of ten that are always there, one that waits is chosen within a hundred turns, whichever is newest or oldest."""
    async with street(most=100) as here:
        here.room = WaitingRoom(100, 60.0, 60.0, lambda *_: None)
        for _ in range(10):
            await here.comes("192.0.2.1")
        for _ in range(100):
            if "192.0.2.1:3" in await here.served(1):
                return
            await here.comes("192.0.2.1")
        pytest.fail("it was never served")


@pytest.mark.parametrize("first", [b"\x16", HELLO[:HEAD], HELLO[:-1]])
async def test_a_connection_is_served_once_its_first_tls_record_is_whole(first: bytes) -> None:
    async with street() as here:
        await here.comes("192.0.2.1", first)
        await here.comes("192.0.2.1")
        assert await here.served(1) == ["192.0.2.1:2"]
        await here.says(1, HELLO[len(first) :])
        assert await here.served(1) == ["192.0.2.1:1"]


@pytest.mark.parametrize("first", [b"\x16", HELLO[:-1]])
async def test_a_connection_that_leaves_before_its_first_words_keeps_no_other_waiting(first: bytes) -> None:
    async with street(most=1) as here:
        await here.comes("192.0.2.1", first)
        await here.says(1, b"")
        await here.comes("192.0.2.1")
        assert here.complaints == [("bad handshake", "192.0.2.1:1", "closed by the other side")]
        assert await here.served(1) == ["192.0.2.1:2"]


async def test_a_connection_whose_first_words_do_not_come_is_closed() -> None:
    async with street(words_s=0.05) as here:
        await here.comes("192.0.2.1", HELLO[:-1])
        await until(lambda: bool(here.complaints))
        assert here.complaints == [("bad handshake", "192.0.2.1:1", "no handshake within 0.05 s")]
        with pytest.raises(ConnectionResetError):
            here.callers[0].recv(1)


async def test_a_full_waiting_room_closes_the_oldest_connection_of_the_busiest_prefix() -> None:
    async with street(most=3) as here:
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.1"):
            await here.comes(address)
        assert here.complaints == [("turned away", "192.0.2.2:2", "more than 3 connections wait to be let in")]
        assert sorted(await here.served(3)) == ["192.0.2.1:1", "192.0.2.1:4", "192.0.2.2:3"]


@pytest.mark.parametrize(
    ("first", "length"),
    [(HELLO, len(HELLO)), (b"PRI * HTTP/2.0", HEAD), (b"GET /", HEAD), (b"\x16\x03\x01\xff\xff", HEAD)],
)
def test_only_a_tls_record_of_a_possible_size_is_waited_for(first: bytes, length: int) -> None:
    assert length_of(first) == length
