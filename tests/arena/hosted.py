"""Shared by the tests of remote bots: a host in this process, raw clients, and connections that can be cut."""

import asyncio
import io
import json
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ballcourt.arena.remote.admission import serve_remote_bots
from ballcourt.arena.remote.hosting import Hosting, Journal
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotIdentity, BotMessage, Hello
from tests.arena.conftest import PATIENCE_S


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate for this machine, and its key."""

    path: Path
    key: Path


def make_certificate(folder: Path) -> Certificate:
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=localhost")
    begins, ends = (datetime.now(UTC) + timedelta(days=days) for days in (-1, 2))
    places = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), begins, ends)
    builder = builder.add_extension(x509.SubjectAlternativeName(places), critical=False)
    signed = builder.add_extension(x509.BasicConstraints(True, None), critical=True).sign(key, hashes.SHA256())
    made.path.write_bytes(signed.public_bytes(Encoding.PEM))
    made.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made


@dataclass
class Door:
    """What a bot needs in order to dial in to a host."""

    port: int
    tokens: TokenFile
    certificate: Certificate | None

    @property
    def address(self) -> str:
        return f"localhost:{self.port}"


@dataclass
class Host(Door):
    """A running host with access to its internals."""

    registry: SessionRegistry
    journal: io.StringIO

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the logged events so far, of one kind or of all kinds."""
        lines = [json.loads(line) for line in self.journal.getvalue().splitlines()]
        return [line for line in lines if kind in ("", line["event"])]

    async def event(self, kind: str, number: int = 1) -> dict[str, Any]:
        """Wait for an event of this kind; return it."""
        await until(lambda: len(self.events(kind)) >= number)
        return self.events(kind)[number - 1]


@asynccontextmanager
async def hosting(
    certificate: Certificate | None = None,
    limits: HostLimits | None = None,
    *,
    reconnect_ms: int = 10_000,
    versions: dict[str, str] | None = None,
    reflection: bool = False,
) -> AsyncIterator[Host]:
    """Open a host for `alice-bot` and `bob-bot` to play bluff."""
    folder = Path(tempfile.mkdtemp(prefix="bc-", dir="/tmp"))
    journal = io.StringIO()
    tokens = TokenFile(folder / "tokens.json")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    hosting = Hosting(
        listener=listener.detach(),
        games=("bluff",),
        bots=("alice-bot", "bob-bot"),
        versions=versions or {},
        tokens=str(tokens.path),
        certificate=str(certificate.path) if certificate else "",
        key=str(certificate.key) if certificate else "",
        reconnect_ms=reconnect_ms,
        reflection=reflection,
        limits=limits or HostLimits(),
    )
    try:
        async with serve_remote_bots(hosting, folder, Journal(journal)) as registry:
            yield Host(port, tokens, certificate, registry, journal)
    finally:
        shutil.rmtree(folder)


@dataclass
class Line:
    """A stream to a host that can send any message."""

    call: "grpc.aio.StreamStreamCall[bytes, bytes]"

    async def say(self, message: BotMessage | bytes) -> None:
        await self.call.write(message if isinstance(message, bytes) else message.SerializeToString())

    async def hear(self) -> ArenaMessage:
        """Return the next message; an empty one at the end of the stream."""
        data = await asyncio.wait_for(self.call.read(), PATIENCE_S)
        return ArenaMessage.FromString(data) if isinstance(data, bytes) else ArenaMessage()


@asynccontextmanager
async def dialled(host: Door, address: str = "", *, trusted: Certificate | None = None) -> AsyncIterator[Line]:
    """Open a stream to a host over a separate connection."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    where = address or host.address
    if certificate := trusted or host.certificate:
        credentials = grpc.ssl_channel_credentials(certificate.path.read_bytes())
        channel = grpc.aio.secure_channel(where, credentials, options)
    else:
        channel = grpc.aio.insecure_channel(where, options)
    async with channel:
        line = Line(channel.stream_stream("/ballcourt.v1.Arena/Play")())
        yield line
        del line.call  # it keeps the connection open


def hello(token: str, name: str = "alice-bot", version: str = "1", **fields: object) -> BotMessage:
    content: dict[str, Any] = {
        "protocol_min": 1,
        "protocol_max": 1,
        "bot": BotIdentity(name=name, version=version),
        **fields,
    }
    return BotMessage(hello=Hello(token=token, **content))


async def until(is_true: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail after `PATIENCE_S`."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_true():  # noqa: ASYNC110  it depends on gRPC or the kernel, which cannot set an event
            await asyncio.sleep(0.005)


@dataclass
class Wire:
    """A TCP proxy in front of a host whose connections can be cut any number of times."""

    port: int
    source: str = ""
    """The address of this machine from which it connects; empty: the usual one."""
    address: str = ""
    cuts: int = 0
    _writers: list[asyncio.StreamWriter] = field(default_factory=list)
    _flows: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._flows.set()

    def cut(self) -> None:
        """Break all connections and drop the data in flight."""
        self.cuts += 1
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def hold(self) -> None:
        """Carry nothing until `release`, without a sign of it."""
        self._flows.clear()

    def release(self) -> None:
        """Carry on, with all that was held."""
        self._flows.set()

    def close(self) -> None:
        """Break all connections and accept no more."""
        self.cut()
        self.port = 0

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):  # asyncio prints what a handler raises when its loop ends
            await self._carry(reader, writer)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.port:
            writer.transport.abort()
            return
        source = (self.source, 0) if self.source else None
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.port, local_addr=source)
        except OSError:
            writer.transport.abort()
            return
        self._writers += [writer, back]
        await asyncio.gather(_copy(reader, back, self._flows), _copy(there, writer, self._flows))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flows: asyncio.Event) -> None:
    try:
        while data := await reader.read(65536):
            await flows.wait()
            writer.write(data)
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def wire_to(host: Door, source: str = "") -> AsyncIterator[Wire]:
    wire = Wire(host.port, source)
    server = await asyncio.start_server(wire.join, "127.0.0.1", 0)
    wire.address = f"localhost:{server.sockets[0].getsockname()[1]}"
    try:
        yield wire
    finally:
        server.close()
        wire.cut()
