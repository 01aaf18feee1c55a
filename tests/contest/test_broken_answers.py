"""Answers of a contest's server that break off, as when it is killed."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from ballcourt.contest.client.connection import ContestServer
from tests.serving import serving

ANSWER = b'{"name": "cup"}'


class _Halves(BaseHTTPRequestHandler):
    """Sends half of the first answer to each path, and whole ones after that."""

    broken: ClassVar[set[str]] = set()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER if self.path in self.broken else ANSWER[:7])
        self.broken.add(self.path)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ContestServer]:
    monkeypatch.setattr("ballcourt.contest.client.connection.PAUSES_S", (0.01,))
    monkeypatch.setattr(_Halves, "broken", set())
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), _Halves)) as place:
        yield ContestServer(f"http://{place}")


def test_half_an_answer_is_asked_for_again(server: ContestServer) -> None:
    assert server.about() == {"name": "cup"}


def test_half_a_file_is_fetched_again(server: ContestServer) -> None:
    assert server.fetch("/file") == ANSWER
