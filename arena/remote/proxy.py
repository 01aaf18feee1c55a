"""The TCP port of a host: terminates TLS, and limits what strangers can do before they show a token.

gRPC's own TCP port neither reports failed handshakes nor limits connections by address. So this proxy accepts the
connections and forwards their bytes to gRPC, each over its own connection to a Unix socket. It binds its end of that
connection to a name, by which the gRPC server can look up the visitor behind a stream.

A client that does not use TLS where it must is forwarded too, so that it gets a sentence, but never admitted.
"""

import asyncio
import errno
import itertools
import socket
import ssl
from pathlib import Path
from time import monotonic
from typing import Final, Self

from ballcourt.arena.rates import Allowance, SlidingWindow
from ballcourt.arena.remote.ends import LEAVE_S, End, TlsEnd, dial
from ballcourt.arena.remote.hosting import Journal
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.arena.remote.visitors import TLS_RECORD, Visitor, WaitingRoom, to_make_room
from ballcourt.arena.tasks import first_to_end

SCARCE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
RETRY_S: Final = 0.5  # pause before the next connection is accepted after one of these errors
LOOK_S: Final = 0.02  # pause before the next look for a free place
LENIENCY: Final = 1.5  # the gRPC server's timeout comes first, because it can send the bot the reason
HTTP_2: Final = b"PRI"  # the first bytes of an unencrypted HTTP/2 connection
NOT_GRPC: Final = b"""HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n\
This is a Ballcourt arena. It speaks gRPC over TLS: let a bot dial in with `ballcourt connect`.
"""


