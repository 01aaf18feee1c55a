"""The proxy through which a confined build fetches libraries: HTTP/1.1 with CONNECT, and plain requests.

A build has a network of its own, with nothing in it but itself. Before its command runs, `arena.sandbox.entry` opens a
listener there and hands it over through a Unix socket; the proxy accepts connections at this listener. That socket is
closed then, so the build itself can say nothing but HTTP. In gVisor the proxy accepts connections at the Unix socket.
"""

import asyncio
import contextlib
import re
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from ballcourt.arena.fetching.configured import PORTS, Place, place_of
from ballcourt.arena.fetching.destinations import Closed, Destinations
from ballcourt.arena.fetching.upstream import Upstream, upstream_for
from ballcourt.arena.sandbox.bubblewrap import DOOR, opened_door, received
from ballcourt.arena.tasks import readable

MOST_CONNECTIONS: Final = 64
"""Further ones wait."""
HEAD_BYTES: Final = 32 * 1024
READ_BYTES: Final = 64 * 1024
HEAD_S: Final = 30.0
CONNECT_S: Final = 30.0
IDLE_S: Final = 300.0
"""How long a connection may be silent in both directions."""
MOST_REFUSALS: Final = 20
"""How many different refusals are noted."""
MB: Final = 1 << 20
OPENED: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
PLAIN_METHODS: Final = ("GET", "HEAD")
"""Requests without a body: nothing that follows one could be taken for another."""
DROPPED: Final = (
    *("connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "upgrade"),
    *("host", "content-length", "transfer-encoding", "expect"),
)
"""Headers that are not sent on."""
RETRY_S: Final = 0.5
"""The pause after a connection could not be accepted."""
MOST_PLACES: Final = 50
"""How many places are listed."""


class Declined(Exception):
    """A request that is not carried out: its status, and a sentence."""

    def __init__(self, status: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass
class Traffic:
    """What a build has fetched, and what it was refused."""

    bytes: Counter[Place] = field(default_factory=Counter)
    """Of both directions, by place."""
    refusals: dict[str, None] = field(default_factory=dict)
    """Sentences, in the order of their first appearance."""

    def lines(self) -> list[str]:
        """Return it in sentences."""
        fetched = [f"exchanged {_size(count)} with {place}" for place, count in self.bytes.most_common(MOST_PLACES)]
        return [*fetched, *(f"was refused: {sentence}" for sentence in self.refusals)]


class Proxy:
    """The way out of one build, while its context is open."""

    folder: Path
    """What the build has to see: the folder with the Unix socket."""

    def __init__(
        self, folder: Path, destinations: Destinations, most_bytes: int = 0, *, hands_over: bool = True
    ) -> None:
        """Make the Unix socket in a new folder; pass on at most this number of bytes, 0 means unlimited.

        `hands_over` says whether the build hands over a listener, or what comes to its own is passed on to that socket.
        """
        self.folder = folder
        self.traffic = Traffic()
        self._destinations = destinations
        self._most_bytes = most_bytes
        self._hands_over = hands_over
        self._free = asyncio.Semaphore(MOST_CONNECTIONS)
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self.folder.mkdir()
        self._accepting = asyncio.create_task(self._serve(opened_door(self.folder, listens=not self._hands_over)))
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [self._accepting, *self._serving]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, door: socket.socket) -> None:
        listener = door
        if self._hands_over:
            with door:
                await readable(door)
                listener = received(door)
            (self.folder / DOOR).unlink()
        with listener:
            listener.setblocking(False)
            while True:
                await self._free.acquire()
                try:
                    connection, _ = await asyncio.get_running_loop().sock_accept(listener)
                except OSError:  # we may open no more files for now
                    self._free.release()
                    await asyncio.sleep(RETRY_S)
                    continue
                task = asyncio.create_task(self._attend(connection))
                self._serving.add(task)
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._serving.discard(task)
        self._free.release()

    async def _attend(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection, limit=HEAD_BYTES)
        try:
            await self._answer(reader, writer)
        except Declined as refusal:
            self._refuse(writer, refusal)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass  # one of the two ends has gone
        finally:
            await _close(writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry out one request. Raises Declined, OSError and IncompleteReadError."""
        method, target, headers = await _request(reader)
        if method == "CONNECT":
            place = _place(target)
            far_reader, far_writer = await self._connected(place, self._upstream("https", place))
            request = None
        else:
            place, path = _plain_target(method, target)
            upstream = self._upstream("http", place)
            far_reader, far_writer = await self._connected(place, upstream)
            request = _plain_request(method, path, headers, place, upstream)
        try:
            if request is None:
                writer.write(OPENED)
            else:
                far_writer.write(request)
            async with asyncio.timeout(IDLE_S) as idle, asyncio.TaskGroup() as group:
                if request is None:
                    group.create_task(self._copy(reader, far_writer, place, idle))
                group.create_task(self._copy(far_reader, writer, place, idle))
        finally:
            await _close(far_writer)

    def _upstream(self, scheme: str, place: Place) -> Upstream | None:
        try:
            return upstream_for(scheme, place.host)
        except OSError as error:
            raise Declined("502 Bad Gateway", f"{place} cannot be reached: {error}") from None

    async def _connected(
        self, place: Place, upstream: Upstream | None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a place, or to the organiser's own proxy on the way to it. Raises Declined."""
        try:
            async with asyncio.timeout(CONNECT_S):
                if upstream:
                    await self._destinations.demand_known(place)
                    return await upstream.connected(None if place.is_plain else place)
                return await _first(await self._destinations.addresses(place), place.port)
        except Closed as error:
            raise Declined("403 Forbidden", str(error)) from None
        except TimeoutError:
            raise Declined("504 Gateway Timeout", f"{place} did not answer within {CONNECT_S:g} s") from None
        except OSError as error:
            raise Declined("502 Bad Gateway", f"{place} cannot be reached: {error.strerror or error}") from None

    async def _copy(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, place: Place, idle: asyncio.Timeout
    ) -> None:
        """Pass on bytes until one end is silent in both directions, is gone, or too many were passed on."""
        try:
            while data := await source.read(READ_BYTES):
                self._count(place, len(data))
                idle.reschedule(asyncio.get_running_loop().time() + IDLE_S)
                target.write(data)
                await target.drain()
            if target.can_write_eof():
                target.write_eof()
            else:  # it is encrypted
                target.close()
        except OSError:
            target.transport.abort()

    def _count(self, place: Place, count: int) -> None:
        """Count bytes that are passed on. Raises OSError if they are too many."""
        self.traffic.bytes[place] += count
        if 0 < self._most_bytes < self.traffic.bytes.total():
            self._note(f"more than {self._most_bytes // MB} MB")
            raise OSError("too many bytes")

    def _refuse(self, writer: asyncio.StreamWriter, refusal: Declined) -> None:
        self._note(str(refusal))
        body = f"{refusal}\n".encode(errors="replace")
        head = f"HTTP/1.1 {refusal.status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def _note(self, refusal: str) -> None:
        if len(self.traffic.refusals) < MOST_REFUSALS:
            self.traffic.refusals[refusal] = None


async def _request(reader: asyncio.StreamReader) -> tuple[str, str, list[tuple[str, str]]]:
    """Read the head of a request: its method, its target and its headers. Raises Declined."""
    try:
        async with asyncio.timeout(HEAD_S):
            head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise Declined("431 Request Header Fields Too Large", f"a head of more than {HEAD_BYTES} bytes") from None
    line, *rest = head.decode("latin-1").split("\r\n")[:-2]
    words = line.split(" ")
    if CONTROL.search("".join((line, *rest))):
        raise Declined("400 Bad Request", "a head with control characters")
    if len(words) != 3 or not TOKEN.fullmatch(words[0]) or not words[2].startswith("HTTP/1."):
        raise Declined("400 Bad Request", f"{line[:80]!r} is not a request to a proxy")
    return words[0], words[1], [*_headers(rest)]


def _headers(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not TOKEN.fullmatch(name):
            raise Declined("400 Bad Request", f"{line[:80]!r} is not a header")
        yield name, value.strip()


def _place(target: str) -> Place:
    try:
        return place_of(target)
    except ValueError:
        raise Declined("400 Bad Request", f"{target[:80]!r} is not a host with a port") from None


def _plain_target(method: str, target: str) -> tuple[Place, str]:
    """Return the place and the path of a request for a URL. Raises Declined."""
    try:
        parts = urlsplit(target)
        place = place_of(parts.netloc if parts.port else f"{parts.netloc}:{PORTS['http']}")
        if parts.scheme != "http":
            raise ValueError
    except ValueError:
        raise Declined("400 Bad Request", f"{target[:80]!r} is not an address of a web server") from None
    if method not in PLAIN_METHODS:
        raise Declined("405 Method Not Allowed", f"{method[:20]} without encryption; only GET and HEAD are passed on")
    return place._replace(is_plain=True), parts._replace(scheme="", netloc="", fragment="").geturl() or "/"


def _plain_request(
    method: str, path: str, headers: list[tuple[str, str]], place: Place, upstream: Upstream | None
) -> bytes:
    """Return a request as it is sent on; the connection serves only this one."""
    host = place.host if place.port == PORTS["http"] else str(place)
    own = [("Host", host), ("Connection", "close")]
    own += [("Proxy-Authorization", upstream.credentials)] if upstream and upstream.credentials else []
    kept = [(name, value) for name, value in headers if name.lower() not in DROPPED]
    target = f"http://{host}{path}" if upstream else path
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in (*own, *kept))]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _first(addresses: list[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers. Raises OSError."""
    failure = OSError("it has no address")
    for address in addresses:
        try:
            return await asyncio.open_connection(address, port, limit=READ_BYTES)
        except OSError as error:
            failure = error
    raise failure


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(HEAD_S):
            await writer.wait_closed()


def _size(count: int) -> str:
    return f"{count / MB:.1f} MB" if count >= MB else f"{count / 1024:.1f} KB"
