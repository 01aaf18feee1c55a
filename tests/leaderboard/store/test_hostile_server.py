"""A PostgreSQL server that means harm. It is not a real one."""

import itertools
import socket
import socketserver
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest

from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store import connecting
from ballcourt.leaderboard.store.database import open_database

ENCRYPTED = (80877103, 80877104)
"""What a client asks for when it asks whether a connection can be encrypted: by TLS, by GSSAPI."""
DRIP_S = 0.02

Answer = Callable[[Event, Callable[[], bytes]], Iterator[bytes]]
"""Yields what the server sends after the welcome, until the event is set; the function returns the next request."""


def message(kind: bytes, content: bytes) -> bytes:
    """Return a message of the protocol (https://www.postgresql.org/docs/current/protocol-message-formats.html)."""
    return kind + struct.pack("!i", len(content) + 4) + content


def row(*values: bytes) -> bytes:
    return message(b"D", struct.pack("!h", len(values)) + b"".join(struct.pack("!i", len(v)) + v for v in values))


WELCOME = message(b"R", struct.pack("!i", 0)) + message(b"S", b"server_version\x0017.0\0") + message(b"Z", b"I")
"""No password is needed; the server is ready for a query."""
ONE_COLUMN = message(b"T", struct.pack("!h", 1) + b"x\0" + struct.pack("!ihihih", 0, 0, 25, -1, -1, 0))
"""The rows that follow have a column of text."""
READY = message(b"Z", b"I")
DONE = message(b"C", b"SELECT 1\0") + READY
BEGUN = message(b"C", b"BEGIN\0")
PARSED = message(b"1", b"") + message(b"2", b"")


@contextmanager
def server(answer: Answer) -> Iterator[str]:
    """Run a server that answers the first query; yield its URL."""
    is_over = Event()
    lines: list[socket.socket] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            lines.append(self.connection)
            while self._asks_to_encrypt():
                self.wfile.write(b"N")
            self.wfile.write(WELCOME)
            with suppress(OSError, struct.error):  # the client has gone
                for part in answer(is_over, self._request):
                    self.wfile.write(part)
            is_over.wait()

        def _request(self) -> bytes:
            """Read messages until the client waits for an answer."""
            found = kind = b""
            while kind not in (b"Q", b"S", b"X"):
                kind, length = struct.unpack("!ci", self.rfile.read(5))
                found += self.rfile.read(length - 4)
            return found

        def _asks_to_encrypt(self) -> bool:
            length, code = struct.unpack("!ii", self.rfile.read(8))
            self.rfile.read(length - 8)
            return code in ENCRYPTED

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        try:
            yield f"postgresql://ballcourt:secret@127.0.0.1:{running.server_address[1]}/results"
        finally:
            is_over.set()
            running.shutdown()
            for line in lines:  # a client that has failed may not have hung up
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


def silence(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield b""


def drip(is_over: Event, _: Callable[[], bytes]) -> Iterator[bytes]:
    yield ONE_COLUMN
    while not is_over.wait(DRIP_S):
        yield row(b"x")


def endless_rows(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield ONE_COLUMN
    yield from itertools.repeat(row(b"x" * 1000) * 100)


def an_endless_row(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield ONE_COLUMN + b"D" + struct.pack("!ihi", 1 << 30, 1, 1 << 30)
    yield from itertools.repeat(b"x" * 100_000)


def endless_notices(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield from itertools.repeat(message(b"N", b"SNOTICE\0C00000\0Mx\0\0") * 1000)


def a_wrong_version(is_over: Event, request: Callable[[], bytes]) -> Iterator[bytes]:
    while not is_over.is_set():
        asked = request()
        yield PARSED + ONE_COLUMN + row(b"none") + DONE if b"version()" in asked else BEGUN + READY


def an_error_without_words(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield message(b"E", b"\0") + DONE * 9


def noise(_: Event, __: Callable[[], bytes]) -> Iterator[bytes]:
    yield b"\xff" * 10_000


WAYS: dict[Answer, str] = {
    silence: "the server's answer is not complete after 0.5 s",
    drip: "the server's answer is not complete after 0.5 s",
    endless_rows: "the server's answer has more than 4 MB",
    an_endless_row: "(the server's answer has more than 4 MB|received 2 results .*)",  # libpq wants 1 GB for it
    endless_notices: "the server's answer has more than 4 MB",
    a_wrong_version: r"Could not determine version from string 'none' \(AssertionError\)",
    an_error_without_words: "",
    noise: "",
}


@pytest.mark.slow
@pytest.mark.parametrize("answer", WAYS)
def test_a_hostile_database_server_is_given_up_in_one_sentence(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "ANSWER_S", 0.5 if "complete" in WAYS[answer] else 60.0)
    monkeypatch.setattr(connecting, "MOST_ANSWERED", 4 << 20)
    with (
        server(answer) as url,
        pytest.raises(LeaderboardError, match=rf"^cannot use postgresql://.* as a leaderboard: .*{WAYS[answer]}$"),
        open_database(url, create=True),
    ):
        pass
