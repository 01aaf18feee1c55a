"""Floods over TCP, a program of its own: `python -m tests.attacks.flooding WAY PORT SECONDS CONNECTIONS [TOKEN]`.

They are by strangers, or by a bot that holds a token.

It never reads an answer, dials again whenever it is cut off, and ends after some seconds, or some connections more than
it holds at a time. Then it prints how many connections it made and how many bytes it sent.
"""

import itertools
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from ballcourt.v1.protocol_pb2 import BotIdentity, BotMessage, Hello

HOLDER: Final = "alice-bot"
"""The bot that a holder says to be."""
CALLERS: Final = 8
"""How many threads flood at the same time."""
WAIT_S: Final = 5.0
"""How long a thread waits for a TCP or TLS handshake."""
REST_S: Final = 0.001
"""How long a thread rests when none of its connections takes anything."""
DRIP_S: Final = 0.1
"""The pause between two bytes of those who are slow."""
CROWD: Final = 704
"""How many connections are held at the same time by those who are slow or silent."""
BATCH: Final = 500
"""How many frames or requests are sent at a time."""
SENT_AT_ONCE: Final = 1 << 16

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PLAY: Final = "/ballcourt.v1.Arena/Play"
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PING, WINDOW, CONTINUATION, UNKNOWN = 0, 1, 2, 3, 4, 6, 8, 9, 200
END_HEADERS: Final = 4

Parts = Callable[[], Iterator[bytes]]
"""Returns what one connection sends, part by part."""


@dataclass(frozen=True)
class Way:
    """A way to flood."""

    parts: Parts
    lines: int = CALLERS
    """How many connections are open at the same time."""
    tls: bool = False
    pause_s: float = 0.0
    """The pause between two parts of a connection."""


# -- HTTP/2


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame (RFC 9113, section 4.1)."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def field(name: str, value: str) -> bytes:
    """Return a header that no table keeps (RFC 7541, section 6.2.2)."""
    return b"\0" + b"".join(bytes([len(word)]) + word.encode() for word in (name, value))


def call(path: str = PLAY) -> bytes:
    """Return the headers of a gRPC call."""
    fields = {":method": "POST", ":scheme": "https", ":path": path, ":authority": "localhost", "te": "trailers"}
    return b"".join(itertools.starmap(field, [*fields.items(), ("content-type", "application/grpc")]))


def opened(headers: bytes) -> Callable[[int], bytes]:
    """Return a function of the number of a stream that opens it."""
    return lambda stream: frame(HEADERS, END_HEADERS, stream, headers)


def reset(stream: int) -> bytes:
    return opened(call())(stream) + frame(RESET, 0, stream, (8).to_bytes(4))


def guess(stream: int) -> bytes:
    """Say Hello with a token that is unknown."""
    hello = BotMessage(hello=Hello(token="ballcourt_guess", protocol_min=1, protocol_max=1)).SerializeToString()
    return opened(call())(stream) + frame(DATA, 0, stream, b"\0" + len(hello).to_bytes(4) + hello)


def http2(frames: Callable[[], Iterator[bytes]]) -> Way:
    """Send frames without a pause, in batches, after the beginning of an HTTP/2 connection over TLS."""

    def parts() -> Iterator[bytes]:
        yield PREFACE + frame(SETTINGS, 0, 0, b"")
        endless = frames()
        while True:
            yield b"".join(itertools.islice(endless, BATCH))

    return Way(parts, tls=True)


def again(one: bytes, first: bytes = b"") -> Way:
    """Send the same frame without end."""
    return http2(lambda: itertools.chain([first], itertools.repeat(one)))


def streams(of: Callable[[int], bytes]) -> Way:
    """Send what a function returns for the number of one stream after another."""
    return http2(lambda: map(of, itertools.count(1, 2)))


