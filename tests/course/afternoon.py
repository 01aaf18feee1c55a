"""The afternoon of a course: the commands of the tutorial, in their order, with students in between.

They write in several languages, and enter over HTTP; one has only a browser, and some are hostile.
"""

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

from httpx2 import Client

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.starters import write_bot
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.packing import pack
from tests.arena.conftest import bounded, folder_of_all, wait_until
from tests.browser import chromium, lacking
from tests.contest.made import packed
from tests.languages.test_languages import missing_tools
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
FOREIGN = ("go", "typescript", "java")
"""The languages besides Python of which a student writes a bot; `tests.authors` has those that take longer to build."""
IN_BROWSER = "student-1"
"""Who does everything in a browser, if there is one."""
HOSTILE = {"floods": FLOODS, "hangs": HANGS, "looks": LOOKS}


@dataclass(frozen=True)
class Student:
    """A person with a bot, and a team of one."""

    handle: str
    program: str = ""
    """The program in Python; empty for the starter of another language."""
    language: str = "python"

    @property
    def bot(self) -> str:
        """The name of the bot."""
        return f"bot-{self.handle}"

    @property
    def is_refused(self) -> bool:
        """Whether the check cannot let the bot in."""
        return self.program in (FLOODS, HANGS)

    def archive(self, place: Path, number: int) -> bytes:
        """Return the bot as a student packs it."""
        if not self.program:
            return _starter(self.bot, self.language)
        toml = f'name = "{self.bot}"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\ngames = ["maya"]\n'
        program = self.program.replace("{place!r}", repr(str(place))).replace("{number}", str(number))
        return packed({"bot.toml": toml, "bot.py": program})


@dataclass(frozen=True)
class Afternoon:
    """What came of an afternoon."""

    states: dict[str, str]
    """The outcomes of bots by the handles of students."""
    reports: dict[str, list[str]]
    """By handle: what failed, as its author reads it."""
    used_browser: bool
    """Whether there was a browser, in which a student entered a bot."""
    found: str
    """What the bot said that looked for others."""
    entrants: list[str]
    verified: str


def students(count: int) -> list[Student]:
    """Return students: three are hostile, and one writes in each language whose tools are here."""
    hostile = [Student(name, program) for name, program in HOSTILE.items()]
    foreign = [Student(one, language=one) for one in FOREIGN if not missing_tools(one)]
    names = (f"student-{number}" for number in range(1, count - len(hostile) - len(foreign) + 1))
    return [*hostile, *foreign, *(Student(name, HONEST) for name in names)]


def _starter(name: str, language: str) -> bytes:
    with folder_of_all() as place:
        write_bot(place / name, language)
        packed_bot = BytesIO()
        pack(load_bot(place / name), packed_bot)
    return packed_bot.getvalue()


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

    def token(self, link: str) -> str:
        """Return a token from the page "Account", for a student who signs in by a link."""
        with Client(base_url=self.url, headers={"Origin": self.url}) as browser:
            browser.post("/sign-in", data={"link": link.partition("link=")[2]})
            page = browser.post("/account/tokens", data={"label": "a course"}).text
        return page.partition('<code class="secret">')[2].partition("<")[0]


def spend(place: Path, attending: Sequence[Student]) -> Afternoon:
    """Spend an afternoon with students, in an empty folder."""
    course = Course(place)
    rows = ["handle,team", "alice,reds", *(f"{one.handle},team-{one.handle}" for one in attending)]
    (place / "course.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    links = dict(re.findall(r"(\S+) +.*?(http\S+)", course.do("contest new", "contest invite")))
    settings = place / "cup/ladder.toml"
    text = settings.read_text().replace("hosts = []", 'hosts = ["*"]').replace("\npace", "\n# pace")
    settings.write_text(text)  # as the page says
    ladder, serve = course.next("ladder"), course.next("serve")
    with course.running(ladder):  # and again when all have entered: it may end at any time
        assert wait_until((place / "cup/ladder/records").is_dir)
    with course.running(serve) as log:
        assert wait_until(lambda: "open http" in log.read_text()), log.read_text()
        states, reports = _compete(course, attending, ladder, links)
    _close(place / "cup/contest.toml")
    course.do("event key", "contest entrants", "contest signed", "tournament", "event bundle")
    verified = course.do("event verify")
    course.do("contest verify")
    logs = sorted((place / "cup/ladder/logs").glob("bot-looks@*/*.txt"))
    entrants = [bot["owner"] for bot in tomllib.loads((place / "finals.toml").read_text())["bot"]]
    return Afternoon(states, reports, not lacking(), logs[0].read_text() if logs else "", sorted(entrants), verified)


def _compete(
    course: Course, attending: Sequence[Student], ladder: str, links: dict[str, str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Enter the bots of all, and play; return the states and the reports of their submissions."""
    course.do("contest token")
    servers, entered = {}, {}
    for number, one in enumerate(attending):
        archive = one.archive(course.place / "cup", number)
        if one.handle == IN_BROWSER and not lacking():
            token, entered[one.handle] = _enter_in_browser(course, links[one.handle], one, archive)
            servers[one.handle] = ContestServer(course.url, token)
        else:
            servers[one.handle] = ContestServer(course.url, course.token(links[one.handle]))
            entered[one.handle] = _enter(servers[one.handle], one, archive)
    course.do("login", "new-bot", "submit")
    ended = {handle: [*servers[handle].followed("/submissions", one)][-1] for handle, one in entered.items()}
    bots = sum(found["state"] != "refused" for found in ended.values()) + 2
    course.run(f"{ladder} --matches {MATCHES * bots}")
    assert wait_until(lambda: "accepted" not in _states(servers, entered).values()), _states(servers, entered)
    course.do("contest scrimmage", "contest status")
    return _states(servers, entered), {handle: servers[handle].failures(one) for handle, one in entered.items()}


def _enter_in_browser(course: Course, link: str, student: Student, archive: bytes) -> tuple[str, str]:
    """Sign in by a link, make a token and submit, as a person does who only has a browser; return token and submission.

    Everything is found by what it is called on its page.
    """
    with chromium() as browser:
        tab = browser.new_page()
        tab.goto(link)
        tab.get_by_role("button", name="Sign in").click()
        tab.goto(f"{course.url}/account")
        tab.get_by_role("button", name="Make a token").click()
        token = tab.locator("code.secret").inner_text()
        tab.get_by_role("link", name="Submit", exact=True).click()
        tab.get_by_label("The bot's name").fill(student.bot)
        file = {"name": "bot.tar", "mimeType": "application/x-tar", "buffer": archive}
        tab.get_by_label("The archive").set_input_files(file)
        tab.get_by_role("button", name="Submit").click()
        tab.wait_for_url("**/submissions/*")
        return token, str(tab.url).rpartition("/")[2]


def _states(servers: dict[str, ContestServer], entered: dict[str, str]) -> dict[str, str]:
    found = {handle: next(servers[handle].followed("/submissions", one)) for handle, one in entered.items()}
    return {handle: str(one["state"]) for handle, one in found.items()}


def _enter(server: ContestServer, student: Student, archive: bytes) -> str:
    digest = sha256(archive).hexdigest()
    return str(server.submit(BytesIO(archive), len(archive), digest, student.bot, "", "a course")["id"])


def _close(file: Path) -> None:
    """End the only phase now, as the page says."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    file.write_text(re.sub(r"^closes = .*$", f"closes = {now}", file.read_text(), flags=re.MULTILINE))
