"""The two sides of a forwarded connection: sockets from which nothing is read that no one waits for.

asyncio's streams read ahead, and its TLS keeps up to a megabyte for each connection in reference cycles. A stranger
must cost little whatever he sends, so here the kernel keeps what is not asked for.
"""

import asyncio
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self, TypeVar

from ballcourt.arena.tasks import readable

READ_BYTES: Final = 16 * 1024
"""How much is read at a time: a TLS record."""
LEAVE_S: Final = 5.0
"""How long the other side may take to close after the end of the stream."""
LEAVE_BYTES: Final = 64 * 1024
"""And how much it may send meanwhile."""
RESET: Final = struct.pack("ii", 1, 0)
"""`struct linger` of a connection that is reset when it is closed, whatever is still to be sent."""
FINISH: Final = struct.pack("ii", 0, 0)

T = TypeVar("T")


class End:
    """A connected socket. It is reset when it is closed, unless it was finished before."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    async def peek(self, count: int) -> bytes:
        """Wait for bytes; return the first ones without taking them. Raises OSError."""
        await readable(self.connection)
        return self.connection.recv(count, socket.MSG_PEEK)

    async def read(self) -> bytes:
        """Wait for bytes; return none at the end. Raises OSError."""
        return await asyncio.get_running_loop().sock_recv(self.connection, READ_BYTES)

    async def write(self, data: bytes) -> None:
        """Return when the kernel has taken the bytes. Raises OSError."""
        await asyncio.get_running_loop().sock_sendall(self.connection, data)

    async def finish(self) -> None:
        """Say that nothing more comes, and wait a little until the other side has read everything and closes."""
        with suppress(OSError):  # TimeoutError is one
            async with asyncio.timeout(LEAVE_S):
                await self._say_end()
                self.connection.shutdown(socket.SHUT_WR)
                left = LEAVE_BYTES
                while left > 0 and (data := await End.read(self)):
                    left -= len(data)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, FINISH)

    async def _say_end(self) -> None:
        """Say it in the protocol above TCP."""


class TlsEnd(End):
    """The server's side of a TLS connection."""

    def __init__(self, connection: socket.socket, tls: ssl.SSLContext) -> None:
        super().__init__(connection)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = tls.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._sending = asyncio.Lock()

    async def shake_hands(self) -> None:
        """Shake hands. Raises OSError, also as SSLError."""
        await self._done(self._tls.do_handshake)

    async def read(self) -> bytes:
        """Wait for bytes; return none at the end. Raises OSError, also as SSLError."""
        try:
            return await self._done(lambda: self._tls.read(READ_BYTES))
        except ConnectionResetError:
            return b""

    async def write(self, data: bytes) -> None:
        """Return when the kernel has taken the bytes. Raises OSError, also as SSLError."""
        for start in range(0, len(data), READ_BYTES):
            self._tls.write(data[start : start + READ_BYTES])
            await self._send()

    async def _say_end(self) -> None:
        with suppress(ssl.SSLError):  # it wants to read the answer, which is not needed
            self._tls.unwrap()
        await self._send()

    async def _done(self, step: Callable[[], T]) -> T:
        """Take a step of the protocol, with as many bytes of the other side as it needs."""
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                pass
            finally:
                await self._send()
            if not (data := await super().read()):
                raise ConnectionResetError
            self._incoming.write(data)

    async def _send(self) -> None:
        async with self._sending:  # a reader sends too, if it answers what the protocol asks
            while data := self._outgoing.read():
                await super().write(data)


async def dial(path: Path, name: str) -> End:
    """Connect to a Unix socket from an end that is bound to a name. Raises OSError."""
    end = _named(name)
    try:
        await asyncio.get_running_loop().sock_connect(end.connection, str(path))
    except BaseException:
        end.connection.close()
        raise
    return end


def _named(name: str) -> End:
    end = End(socket.socket(socket.AF_UNIX))
    end.connection.bind(name)
    Path(name).unlink()  # the socket stays bound to its name
    return end
