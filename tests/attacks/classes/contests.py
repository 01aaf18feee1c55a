"""Attacks on the server of a contest, by visitors without an account and by the archives of a contestant."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.contest.create import make_contest
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.examining.work import examiners_seen
from ballcourt.contest.people.accounts import AccountRole, account_named
from ballcourt.contest.people.tokens import Scope, new_token
from ballcourt.contest.store.contest import Contest, open_contest
from tests.arena.conftest import bounded, wait_until
from tests.attacks.attack import Ground, Outcome, deed
from tests.attacks.besieged import Flood, Visit, besieged
from tests.attacks.classes.words import NASTY, harmful
from tests.attacks.flooding import AT_A_CONTEST, request
from tests.contest.made import packed
from tests.contest.test_unpacking import HOSTILE

PATIENCE_S = 300.0
LONGEST_S = 600.0
TRIES = 10
TEAMS = ("reds", "blues")
ARCHIVES = ("tar with an escape",)
MANIFESTS = {"an author with escapes": f"author = {json.dumps(NASTY)}"}
"""Lines of a bot.toml that no bot may have."""
HOSTS = ("[", "[::1", "]", "a@b", "127.0.0.1:99999999", "\xff", "")
PATHS = (
    "uploads/%00",
    "uploads/..%2f..%2fcontest.toml",
    "submissions/%ed%a0%80/archive",
    "submissions?before=9" + "9" * 30,
)
BODIES = (b'{"device": "\\ud800"}', b'{"device": "\\u0000"}', b'{"\\ud800": 1}', b"[" * 60_000, b"\xff", b"NaN")


class Site:
    """The server of a contest, and the tokens of its teams."""

    def __init__(self, folder: Path, port: int, process: "subprocess.Popen[str]", tokens: list[str]) -> None:
        self.folder = folder
        self.port = port
        self.process = process
        self.tokens = tokens

    @property
    def errors(self) -> str:
        """What it has printed as an error."""
        return (self.folder / "errors").read_text(errors="replace")

    def asks(self, method: str, path: str, token: str = "", body: bytes = b"") -> tuple[int, dict[str, Any]]:
        """Send a request to the API, again if the connection is cut; return status and answer. Raises OSError."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        for left in reversed(range(TRIES)):
            line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
            try:
                line.request(method, f"/api/v1/{path}", body, headers)
                answer = line.getresponse()
                told = answer.read() if answer.status < 500 else b""
                return answer.status, json.loads(told or b"{}")
            except (OSError, HTTPException):
                if not left:
                    raise
            finally:
                line.close()
        raise AssertionError

    def says(self, raw: bytes) -> bytes:
        """Send bytes; return the beginning of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as line:
            line.sendall(raw)
            return line.recv(100)

    def unkind(self) -> list[str]:
        """Visit the contest and begin to sign a command line in; return what is wrong with the answers."""
        try:
            found = [self.asks("GET", "")[0], self.asks("POST", "device")[0]]
        except (OSError, HTTPException) as error:
            return [f"a visitor gets no answer: {type(error).__name__}"]
        return [] if found == [200, 201] else [f"a visitor gets {found}"]

    def examiner(self) -> str:
        """Return a token of an organiser with which machines elsewhere examine."""
        with open_contest(self.folder / "cup" / "contest.toml") as contest:
            Inviting(contest, AccountRole.ORGANISER, 1000).invite([("olga", "")])
            with contest.store.writing() as connection:
                account = account_named(connection, "olga").id
                return new_token(connection, account, contest.now(), scopes=[Scope.READ, Scope.EXAMINE])[1]

    def enters(self, token: str, archive: bytes) -> tuple[int, dict[str, Any]]:
        """Enter an archive in one request."""
        query = f"bytes={len(archive)}&sha256={sha256(archive).hexdigest()}&bot=mine"
        return self.asks("PUT", f"submissions?{query}", token, archive)


@contextmanager
def site(place: Path, examiners: int = 0) -> Iterator[Site]:
    """Serve a contest whose ladder has not played; examiners take memory that no flood takes."""
    folder = place / "cup"
    make_contest(folder, "cup", "http://127.0.0.1:8000", "maya", 2, unconfined=True)
    file = folder / "contest.toml"
    file.write_text(file.read_text().replace("processes = 2", f"processes = {examiners}"))
    with open_contest(folder / "contest.toml") as contest:
        Inviting(contest, AccountRole.CONTESTANT, 1000).invite([(f"of-{team}", team) for team in TEAMS])
        with contest.store.writing() as connection:
            accounts = [account_named(connection, f"of-{team}").id for team in TEAMS]
            tokens = [new_token(connection, account, contest.now())[1] for account in accounts]
        (contest.ladder.output / RECORDS).mkdir(parents=True)
    command = [
        sys.executable,
        "-P",
        "-m",
        "ballcourt",
        "serve",
        "--contest",
        str(folder),
        "--port",
        "0",
        "--unconfined",
    ]
    with (place / "errors").open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    with bounded(process, LONGEST_S):
        assert process.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found, (place / "errors").read_text()
        with open_contest(folder / "contest.toml") as contest:  # what they load is not what a flood makes them keep
            assert wait_until(lambda: _examiners(contest) == contest.settings.examine.processes)
        yield Site(place, int(found[1]), process, tokens)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_S)  # otherwise its temporary files are left


def _examiners(contest: Contest) -> int:
    """Return how many of its examiners have begun to look for work."""
    with contest.store.reading() as connection:
        return examiners_seen(connection, contest.now(), PATIENCE_S)


def _flood(way: str) -> Flood:
    """Return a flood of a contest by visitors without an account."""

    def siege(ground: Ground) -> Outcome:
        with ground.folder() as place, site(place) as here:
            visits = [Visit("this machine", here.unkind)]
            return besieged(ground, way, here.port, here.process.pid, visits)

    return Flood(f"flood of {way} at a contest", siege)


@deed("requests beyond bounds at a contest")
def requests_beyond_bounds(ground: Ground) -> list[str]:
    """Send what no program sends; each is refused without a traceback."""
    with ground.folder() as place, site(place) as here:
        raw = [f"GET /api/v1/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin1") for host in HOSTS]
        raw += [
            request(f"{verb} /api/v1/{path}", f"Authorization: Bearer {here.tokens[0]}")
            for path in PATHS
            for verb in ("GET", "DELETE")
        ]
        raw += [
            request("POST /api/v1/device/token", "Content-Type: application/json", f"Content-Length: {len(body)}")
            + body
            for body in BODIES
        ]
        problems = [
            f"{one[:60]!r} is answered with {answer[:40]!r}"
            for one, answer in ((one, here.says(one)) for one in raw)
            if not answer.startswith(b"HTTP/1.1 ") or answer[9:10] == b"5"
        ]
        return problems + here.unkind() + (["it printed a traceback"] if "Traceback" in here.errors else [])


def _bot(line: str) -> bytes:
    toml = f'name = "mine"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\ngames = ["maya"]\n{line}\n'
    return packed({"bot.toml": toml, "bot.py": "print()\n"})


@deed("hostile archives in a contest")
def hostile_archives(ground: Ground) -> list[str]:
    """Enter archives that lead out of their folder, or whose bot.toml is beyond bounds; examiners refuse each."""
    archives = {name: HOSTILE[name]() for name in ARCHIVES} | {name: _bot(line) for name, line in MANIFESTS.items()}
    with ground.folder() as place, site(place, 1) as here:
        problems = []
        for number, (name, archive) in enumerate(archives.items()):
            token = here.tokens[number % len(TEAMS)]
            status, entered = here.enters(token, archive)
            if status != 201:
                problems.append(f"{name} is answered with {status}")
                continue
            seen = _examined(here, token, entered["id"])
            problems += [] if seen.get("state") == "refused" else [f"{name} is {seen.get('state')}"]
            problems += [f"{name} {harm}" for part in seen.get("failures", ()) if (harm := harmful(part))]
        outside = sorted(path.name for path in place.iterdir() if path.name not in ("cup", "errors"))
        problems += [f"left {outside}"] if outside else []
        return problems + here.unkind() + (["it printed a traceback"] if "Traceback" in here.errors else [])


def _examined(here: Site, token: str, submission: str) -> dict[str, Any]:
    """Wait until a submission was examined; return its report."""
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(here.asks("GET", f"submissions/{submission}/report", token)[1])
        return found["state"] not in ("waiting", "examining")

    wait_until(is_over)
    return found


REPORTS = ("{", "[]", "NaN", '{"failures": 5}', '{"passed": [[1]]}', '{"failures": ["\\ud800"]}', "[" * 60_000)


@deed("an examiner that lies at a contest")
def lying_examiner(ground: Ground) -> list[str]:
    """Answer for a submission with reports that no page can show, and records that cannot be read.

    The organiser gave a token to the machine of the examiner, which is another's by now.
    """
    with ground.folder() as place, site(place) as here:
        status, entered = here.enters(here.tokens[0], _bot(""))
        assert status == 201, entered
        examiner = here.examiner()
        work = here.asks("POST", "examiner/lease", examiner, b'{"holder": "x"}')[1]["leased"]["work"]
        address = f"submissions/{entered['id']}"
        problems = []
        for name in ("m1.match", "m1.txt"):
            here.asks("PUT", f"examiner/{work}/records/{name}?fence=1", examiner, b"\xff" * 99)
        for report in (*REPORTS, '{"failures": ["no"]}'):
            finding = {"is_good": False, "sentence": NASTY, "report": report}
            here.asks(
                "POST", f"examiner/{work}/outcome", examiner, json.dumps({"fence": 1, "finding": finding}).encode()
            )
            for path in (address, f"{address}/report", f"{address}/logs", "submissions"):
                status = here.asks("GET", path, here.tokens[0])[0]
                problems += (
                    [f"after the report {report[:20]} the author gets {status} of {path}"] if status >= 500 else []
                )
        seen = here.asks("GET", f"{address}/report", here.tokens[0])[1]
        problems += [] if seen.get("failures") == ["no"] else [f"the honest end of the report is {seen}"]
        return problems + here.unkind() + (["it printed a traceback"] if "Traceback" in here.errors else [])


ATTACKS = (requests_beyond_bounds, hostile_archives, lying_examiner, *map(_flood, AT_A_CONTEST))
