"""What a contest of many costs: `python -m tests.bench.contest [--teams N] [--states N] [--seconds S]`.

One `ballcourt serve --contest` is watched from outside while its pages are viewed, bots are entered and archives
arrive over lines that break, and while another process adds matches to the ladder. What its requests cost is counted
in seconds of its processors, so that it does not depend on what else the machine does; pages are compared with one of
the same size that a bare application sends.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from http.client import HTTPConnection
from io import BytesIO
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final
from urllib.parse import urlsplit

import httpx2
import numpy as np
import psutil
from sqlalchemy import insert, update

from ballcourt.arena.secrets import new_id
from ballcourt.contest.client.connection import API, ContestServer
from ballcourt.contest.create import make_contest
from ballcourt.contest.people.accounts import Member, add_account, person_of
from ballcourt.contest.people.sessions import begin_session
from ballcourt.contest.people.teams import add_team, join_team
from ballcourt.contest.people.tokens import new_token
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.schema import STATES, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.uploads import PART
from ballcourt.contest.web.viewers import cookie_name
from tests.bench.serving import ANSWER_S, START_S, growing, started
from tests.bench.storage import SEATS, filling, print_cost
from tests.contest.made import bot_archive, packed
from tests.contest.test_behind_proxies import free_ports

MB: Final = 1 << 20
VIEWERS: Final = 4
BARE_VIEWS: Final = 2000
LISTS: Final = 100
EACH: Final = 10
"""The states of a submission."""
LARGE_MB: Final = 99
BREAKS: Final = 10
AT_ONCE: Final = 64


def main() -> None:
    """Fill a contest, serve it, and print what views, long lists, submissions and uploads cost."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.contest", description="The cost of a contest.")
    parser.add_argument("--teams", type=int, default=3000, help="teams of one (default 3000)")
    parser.add_argument("--matches", type=int, default=100_000, help="matches in the ladder (default 100,000)")
    parser.add_argument("--states", type=int, default=1_000_000, help="states of submissions (default 1,000,000)")
    parser.add_argument("--submissions", type=int, default=200, help="bots that are entered (default 200)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long pages are viewed (default 60)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ballcourt-bench-") as folder:
        place = Path(folder, "cup")
        tokens, session = fill(place, chosen.teams, chosen.states)
        matches = Path(folder, "leaderboard.sqlite")
        print_cost("fill the ladder", filling(matches, chosen.matches, chosen.teams))
        began = perf_counter()
        with started(matches, "--contest", str(place / "contest.toml"), "--unconfined") as found:
            served = Served(*found)
            report("start", f"{perf_counter() - began:.1f} s, {served.held_mb():.0f} MB")
            with growing(matches, chosen.teams):
                views(served, session, chosen.seconds)
            listing(served, tokens[0])
            submissions(served, tokens[: chosen.submissions])
            broken_upload(served, tokens[-1])
            uploads_at_once(served, tokens[-AT_ONCE - 1 : -1])