class TcpProxy:
    """Forwards connections while its context is open. Without TLS, only this machine may reach its listener."""

    def __init__(
        self, listener: socket.socket, tls: ssl.SSLContext | None, inside: Path, limits: HostLimits, journal: Journal
    ) -> None:
        """Forward to the Unix socket `inside`; the proxy's ends of the connections get names in the same folder."""
        self._failures = SlidingWindow(limits.failures, limits.window_s)
        self._waiting = WaitingRoom(limits.waiting, limits.window_s, limits.hello_s, self.complain)
        self._listener = listener
        self._tls = tls
        self._inside = inside
        self._limits = limits
        self._journal = journal
        self._visitors: dict[str, Visitor] = {}  # by the name of the proxy's end of the inner connection, oldest first
        self._numbers = itertools.count(1)
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener.setblocking(False)
        self._opening = asyncio.gather(self._accept(), self._let_in())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._opening.cancel()
        await asyncio.gather(self._opening, return_exceptions=True)
        self._listener.close()
        self._waiting.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=LEAVE_S)
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def visitor(self, peer: str) -> Visitor | None:
        """Return the visitor behind a stream, by the peer address that gRPC reports; None if it has just left."""
        return self._visitors.get(peer.removeprefix("unix:"))

    def complain(self, event: str, visitor: Visitor, reason: str) -> None:
        """Journal a failed attempt, unless its prefix has had too many lately: a flood must not fill the journal."""
        if self._failures.is_full(visitor.prefix):
            self._failures.add(visitor.prefix)
            return
        self._journal.write(event, peer=str(visitor), reason=reason)
        self._failures.add(visitor.prefix)
        if self._failures.is_full(visitor.prefix):
            limits = self._limits
            reason = f"{limits.failures} failed attempts in {limits.window_s:g} s; further ones are not written down"
            self._journal.write("flood", peer=visitor.prefix, reason=reason)

    async def _accept(self) -> None:
        allowance = Allowance(self._limits.accepted_per_s, self._limits.accepted_per_s)
        while True:
            try:
                connection, address = await asyncio.get_running_loop().sock_accept(self._listener)
            except OSError as error:
                if error.errno in SCARCE:
                    await asyncio.sleep(RETRY_S)
                continue  # otherwise it left before it was accepted
            self._waiting.enter(End(connection), Visitor(*address[:2]))
            await asyncio.sleep(allowance.take())

    async def _let_in(self) -> None:
        """Serve the connections that wait, at a limited rate."""
        allowance = Allowance(self._limits.per_s, self._limits.per_s)
        while True:
            await self._waiting.arrival()
            await self._make_room()
            self._admit(*await self._waiting.take())  # who has arrived may have left meanwhile
            await asyncio.sleep(allowance.take())

    async def _make_room(self) -> None:
        """Cut off an unproven visitor if there are too many; wait if all of them have only just come."""
        while oldest := to_make_room(self._visitors.values(), self._limits.unproven):
            if monotonic() - oldest.began_s >= self._limits.grace_s:
                self.complain("cut off", oldest, f"{self._limits.unproven} connections are without a valid token")
                oldest.cut()
                return
            await asyncio.sleep(LOOK_S)

    def _admit(self, plain: End, visitor: Visitor) -> None:
        name = str(self._inside.parent / f"visitor-{next(self._numbers)}")
        task = asyncio.create_task(self._serve(plain, name, visitor))
        self._visitors[name] = visitor
        visitor.began_s = monotonic()
        visitor.hang_up = task.cancel
        self._serving.add(task)

        def forget(task: asyncio.Task[None]) -> None:
            self._serving.discard(task)
            del self._visitors[name]

        task.add_done_callback(forget)

    async def _serve(self, plain: End, name: str, visitor: Visitor) -> None:
        """Serve one connection from its first byte to its last."""
        with plain:
            try:
                async with asyncio.timeout(self._limits.hello_s):
                    outside = await self._shake_hands(plain, visitor)
            except OSError as error:  # SSLError and the timeout are OSErrors too
                late = f"no handshake within {self._limits.hello_s:g} s"
                spoken = getattr(error, "reason", None) or error.strerror or str(error) or "closed by the other side"
                self.complain("bad handshake", visitor, late if isinstance(error, TimeoutError) else spoken)
            else:
                await self._connect(outside, name, visitor)

    async def _shake_hands(self, plain: End, visitor: Visitor) -> End:
        """Return the connection after its TLS handshake. Raises OSError."""
        first = await plain.peek(len(HTTP_2))
        if first[:1] == TLS_RECORD and not self._tls:
            raise ConnectionError("TLS; this host was started with --insecure")
        if first[:1] != TLS_RECORD and first not in (HTTP_2, b""):
            await plain.write(NOT_GRPC)
            await plain.finish()
            raise ConnectionError("neither TLS nor gRPC")
        visitor.is_encrypted = first != HTTP_2 or self._tls is None
        if not (self._tls and visitor.is_encrypted):
            return plain
        outside = TlsEnd(plain.connection, self._tls)
        await outside.shake_hands()
        return outside

    async def _connect(self, outside: End, name: str, visitor: Visitor) -> None:
        """Forward bytes both ways until one side closes or the visitor shows no token in time."""
        with await dial(self._inside, name) as inside:
            answering = asyncio.create_task(_forward(inside, outside))
            asking = asyncio.create_task(self._forward_in(outside, inside, visitor))
            async with first_to_end(answering, asking, asyncio.create_task(self._expect_proof(visitor))):
                is_over = answering.done() and not answering.exception()
        if is_over:
            await outside.finish()

    async def _expect_proof(self, visitor: Visitor) -> None:
        await visitor.unproven_for(LENIENCY * self._limits.hello_s)
        self.complain("cut off", visitor, "no accepted Hello in time")

    async def _forward_in(self, outside: End, inside: End, visitor: Visitor) -> None:
        """Forward bytes from outside at a limited rate, and up to a limit for visitors that have shown no token."""
        allowance = Allowance(self._limits.bytes_per_s, self._limits.bytes_per_s)
        while data := await outside.read():
            visitor.pulse.beat()
            if not visitor.is_proven:
                visitor.received += len(data)
            if visitor.received > self._limits.unproven_bytes:
                self.complain("cut off", visitor, f"{visitor.received} bytes without a valid token")
                return
            await inside.write(data)
            if pause_s := allowance.take(len(data)):
                await asyncio.sleep(pause_s)


async def _forward(source: End, target: End) -> None:
    while data := await source.read():
        await target.write(data)
