"""The TCP port of a host: terminates TLS, and limits what strangers can do before they show a token.

gRPC's own TCP port neither reports failed handshakes nor limits connections by address. So this proxy accepts the
connections and forwards their bytes to gRPC, each over its own connection to a Unix socket. It binds its end of that
connection to a name, by which the gRPC server can look up the visitor behind a stream.
"""

import asyncio
import errno
import itertools
import socket
import ssl
from collections.abc import Coroutine
from pathlib import Path
from typing import Final, Self

from ballcourt.arena.remote.journal import Journal
from ballcourt.arena.remote.limits import HostLimits, SlidingWindow

READ_BYTES: Final = 64 * 1024
SCARCE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
RETRY_S: Final = 0.5  # pause before the next connection is accepted after one of these errors
LEAVE_S: Final = 5.0  # how long visitors may take to disconnect after Goodbye, on a busy machine
LENIENCY: Final = 1.5  # the gRPC server's timeout comes first, because it can tell the bot the reason


class Visitor:
    """A connection from outside."""

    def __init__(self, address: str, port: int) -> None:
        self.address = address
        self.port = port
        self.proven = False
        """Whether a Hello of this connection was accepted."""

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


class TcpProxy:
    """Forwards connections while its context is open. Without TLS, only this machine may reach its listener."""

    def __init__(
        self, listener: socket.socket, tls: ssl.SSLContext | None, inside: Path, limits: HostLimits, journal: Journal
    ) -> None:
        """Forward to the Unix socket `inside`; the proxy's ends of the connections get names in the same folder."""
        self.failures = SlidingWindow(limits.failures, limits.window_s)
        self._connections = SlidingWindow(limits.connections, limits.window_s)
        self._listener = listener
        self._tls = tls
        self._inside = inside
        self._limits = limits
        self._journal = journal
        self._visitors: dict[str, Visitor] = {}  # by the name of the proxy's end of the inner connection
        self._numbers = itertools.count(1)
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener.setblocking(False)
        self._accepting = asyncio.create_task(self._accept())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._accepting.cancel()
        await asyncio.gather(self._accepting, return_exceptions=True)
        self._listener.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=LEAVE_S)
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def visitor(self, peer: str) -> Visitor | None:
        """Return the visitor behind a stream, by the peer address that gRPC reports; None if it has just left."""
        return self._visitors.get(peer.removeprefix("unix:"))

    async def _accept(self) -> None:
        while True:
            try:
                connection, address = await asyncio.get_running_loop().sock_accept(self._listener)
            except OSError as error:
                if error.errno in SCARCE:
                    await asyncio.sleep(RETRY_S)
                continue  # otherwise it left before it was accepted
            visitor = Visitor(*address[:2])
            if reason := self._too_much(visitor):
                self._journal.write("turned away", peer=str(visitor), reason=reason)
                connection.close()
            else:
                self._admit(connection, visitor)

    def _too_much(self, visitor: Visitor) -> str:
        """Return which limit another connection would exceed; empty if none."""
        if self._connections.wait_s(visitor.address):
            return f"more than {self._limits.connections} connections from this address in {self._limits.window_s:g} s"
        if sum(not other.proven for other in self._visitors.values()) >= self._limits.unproven:
            return f"more than {self._limits.unproven} connections without a valid token"
        return ""

    def _admit(self, connection: socket.socket, visitor: Visitor) -> None:
        self._connections.add(visitor.address)
        name = str(self._inside.parent / f"visitor-{next(self._numbers)}")
        self._visitors[name] = visitor
        task = asyncio.create_task(self._serve(connection, name, visitor))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, connection: socket.socket, name: str, visitor: Visitor) -> None:
        """Serve one connection from its first byte to its last."""
        try:
            outside = await self._shake_hands(connection)
        except OSError as error:  # SSLError and the timeout are OSErrors too
            self.failures.add(visitor.address)
            reason = getattr(error, "reason", None) or error.strerror or str(error) or "closed by the other side"
            self._journal.write("bad handshake", peer=str(visitor), reason=reason)
        else:
            await self._connect(outside, name, visitor)
        finally:
            del self._visitors[name]

    async def _shake_hands(self, connection: socket.socket) -> "_End":
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        loop = asyncio.get_running_loop()
        limit = self._limits.hello_s if self._tls else None
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol, connection, ssl=self._tls, ssl_handshake_timeout=limit
        )
        return _End(reader, asyncio.StreamWriter(transport, protocol, reader, loop))

    async def _connect(self, outside: "_End", name: str, visitor: Visitor) -> None:
        """Forward bytes both ways until one side closes; disconnect a visitor that shows no token in time."""
        deadline = asyncio.get_running_loop().call_later(
            LENIENCY * self._limits.hello_s, self._expect_proof, outside, visitor
        )
        inside = _End(*await _dial(self._inside, name))
        try:
            await _first_of(self._forward_in(outside, inside, visitor), _forward(inside, outside))
        finally:
            deadline.cancel()
            inside.writer.close()
            outside.writer.close()

    def _expect_proof(self, outside: "_End", visitor: Visitor) -> None:
        if not visitor.proven:
            self._journal.write("cut off", peer=str(visitor), reason="no accepted Hello in time")
            outside.writer.transport.abort()

    async def _forward_in(self, outside: "_End", inside: "_End", visitor: Visitor) -> None:
        """Forward bytes from outside, up to a limit for visitors that have shown no token."""
        received = 0
        while data := await outside.reader.read(READ_BYTES):
            received += len(data)
            if received > self._limits.unproven_bytes and not visitor.proven:
                self._journal.write("cut off", peer=str(visitor), reason=f"{received} bytes without a valid token")
                return
            await inside.write(data)


class _End:
    """One side of a forwarded connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


async def _forward(source: _End, target: _End) -> None:
    while data := await source.reader.read(READ_BYTES):
        await target.write(data)


async def _first_of(*work: Coroutine[None, None, None]) -> None:
    """Run coroutines until the first ends, for whatever reason; cancel the others."""
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _dial(path: Path, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a Unix socket from an end that is bound to a name."""
    end = _named(name)
    await asyncio.get_running_loop().sock_connect(end, str(path))
    return await asyncio.open_unix_connection(sock=end)


def _named(name: str) -> socket.socket:
    end = socket.socket(socket.AF_UNIX)
    end.bind(name)
    Path(name).unlink()  # the socket stays bound to its name
    end.setblocking(False)
    return end