def report(what: str, found: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{what:<44} {found}\n")
    sys.stdout.flush()


def fill(place: Path, teams: int, states: int) -> tuple[list[str], str]:
    """Make a contest whose teams of one have been refused often; return a token of each, and a session of one."""
    make_contest(place, "cup", "http://127.0.0.1:8000", "maya", SEATS, unconfined=True)
    with open_contest(place / "contest.toml") as contest, contest.store.writing() as connection:
        now = contest.now()
        accounts = [add_account(connection, f"author{number}", now) for number in range(teams)]
        for number, account in enumerate(accounts):
            join_team(connection, add_team(connection, f"team{number}", now), account, 1, now)
        members = [person_of(connection, account) for account in accounts]
        before = max(1, states // EACH // teams)
        refused = [submission for member in members for submission in _refused(member, before)]
        connection.execute(insert(SUBMISSIONS), refused)
        connection.execute(update(TEAMS).values(submitted=before))
        for some in range(0, len(refused), 10_000):
            went = [state for one in refused[some : some + 10_000] for state in _states(str(one["id"]))]
            connection.execute(insert(STATES), went)
        tokens = [new_token(connection, account, now)[1] for account in accounts]
        return tokens, f"{cookie_name(contest)}={begin_session(connection, accounts[0], '', now)}"


def _refused(member: Member | None, count: int) -> Iterator[dict[str, object]]:
    """Yield earlier submissions of a team."""
    assert member
    whose = {"team": member.team, "account": member.account, "bot": f"bot-{member.handle}"}
    what = {"version": "1", "phase": "training", "archive": "0" * 64, "bytes": MB, "kept": False, "note": ""}
    came = {"origin": "api", "state": SubmissionState.REFUSED, "sentence": "its check failed", "report": ""}
    for number in range(count):
        when = {"created": float(number), "changed": float(number)}
        yield {
            **whose,
            **what,
            **came,
            **when,
            "id": new_id(),
            "number": number + 1,
            "content_hash": "",
            "files_hash": "",
        }


def _states(submission: str) -> Iterator[dict[str, object]]:
    """Yield the states of a submission whose examiner was lost several times."""
    again = [SubmissionState.WAITING, SubmissionState.EXAMINING] * ((EACH - 1) // 2)
    for number, state in enumerate([SubmissionState.WAITING, *again, SubmissionState.REFUSED]):
        yield {"submission": submission, "state": state, "at": float(number), "detail": ""}


class Served:
    """A contest that `ballcourt serve` offers, and what its processes use."""

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self._pid = pid

    def linked(self, pattern: str) -> list[str]:
        """Return the paths of this form to which the first page links, when it has some."""
        give_up = monotonic() + START_S
        while not (found := re.findall(pattern, httpx2.get(self.url, timeout=ANSWER_S).text)):
            if monotonic() > give_up:
                sys.exit(f"there is no table after {START_S:.0f} s")
            sleep(1)
        return sorted(set(found))

    def cpu_s(self) -> float:
        """Return the seconds of processors that the server itself has used."""
        used = psutil.Process(self._pid).cpu_times()
        return float(used.user + used.system)

    def held_mb(self) -> float:
        """Return the memory that the server itself holds, in MB."""
        return float(psutil.Process(self._pid).memory_info().rss / MB)

    def most_mb(self) -> float:
        """Return the most memory that it held since `forget_most`, in MB."""
        lines = Path(f"/proc/{self._pid}/status").read_text().splitlines()
        return float(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

    def forget_most(self) -> None:
        """Count the most memory from now on."""
        Path(f"/proc/{self._pid}/clear_refs").write_text("5")


def views(served: Served, session: str, seconds: float) -> None:
    """View pages from several browsers, one in ten signed in; compare with a page of their size that is only sent."""
    paths = ["/", "/matches", *served.linked(r"/ladders/[\w-]+"), *served.linked(r"/bots/[\w-]+")[:20]]
    before = served.cpu_s()
    with ThreadPoolExecutor(VIEWERS) as pool:
        found = [*pool.map(lambda number: _view(served.url, paths, session, number, seconds), range(VIEWERS))]
    times, sizes = ([one for some in found for one in some[part]] for part in (0, 1))
    cost = 1000 * (served.cpu_s() - before) / len(times)
    bare = _bare_ms(int(np.mean(sizes)))
    high = 1000 * float(np.quantile(times, 0.99))
    report("views while matches are added", f"{60 * len(times) / seconds:.0f} a minute, p99 {high:.0f} ms")
    report("a view", f"{cost:.2f} ms of a processor, a bare page {bare:.2f} ms, ratio {cost / bare:.1f}")


def _view(url: str, paths: list[str], session: str, first: int, seconds: float) -> tuple[list[float], list[int]]:
    """View pages as one browser that keeps what it has; return the seconds and the bytes of each view."""
    times, sizes, kept = [], [], dict[str, str]()
    end = monotonic() + seconds
    with httpx2.Client(base_url=url, timeout=ANSWER_S) as browser:
        for number in count(first):
            path, is_signed_in = paths[number % len(paths)], number % 10 == 0
            known = {} if is_signed_in else {"If-None-Match": kept.get(path, "")}
            began = perf_counter()
            answer = browser.get(path, headers={"Cookie": session} if is_signed_in else known)
            times.append(perf_counter() - began)
            if answer.status_code != 304:
                answer.raise_for_status()
                kept |= {} if is_signed_in else {path: answer.headers["etag"]}
            sizes.append(len(answer.content))
            if monotonic() > end:
                break
    return times, sizes


BARE = """
import sys
import uvicorn
from fastapi import FastAPI, Response
app, page = FastAPI(), b"x" * int(sys.argv[1])
app.get("/")(lambda: Response(page, media_type="text/html"))
app.get("/cpu")(lambda: __import__("time").process_time())
uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False)
"""


def _bare_ms(size: int) -> float:
    """Return the milliseconds of a processor that a bare application takes to send a page of a size."""
    port = free_ports(1)[0]
    with subprocess.Popen([sys.executable, "-c", BARE, str(size), str(port)]) as process:
        try:
            transport = httpx2.HTTPTransport(retries=10)
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=ANSWER_S) as browser:
                before = browser.get("/cpu").json()
                for _ in range(BARE_VIEWS):
                    browser.get("/")
                return float(1000 * (browser.get("/cpu").json() - before) / BARE_VIEWS)
        finally:
            process.terminate()


def listing(served: Served, token: str) -> None:
    """List the submissions of a team beside a long table of states."""
    server = ContestServer(served.url, token)
    server.submissions()
    before = served.cpu_s()
    times = []
    for _ in range(LISTS):
        began = perf_counter()
        server.submissions()
        times.append(1000 * (perf_counter() - began))
    cost = 1000 * (served.cpu_s() - before) / LISTS
    report("a list of submissions", f"{np.median(times):.1f} ms, {cost:.1f} ms of a processor")


def submissions(served: Served, tokens: list[str]) -> None:
    """Enter a bot of each team."""
    before, began = served.cpu_s(), perf_counter()
    for number, token in enumerate(tokens):
        _submit(ContestServer(served.url, token), bot_archive("2", f"new-{number}"), f"new-{number}")
    took = perf_counter() - began
    cost = (served.cpu_s() - before) / len(tokens)
    report("submissions", f"{3600 * len(tokens) / took:.0f} an hour by one author, {cost:.3f} s of a processor each")


def broken_upload(served: Served, token: str) -> None:
    """Send an archive over a line that breaks."""
    archive, server = large_archive("broken", LARGE_MB), ContestServer(served.url, token)
    served.forget_most()
    held = served.held_mb()
    begun = server.ask_json("POST", "/uploads", {"bytes": len(archive), "sha256": sha256(archive).hexdigest()})
    for _ in range(BREAKS):
        _break(served, token, begun["upload"], archive)
    _submit(server, archive, "broken")
    report(
        f"{LARGE_MB} MB over a line that broke {BREAKS} times", f"the server grew by {served.most_mb() - held:.0f} MB"
    )


def _break(served: Served, token: str, upload: str, archive: bytes) -> None:
    """Send half of the next part, and hang up."""
    line = HTTPConnection(urlsplit(served.url).netloc, timeout=ANSWER_S)
    line.request("HEAD", f"{API}/uploads/{upload}", headers={"Authorization": f"Bearer {token}"})
    offset = int(line.getresponse().headers["Upload-Offset"])
    line.close()
    line.putrequest("PATCH", f"{API}/uploads/{upload}")
    for name, value in {"Authorization": f"Bearer {token}", "Upload-Offset": offset, "Content-Length": PART}.items():
        line.putheader(name, str(value))
    line.endheaders()
    line.send(archive[offset : offset + PART // 2])
    line.close()


def uploads_at_once(served: Served, tokens: list[str]) -> None:
    """Send large archives of many teams at the same time."""
    served.forget_most()
    held = served.held_mb()
    with ThreadPoolExecutor(len(tokens)) as pool:
        archives = [(ContestServer(served.url, token), f"large-{number}") for number, token in enumerate(tokens)]
        sent = [*pool.map(lambda one: _submit(one[0], large_archive(one[1], PART // MB), one[1]), archives)]
    grew = served.most_mb() - held
    report(f"{len(sent)} archives of {PART // MB} MB at once", f"the server grew by {grew:.0f} MB")


def large_archive(name: str, size_mb: int) -> bytes:
    """Return a bot with a large file."""
    return packed({"bot.toml": f'name = "{name}"\nversion = "1"\ncommand = ["true"]\n', "model": "x" * size_mb * MB})


def _submit(server: ContestServer, archive: bytes, bot: str) -> None:
    server.submit(BytesIO(archive), len(archive), sha256(archive).hexdigest(), bot, "", "")


if __name__ == "__main__":
    main()