OPENED: Final = opened(call())(1)
BOMB: Final = call() + b"\x40\x01a\x7f\x81\x1e" + b"x" * 4000 + b"\xbe" * 3000
"""Headers of 7 KB that name one of 4 KB three thousand times (RFC 7541, sections 6.1 and 6.2.1)."""
HALF_A_HELLO: Final = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""The beginning of a ClientHello of 512 bytes."""

AT_A_HOST: Final = {
    "pings": again(frame(PING, 0, 0, bytes(8))),
    "settings": again(frame(SETTINGS, 0, 0, (4).to_bytes(2) + (65535).to_bytes(4))),
    "empty frames": again(frame(DATA, 0, 1, b""), OPENED),
    "window updates": again(frame(WINDOW, 0, 0, (1).to_bytes(4))),
    "frames of no type": again(frame(UNKNOWN, 0, 0, bytes(64))),
    "priorities": again(frame(PRIORITY, 0, 1, bytes(5)), OPENED),
    "continuations": again(frame(CONTINUATION, 0, 1, field("abc", "x" * 120)), frame(HEADERS, 0, 1, call())),
    "bodies": again(frame(DATA, 0, 1, bytes(16_000)), OPENED),
    "streams": streams(opened(call())),
    "rapid reset": streams(reset),
    "other paths": streams(opened(call("/no.such.Service/Method"))),
    "health watches": streams(opened(call("/grpc.health.v1.Health/Watch"))),
    "header bombs": streams(opened(BOMB)),
    "guesses": streams(guess),
    "noise in TLS": Way(lambda: itertools.repeat(b"\xff" * SENT_AT_ONCE), tls=True),
    "noise": Way(lambda: itertools.repeat(b"\x16\x03\x01" + b"\xff" * SENT_AT_ONCE)),
    "knocks": Way(lambda: iter([b"\x16"])),
    "half-open TLS": Way(lambda: itertools.chain([HALF_A_HELLO], itertools.repeat(b"")), CROWD, pause_s=DRIP_S),
    "slow handshakes": Way(lambda: itertools.chain([HALF_A_HELLO], itertools.repeat(b"x")), CROWD, pause_s=DRIP_S),
    "slow bytes": Way(lambda: itertools.chain([PREFACE], itertools.repeat(b"\0")), CROWD, tls=True, pause_s=DRIP_S),
}
AT_A_SCHEDULER: Final = ("half-open TLS", "slow handshakes", "slow bytes", "noise in TLS", "noise", "knocks")
"""The ways of AT_A_HOST that are not about HTTP/2."""


def hello(stream: int, token: str) -> bytes:
    """Say Hello with a token that is valid."""
    identity = BotIdentity(name=HOLDER, version="1")
    first = Hello(token=token, protocol_min=1, protocol_max=1, bot=identity)
    return opened(call())(stream) + message(BotMessage(hello=first), stream)


def message(content: BotMessage, stream: int = 1) -> bytes:
    """Return the frame with a message of gRPC."""
    data = content.SerializeToString()
    return frame(DATA, 0, stream, b"\0" + len(data).to_bytes(4) + data)


def proven(of: Callable[[int], bytes]) -> Callable[[str], Way]:
    """Return a function of a token that says Hello on the first stream, then what `of` returns for the next ones."""
    return lambda token: http2(lambda: itertools.chain([hello(1, token)], map(of, itertools.count(3, 2))))


OF_A_HOLDER: Final[dict[str, Callable[[str], Way]]] = {
    "pings": proven(lambda _: frame(PING, 0, 0, bytes(8))),
    "settings": proven(lambda _: frame(SETTINGS, 0, 0, (4).to_bytes(2) + (65535).to_bytes(4))),
    "empty frames": proven(lambda _: frame(DATA, 0, 1, b"")),
    "streams": proven(opened(call())),
    "rapid reset": proven(reset),
    "header bombs": proven(opened(BOMB)),
    "small messages": proven(lambda _: message(BotMessage())),
    "huge messages": proven(lambda _: frame(DATA, 0, 1, b"\0" + (1 << 22).to_bytes(4) + bytes(16_000))),
    "Hellos": lambda token: streams(lambda stream: hello(stream, token)),
    "silence": lambda token: Way(
        lambda: itertools.chain([PREFACE + frame(SETTINGS, 0, 0, b"") + hello(1, token)], itertools.repeat(b"")),
        CROWD,
        tls=True,
        pause_s=DRIP_S,
    ),
}
"""What the holder of a token sends; it never reads what the host says to it."""

# -- HTTP/1.1


def request(line: str, *headers: str) -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"{line} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def repeated(one: bytes, first: bytes = b"", lines: int = CALLERS) -> Way:
    """Send the same bytes without end."""
    return Way(lambda: itertools.chain([first], itertools.repeat(one)), lines)


def dripped(first: bytes, one: bytes) -> Way:
    """Send a beginning, and the rest slowly, on many connections."""
    return Way(lambda: itertools.chain([first], itertools.repeat(one)), CROWD, pause_s=DRIP_S)


KB: Final = b"x" * 1024
BODY: Final = "Content-Length: 100000000"
SHORT: Final = "Content-Length: 900"
AT_A_PAGE: Final = {
    "silence": dripped(b"", b""),
    "slow heads": dripped(request("GET /")[:-2] + b"X: ", b"x"),
    "slow bodies": dripped(request("GET /", SHORT), b"x"),
    "unfinished bodies": dripped(request("POST /answer", SHORT, "Expect: 100-continue"), b""),
    "long bodies": repeated(KB * 64, request("POST /answer", BODY)),
    "foreign bodies": repeated(KB * 64, request("POST /answer", BODY, "Origin: http://other.example")),
    "chunks": repeated(b"10000\r\n" + KB * 64 + b"\r\n", request("POST /answer", "Transfer-Encoding: chunked")),
    "bodies of pages": repeated(KB * 64, request("GET /", BODY)),
    "long lines": repeated(KB, b"GET /"),
    "many headers": repeated(b"X: y\r\n" * BATCH, request("GET /")[:-2]),
    "pipelined requests": repeated(request("GET /healthz") * BATCH),
    "unread pages": repeated(request("GET /"), lines=CROWD),
    "unread replays": repeated(request("GET /matches/m1"), lines=CROWD),
    "unread streams": repeated(b"", request("GET /api/live"), lines=CROWD),
    "pipelined streams": repeated(KB, request("GET /api/live")),
    "upgrades": repeated(request("GET /", "Connection: Upgrade", "Upgrade: websocket")),
    "noise at a page": repeated(b"\xff" * SENT_AT_ONCE),
    "calls to a page": Way(lambda: iter([b"G"])),
}
NO_TOKEN: Final = "Authorization: Bearer bct_guess"
AT_A_CONTEST: Final = {
    "sign-ins of devices": repeated(request("POST /api/v1/device", "Content-Length: 0")),
    "unfinished archives": dripped(
        request("PATCH /api/v1/uploads/0", NO_TOKEN, "Upload-Offset: 0", "Content-Length: 4000000"), b"x"
    ),
}
WAYS: Final = AT_A_HOST | AT_A_PAGE | AT_A_CONTEST
"""All ways by name, which no two of them share."""


# -- the program


@dataclass
class Toll:
    """What the flood came to."""

    connections: int = 0
    sent: int = 0


class Line:
    """One connection after another that sends the parts of a way."""

    def __init__(self, way: Way, port: int, toll: Toll) -> None:
        self._way, self._port, self._toll = way, port, toll
        self._socket: socket.socket | None = None
        self._unsent = memoryview(b"")

    def push(self) -> int:
        """Send as much as the other side takes at once, and return how much that was. Dial first, if there is need."""
        try:
            if self._socket is None:
                self._socket = self._dialled()
                self._parts = self._way.parts()
            return self._send(self._socket)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            return 0
        except (OSError, StopIteration):
            self.close()
            return 0

    def close(self) -> None:
        """Break the connection, if there is one."""
        if self._socket:
            self._socket.close()
        self._socket, self._unsent = None, memoryview(b"")

    def _send(self, line: socket.socket) -> int:
        if not self._unsent:
            self._unsent = memoryview(next(self._parts))
        if not self._unsent and _is_cut(line):
            raise ConnectionResetError
        sent = line.send(self._unsent[:SENT_AT_ONCE]) if self._unsent else 0
        self._unsent = self._unsent[sent:]
        self._toll.sent += sent
        return sent

    def _dialled(self) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self._port), WAIT_S)
        if self._way.tls:
            line = _trusting().wrap_socket(line)
        line.setblocking(False)
        self._toll.connections += 1
        return line


def _is_cut(line: socket.socket) -> bool:
    with suppress(BlockingIOError):
        return socket.socket.recv(line, 1, socket.MSG_PEEK) == b""
    return False


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


def _flood(way: Way, port: int, until: float, connections: int, toll: Toll) -> None:
    lines = [Line(way, port, toll) for _ in range(way.lines // CALLERS)]
    while time.monotonic() < until and toll.connections < connections:
        sent = 0
        for line in lines:
            sent += line.push() if time.monotonic() < until else 0
        time.sleep(way.pause_s or (0.0 if sent else REST_S))
    for line in lines:
        line.close()


def main() -> None:
    """Flood as the command line says."""
    name, (port, connections), seconds = sys.argv[1], map(int, sys.argv[2:5:2]), float(sys.argv[3])
    way = OF_A_HOLDER[name](sys.argv[5]) if sys.argv[5:] else WAYS[name]
    until, toll = time.monotonic() + seconds, Toll()
    limits = port, until, way.lines + connections
    callers = [threading.Thread(target=_flood, args=(way, *limits, toll)) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    sys.stdout.write(f"{toll.connections} {toll.sent}\n")


if __name__ == "__main__":
    main()
