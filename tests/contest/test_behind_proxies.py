"""A contest behind a real nginx and a real Caddy, with the examples of the documentation: HTTPS, uploads, streams."""

import io
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import pytest
from fastapi import FastAPI

from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.monitoring.requests import Noted
from ballcourt.contest.people.accounts import AccountRole
from ballcourt.contest.web.application import contest_app
from ballcourt.leaderboard.pages.live import STREAM, Live, add_stream
from tests.arena.conftest import PATIENCE_S, bounded, wait_until
from tests.arena.hosted import Certificate, make_certificate
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_api import serving_app
from tests.leaderboard.pages.cup import Cup
from tests.leaderboard.pages.made_site import bluff
from tests.needs import lack

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "docs/examples/deploy"


def nginx(folder: Path, made: Certificate, port: int, plain: int, behind: str) -> list[str]:
    """Return what runs nginx with the example, at ports that are free."""
    site = example("nginx.conf", port, behind)
    site = site.replace("listen 80;", f"listen 127.0.0.1:{plain};").replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    site = "\n".join(line for line in site.splitlines() if "[::]" not in line)
    site = site.replace("/etc/letsencrypt/live/localhost/fullchain.pem", str(made.path))
    site = site.replace("/etc/letsencrypt/live/localhost/privkey.pem", str(made.key))
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""  # the folder of the test is closed to others
    main = f"{user}daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{places}{site}\n}}\n"
    (folder / "nginx.conf").write_text(main)
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def caddy(folder: Path, made: Certificate, port: int, plain: int, behind: str) -> list[str]:
    """Return what runs Caddy with the example, at ports that are free, and without a certificate of the internet."""
    site = example("Caddyfile", port, behind)
    site = site.replace("https://localhost {", f"https://localhost:{port} {{\n\ttls {made.path} {made.key}")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n\thttp_port {plain}\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def example(name: str, port: int, behind: str) -> str:
    """Return an example with the name and the ports of the test."""
    text = (EXAMPLES / name).read_text()
    text = text.replace("https://cup.example.org$", f"https://localhost:{port}$")
    return text.replace("cup.example.org", "localhost").replace("127.0.0.1:8000", behind)


class Proxied:
    """A contest as a browser finds it behind a proxy."""

    def __init__(self, made: Made, port: int, plain: int, trusted: Path) -> None:
        self.made = made
        self.port = port
        self.plain = plain
        self._context = ssl.create_default_context(cafile=str(trusted))

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> HTTPResponse:
        """Send a request, as a browser on a page of the contest does."""
        connection = HTTPSConnection("localhost", self.port, context=self._context, timeout=PATIENCE_S)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        sent = {"Sec-Fetch-Site": "same-origin", **kind, **headers}
        connection.request(method, path, body or None, sent)
        return connection.getresponse()


@contextmanager
def served(made: Made, folder: Path) -> Iterator[str]:
    """Serve a contest, and a tournament with a stream, on a free port; yield HOST:PORT."""
    cup = Cup(folder)
    cup.start()
    over: list[bool] = []
    pages = FastAPI()
    add_stream(pages, Live(cup.folder, lambda: bool(over)))
    with cup.held(), serving_app(Noted(contest_app(made.contest, pages))) as place:
        try:
            yield place
        finally:
            over.append(True)


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxied]:
    name = request.param.__name__
    if not shutil.which(name):
        lack("proxies", f"there is no {name}")
    certificate, (port, plain) = make_certificate(tmp_path), free_ports(2)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.path))
    made = made_in(tmp_path / "contest", url=f"https://localhost:{port}")
    with bluff(), served(made, tmp_path / "cup") as behind:
        command = request.param(tmp_path, certificate, port, plain, behind)
        environment = os.environ | {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        process = subprocess.Popen(
            command, env=environment, stderr=(tmp_path / "log").open("wb"), start_new_session=True
        )
        with bounded(process):
            assert wait_until(lambda: process.poll() is not None or answers(port)), (tmp_path / "log").read_text()
            yield Proxied(made, port, plain, certificate.path)
            process.terminate()


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.gate
def test_people_sign_in_programs_submit_and_browsers_follow_through_the_proxy(proxied: Proxied) -> None:
    (invited,) = Inviting(proxied.made.contest, AccountRole.CONTESTANT, 1000).invite([("ann", "reds")])
    answer = proxied.ask("POST", "/sign-in", f"link={invited.secret}")
    cookie = answer.headers["Set-Cookie"]
    assert (answer.status, cookie.partition("=")[0]) == (303, "__Host-ballcourt-session")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    session = cookie.partition(";")[0]
    page = proxied.ask("GET", "/submissions", Cookie=session)
    assert page.status == 200

    token, archive = proxied.made.token(proxied.made.person("ann", "reds")), bot_archive() + bytes(9 << 20)
    contest = ContestServer(f"https://localhost:{proxied.port}", token)
    digest = sha256(archive).hexdigest()
    found = contest.submit(io.BytesIO(archive), len(archive), digest, "mine", "", "cli")
    assert (found["state"], found["sha256"]) == ("waiting", digest)

    stream = proxied.ask("GET", STREAM)
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    assert stream.readline().strip(), "the first event comes while the stream goes on"
    stream.close()


def test_what_the_proxy_is_told_about_other_hosts_changes_nothing(proxied: Proxied) -> None:
    forged = {"X-Forwarded-Host": "evil.example.org", "X-Forwarded-Proto": "http", "Forwarded": "host=evil.example.org"}
    answer = proxied.ask("POST", "/api/v1/device", "{}", **forged)
    assert b"evil" not in (body := answer.read()) and f"https://localhost:{proxied.port}/device".encode() in body
    other = proxied.ask("GET", "/api/v1/", Host="evil.example.org")
    assert b"phases" not in other.read(), "a page of another host could read it"
    foreign = proxied.ask("POST", "/sign-in", "link=x", **{"Sec-Fetch-Site": "cross-site"})
    assert foreign.status == 403
