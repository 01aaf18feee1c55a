"""A PostgreSQL server that accepts connections and then falls silent. It is not a real one."""

import socketserver
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store import connecting
from ballcourt.leaderboard.store.database import open_database

ENCRYPTED = (80877103, 80877104)
"""What a client asks for when it asks whether a connection can be encrypted: by TLS, by GSSAPI."""


def message(kind: bytes, content: bytes) -> bytes:
    """Return a message of the protocol (https://www.postgresql.org/docs/current/protocol-message-formats.html)."""
    return kind + struct.pack("!i", len(content) + 4) + content


WELCOME = message(b"R", struct.pack("!i", 0)) + message(b"S", b"server_version\x0017.0\0") + message(b"Z", b"I")
"""No password is needed; the server is ready for a query."""


@contextmanager
def server() -> Iterator[str]:
    """Run a server that answers no query; yield its URL."""
    is_over = Event()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self._asks_to_encrypt():
                self.wfile.write(b"N")
            self.wfile.write(WELCOME)
            is_over.wait()

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


def test_a_server_that_falls_silent_is_given_up_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "SILENT_S", 0.2)
    with (
        server() as url,
        pytest.raises(LeaderboardError, match=r"^cannot use postgresql://.* the server has been silent for 0.2 s$"),
        open_database(url, create=True),
    ):
        pass
