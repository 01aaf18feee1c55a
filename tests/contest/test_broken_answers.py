"""Answers of a contest's server that break off, as when it is killed, or that no contest gives."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import ClassVar
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest
from typer.testing import CliRunner

from ballcourt.arena.faults import ServerError
from ballcourt.arena.records.bundle import FAULT
from ballcourt.arena.records.store import MOST_BYTES
from ballcourt.cli.commands import app
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


def test_a_file_that_is_too_large_is_not_fetched(server: ContestServer) -> None:
    file = BytesIO()
    server.fetch_into("/file", file, len(ANSWER))
    with pytest.raises(ServerError, match=r"the server sends a file of more than 14 bytes; is the address right\?"):
        server.fetch_into("/file", file, len(ANSWER) - 1)
    assert len(file.getvalue()) < len(ANSWER)


def zipped(content: bytes, kind: int = ZIP_DEFLATED) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", kind) as archive:
        archive.writestr(f"k-mine/{FAULT}", content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("archive", "why"),
    [
        (zipped(bytes(MOST_BYTES + 1)), f"unpacks to more than {MOST_BYTES} bytes"),
        (zipped(b"x" * 1000).replace(b"\xab\xa8\x18", b"\xff\xff\xff", 1), "invalid"),
        (zipped(b"x", ZIP_BZIP2), "compressed in a way that is not read here"),
        (zipped(b"x")[:-30], "not a zip file"),
    ],
)
def test_a_lost_seat_that_is_no_bundle_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archive: bytes, why: str
) -> None:
    monkeypatch.setenv("BALLCOURT_CONTEST_TOKEN", "t")
    monkeypatch.setattr("tests.contest.test_broken_answers.ANSWER", archive)
    monkeypatch.setattr(_Halves, "broken", {"/api/v1/bots/mine/faults/k"})
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), _Halves)) as place:
        into = ("--into", str(tmp_path / "new"), "--to", f"http://{place}")
        done = CliRunner().invoke(app, ["contest", "bot", "mine", "--fault", "k", *into])
    assert "the server sent what is not a fault bundle: " in done.stderr and why in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "new").exists()
