"""The afternoon of a course: the commands of the tutorial, in their order, with students in between."""

import re
import signal
import socket
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from ballcourt.contest.sending.client import ContestServer
from tests.arena.conftest import bounded, wait_until
from tests.contest.made import packed
from tests.test_documents import ENVIRONMENT, PAGES, started

PAGE = PAGES / "tutorials/course.md"
LONGEST_S = 1800
PORT = "8000"
MATCHES = 6
"""The matches of each bot in the ladder, at least."""
HONEST = """from ballcourt import Bot, Decision, run


class Student(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[{number} % len(decision.legal)]


run(Student)
"""
FLOODS = "import sys\nfor _ in range(500):\n    sys.stderr.write('x' * 100_000 + chr(10))\n    print('y' * 100_000)\n"
HANGS = "import time\nwhile True:\n    time.sleep(1000)\n"
LOOKS = (
    """import os
import sys

own = os.path.realpath(".")
found = [
    os.path.join(place, name)
    for top in ({place!r}, "..", "/proc")
    for place, _, names in os.walk(top)
    for name in names
    if name == "bot.toml" and not os.path.realpath(place).startswith(own)
]
print("found", found, file=sys.stderr, flush=True)
"""
    + HONEST
)
HOSTILE = {"floods": FLOODS, "hangs": HANGS, "looks": LOOKS}


@dataclass(frozen=True)
class Student:
    """Somebody with a bot, and a team of one."""

    handle: str
    program: str

    @property
    def is_refused(self) -> bool:
        """Whether the check cannot let the bot in."""
        return self.program in (FLOODS, HANGS)

    def archive(self, place: Path, number: int) -> bytes:
        """Return the bot as a student packs it."""
        toml = f'name = "bot-{self.handle}"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\ngames = ["maya"]\n'
        program = self.program.replace("{place!r}", repr(str(place))).replace("{number}", str(number))
        return packed({"bot.toml": toml, "bot.py": program})


@dataclass(frozen=True)
class Afternoon:
    """What came of an afternoon."""

    states: dict[str, str]
    """By the handles of students: what became of their bots."""
    reports: dict[str, list[str]]
    """By handle: what failed, as its author reads it."""
    found: str
    """What the bot said that looked for others."""
    entrants: list[str]
    verified: str


def students(count: int) -> list[Student]:
    """Return students, of whom three are hostile."""
    hostile = [Student(name, program) for name, program in HOSTILE.items()]
    return [*hostile, *(Student(f"student-{number}", HONEST) for number in range(1, count - len(hostile) + 1))]


class Course:
    """A course in a folder, which runs the commands of its page in their order."""

    def __init__(self, place: Path) -> None:
        self.place = place
        lines: list[str] = re.findall(r"^(?:organiser|alice)\$ (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        self._lines = iter(lines)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self._port}"
        self._environment = {**ENVIRONMENT, "XDG_CONFIG_HOME": str(place / "config")}

    def next(self, begin: str) -> str:
        """Return the next command of the page, which begins like this."""
        line = next(self._lines)
        assert line.startswith(f"ballcourt {begin}"), f"the page has {line!r}, and the course is at {begin}"
        return line.replace(PORT, self._port)

    def do(self, *begins: str) -> str:
        """Run the next commands of the page; return what the last one printed."""
        shown = ""
        for begin in begins:
            shown = self.run(self.next(begin))
        return shown

    def run(self, command: str) -> str:
        """Run a command; return what it printed."""
        shell = ["sh", "-c", command]
        done = subprocess.run(
            shell, cwd=self.place, env=self._environment, capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
        assert done.returncode == 0, f"{command}: {(done.stderr + done.stdout)[-2000:]}"
        return done.stdout

    @contextmanager
    def running(self, command: str) -> Iterator[Path]:
        """Run a command meanwhile; yield the file in which it writes what it prints."""
        file = self.place / f"{command.split()[1]}.log"
        with file.open("w") as log:
            process = started(["sh", "-c", f"exec {command} 2>&1"], self.place, log.fileno())
        with bounded(process, LONGEST_S):
            yield file
            process.send_signal(signal.SIGINT)
            process.communicate()

    def token(self, line: str, handle: str) -> str:
        """Make a token for a student, by the command that the page has for alice."""
        self.run(line.replace("alice", handle))
        return (self.place / f"{handle}.token").read_text().strip()


def spend(place: Path, attending: Sequence[Student]) -> Afternoon:
    """Spend an afternoon with students, in an empty folder."""
    course = Course(place)
    rows = ["handle,team", "alice,reds", *(f"{one.handle},team-{one.handle}" for one in attending)]
    (place / "course.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    course.do("contest new", "contest invite")
    ladder, serve = course.next("ladder"), course.next("serve")
    with course.running(ladder):  # and again when all have entered: it may end at any time
        assert wait_until((place / "cup/ladder/records").is_dir)
    with course.running(serve) as log:
        assert wait_until(lambda: "open http" in log.read_text()), log.read_text()
        states, reports = _compete(course, attending, ladder)
    _close(place / "cup/contest.toml")
    course.do("event key", "contest entrants", "contest signed", "tournament", "event bundle")
    verified = course.do("event verify")
    course.do("contest verify")
    logs = sorted((place / "cup/ladder/logs/bot-looks").glob("*.txt"))
    entrants = [bot["owner"] for bot in tomllib.loads((place / "finals.toml").read_text())["bot"]]
    return Afternoon(states, reports, logs[0].read_text() if logs else "", sorted(entrants), verified)


def _compete(course: Course, attending: Sequence[Student], ladder: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Let all enter their bots, and play; return the states and the reports of their submissions."""
    line = course.next("contest token")
    course.token(line, "alice")
    servers = {one.handle: ContestServer(course.url, course.token(line, one.handle)) for one in attending}
    entered = {
        one.handle: _enter(servers[one.handle], one, course.place / "cup", number)
        for number, one in enumerate(attending)
    }
    course.do("login", "new-bot", "submit")
    ended = {handle: [*servers[handle].followed("/submissions", one)][-1] for handle, one in entered.items()}
    bots = sum(found["state"] != "refused" for found in ended.values()) + 2
    course.run(f"{ladder} --matches {MATCHES * bots}")
    assert wait_until(lambda: "accepted" not in _states(servers, entered).values()), _states(servers, entered)
    course.do("contest scrimmage", "contest status")
    return _states(servers, entered), {handle: servers[handle].failures(one) for handle, one in entered.items()}


def _states(servers: dict[str, ContestServer], entered: dict[str, str]) -> dict[str, str]:
    found = {handle: next(servers[handle].followed("/submissions", one)) for handle, one in entered.items()}
    return {handle: str(one["state"]) for handle, one in found.items()}


def _enter(server: ContestServer, student: Student, cup: Path, number: int) -> str:
    archive = student.archive(cup, number)
    digest, name = sha256(archive).hexdigest(), f"bot-{student.handle}"
    return str(server.submit(BytesIO(archive), len(archive), digest, name, "", "a course")["id"])


def _close(file: Path) -> None:
    """Let the only phase end now, as the page says."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    file.write_text(re.sub(r"^closes = .*$", f"closes = {now}", file.read_text(), flags=re.MULTILINE))
