"""The TCP port of a host: TLS ends here, and what strangers may do before they show a token is limited here.

A TCP port of gRPC's own would tell nobody of a failed handshake and knows no limits by address. So this one takes the
connections and passes their bytes on to gRPC over a Unix socket, one connection for each. The name it gives its own end
of that socket is how the other side can tell who is behind a stream.
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
from ballcourt.arena.remote.limits import Limits, SlidingWindow

READ_BYTES: Final = 64 * 1024
SCARCE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
BREATH_S: Final = 0.5  # when something of the above is missing for a new connection
LEAVE_S: Final = 5.0  # so long may those who were told Goodbye take to leave, on a busy machine
LENIENCY: Final = 1.5  # the gate can tell a bot why it is late, so it goes first


class Visitor:
    """One connection from outside."""

    def __init__(self, address: str, port: int) -> None:
        self.address = address
        self.port = port
        self.proven = False
        """Whether a Hello of this connection was accepted."""

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


class FrontDoor:
    """Takes connections while its context is open. Without TLS only the machine itself may be able to reach it."""

    def __init__(
        self, listener: socket.socket, tls: ssl.SSLContext | None, inside: Path, limits: Limits, journal: Journal
    ) -> None:
        """Pass connections on to the Unix socket `inside`; the names of our ends of it are made in the same folder."""
        self.failures = SlidingWindow(limits.failures, limits.window_s)
        self._connections = SlidingWindow(limits.connections, limits.window_s)
        self._listener = listener
        self._tls = tls
        self._inside = inside
        self._limits = limits
        self._journal = journal
        self._visitors: dict[str, Visitor] = {}  # by the name of our end of their connection inside
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
        """Tell who is behind a stream, by gRPC's name for where it comes from; None when he has just left."""
        return self._visitors.get(peer.removeprefix("unix:"))

    async def _accept(self) -> None:
        while True:
            try:
                connection, address = await asyncio.get_running_loop().sock_accept(self._listener)
            except OSError as error:
                if error.errno in SCARCE:
                    await asyncio.sleep(BREATH_S)
                continue  # or it left before it was let in
            visitor = Visitor(*address[:2])
            if reason := self._too_much(visitor):
                self._journal.write("turned away", peer=str(visitor), reason=reason)
                connection.close()
            else:
                self._admit(connection, visitor)

    def _too_much(self, visitor: Visitor) -> str:
        """Say which limit another connection would exceed, if any."""
        if self._connections.wait_s(visitor.address):
            return f"more than {self._limits.connections} connections of this address in {self._limits.window_s:g} s"
        if sum(not other.proven for other in self._visitors.values()) >= self._limits.unproven:
            return f"more than {self._limits.unproven} connections that have shown no token"
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
        except OSError as error:  # so are SSLError and the timeout
            self.failures.add(visitor.address)
            reason = getattr(error, "reason", None) or error.strerror or str(error) or "broken off from outside"
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
        """Pass bytes both ways until one side ends; cut a visitor off that shows no token in time."""
        deadline = asyncio.get_running_loop().call_later(
            LENIENCY * self._limits.hello_s, self._expect_proof, outside, visitor
        )
        inside = _End(*await _dial(self._inside, name))
        try:
            await _first_of(self._pass_in(outside, inside, visitor), _pass_on(inside, outside))
        finally:
            deadline.cancel()
            inside.writer.close()
            outside.writer.close()

    def _expect_proof(self, outside: "_End", visitor: Visitor) -> None:
        if not visitor.proven:
            self._journal.write("cut off", peer=str(visitor), reason="no Hello that was accepted in time")
            outside.writer.transport.abort()

    async def _pass_in(self, outside: "_End", inside: "_End", visitor: Visitor) -> None:
        """Pass on what comes from outside, up to the limit for those that have shown no token."""
        received = 0
        while data := await outside.reader.read(READ_BYTES):
            received += len(data)
            if received > self._limits.unproven_bytes and not visitor.proven:
                self._journal.write("cut off", peer=str(visitor), reason=f"{received} bytes and no token among them")
                return
            await inside.write(data)


class _End:
    """One end of a connection that is passed on."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


async def _pass_on(source: _End, target: _End) -> None:
    while data := await source.reader.read(READ_BYTES):
        await target.write(data)


async def _first_of(*work: Coroutine[None, None, None]) -> None:
    """Run coroutines until one of them ends, however it does, and the others with it."""
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _dial(path: Path, name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a Unix socket from an end that has a name."""
    end = _named(name)
    await asyncio.get_running_loop().sock_connect(end, str(path))
    return await asyncio.open_unix_connection(sock=end)


def _named(name: str) -> socket.socket:
    end = socket.socket(socket.AF_UNIX)
    end.bind(name)
    Path(name).unlink()  # the socket keeps its name without the file
    end.setblocking(False)
    return end
