"""Fixtures of the arena's tests: the game `bluff`, bots that play it, and a way to find what a run leaves behind."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any, AnyStr

import pytest

import tests.bots
from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.sandbox import gvisor
from ballcourt.arena.sandbox.bubblewrap import missing
from ballcourt.arena.sandbox.tiers import BUILD, Limits, Sandbox
from ballcourt.arena.workers.runner import Runner
from tests.arena.in_process import IN_PROCESS, REAL
from tests.bluff.installed import bluff_installed
from tests.bots.prying import TREASURE
from tests.needs import lack

BOTS = Path(tests.bots.__file__).parent
PATIENCE_S = 300.0
"""How long a test waits for anything: a test that hangs would take along all that follow."""
LIMITS = Limits(memory_mb=200, processes=40, file_mb=16, tmp_mb=32)
"""The limits of `tier_1` and `tier_2`."""
LARGE_FILE = "print(open('/tmp/large', 'wb', buffering=0).write(bytes(20 << 20)) >> 20)"
"""Code of a bot that writes a file of 20 MB and prints how many it could write."""


def fixture_bot(script: str, *arguments: str) -> Bot:
    """Return a bot that is a script of tests/bots."""
    command = (sys.executable, str(BOTS / script), *arguments)
    return Bot(" ".join(arguments) or script, "1", "", "", command, BOTS, (), f"{script} {arguments}")


LOWEST = fixture_bot("honest.py")
RANDOM = fixture_bot("honest.py", "random")


@pytest.fixture(autouse=True)
def bluff_is_installed() -> Iterator[None]:
    with bluff_installed():
        yield


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no processes for honest bots, and those that answer illegally, outside of a sandbox."""
    for name, method in IN_PROCESS.items():
        monkeypatch.setattr(Runner, name, method)


@pytest.fixture
def processes(in_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the processes of all bots: for tests that are about them."""
    for name, method in REAL.items():
        monkeypatch.setattr(Runner, name, method)


class Traces:
    """The processes and files of a run that uses this folder for temporary files.

    Each has the folder in its environment, or if it wraps a confined bot in its command line.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def processes(self) -> dict[int, str]:
        """Return the command lines of its running processes by pid, without this process."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_text().replace("\0", " ")
                if str(self.folder) in command or str(self.folder).encode() in (process / "environ").read_bytes():
                    found[int(process.name)] = command
            except OSError:
                continue  # it ended meanwhile
        return found

    def pid_of(self, text: str) -> int:
        """Return the pid of a process whose command line contains a string."""
        return next(pid for pid, command in self.processes().items() if text in command)

    def all_gone(self) -> bool:
        """Wait until no process and no file is left; return whether that happened."""
        return wait_until(lambda: not self.processes() and not list(self.folder.iterdir()))


def filling(folder: str) -> str:
    """Return the code of a bot that fills a folder; it prints why it stopped and how many MB it has written."""
    return f"""if True:
        written = 0
        try:
            for number in range(100):
                with open('{folder}/filler' + str(number), 'wb', buffering=0) as file:
                    for _ in range(4):
                        written += file.write(bytes(1 << 20))
        except OSError as error:
            print(error.strerror, written >> 20)
    """


@pytest.fixture
def tier_1() -> Sandbox:
    """Return a sandbox of tier 1 with small limits."""
    need_sandbox()
    return Sandbox(1, LIMITS, build=BUILD)


@pytest.fixture
def tier_2() -> Sandbox:
    """Return a sandbox of tier 2 with small limits."""
    need_gvisor()
    return Sandbox(2, LIMITS, build=BUILD)


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.slow)])
def confined(request: pytest.FixtureRequest) -> Sandbox:
    """Each tier that confines builds."""
    found: Sandbox = request.getfixturevalue(f"tier_{request.param}")
    return found


def need_gvisor() -> None:
    """Skip the test if the machine has no sandbox of tier 2."""
    if sentence := gvisor.missing():
        lack("gvisor", sentence)


def need_sandbox() -> None:
    """Skip the test if the machine has no sandbox of tier 1."""
    if sentence := missing():
        lack("sandbox", sentence)


def wait_until(is_true: Callable[[], bool]) -> bool:
    """Wait up to `PATIENCE_S` for an effect of another process; return whether it happened."""
    give_up = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


@contextmanager
def folder_of_all() -> Iterator[Path]:
    """Yield a new folder that all users may read: bots of root's arena run as another user."""
    with tempfile.TemporaryDirectory(prefix="bc-", dir="/tmp") as temporary:
        Path(temporary).chmod(0o755)
        yield Path(temporary)


@contextmanager
def bounded(process: subprocess.Popen[AnyStr], limit_s: float = PATIENCE_S) -> Iterator[subprocess.Popen[AnyStr]]:
    """Kill a process if the context fails or takes longer than `limit_s`; wait for its end.

    A reader of its output, or one that waits for it, then goes on. Its group is killed too if it leads one.
    """
    leads = os.getpgid(process.pid) == process.pid

    def kill() -> None:
        with suppress(ProcessLookupError):
            if leads:
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()

    patience = Timer(limit_s, kill)
    patience.start()
    try:
        with process:
            try:
                yield process
            except BaseException:
                kill()
                raise
    finally:
        patience.cancel()


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traces]:
    """Give all processes of a test a private temporary folder by which they can be found."""
    folder = Path(tempfile.mkdtemp(prefix="bc-", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield Traces(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def treasures() -> Iterator[Path]:
    """What no bot may find: files of a rival, of the tournament, of a person; a listening process."""
    folder = Path(tempfile.mkdtemp(prefix="bc-", dir="/tmp"))
    for place in (folder / "rival", folder / "runs" / "records", folder / "home"):
        place.mkdir(parents=True)
        (place / f"{TREASURE}-{place.name}").write_text("seed = 7")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{TREASURE}-{folder.name}")
        listening.listen()
        yield folder
    shutil.rmtree(folder)


WITHOUT_GROUPS = """if True:
    from ballcourt.arena.sandbox import cgroups
    cgroups.found = cgroups.Places
    from ballcourt.arena.processes.launcher import Launcher
    from ballcourt.arena.temporary import private_folder
    with private_folder() as place:
        Launcher(place).serve()
"""
"""A launcher on a machine that lets it make no control groups."""


class Talk:
    """A launcher that a test controls directly."""

    def __init__(self, traces: Traces, *program: str) -> None:
        """`program` are the arguments of Python that start another one than the launcher itself."""
        self.traces = traces
        self.process = subprocess.Popen(
            [sys.executable, "-P", *(program or ("-m", "ballcourt.arena.processes.launcher"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.pids: dict[int, int] = {}
        self.orphans: dict[int, list[int]] = {}
        self.cpu_us = 0
        self.folder = Path(self.hear()["folder"])

    def say(self, **request: Any) -> None:  # noqa: ANN401
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next answer that is not about a start or orphans."""
        while not (answer := self.hear_one()):
            pass
        return answer

    def hear_one(self) -> dict[str, Any]:
        """Return the next answer, without its CPU time; nothing if it is about a start or orphans, which are kept."""
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "started" in answer:
            self.pids[answer["started"]] = answer["pid"]
        elif "orphans" in answer:
            self.orphans[answer["of"]] = answer["orphans"]
        else:
            self.cpu_us = answer.pop("cpu_us", 0)
            return answer
        return {}

    def spawn(self, number: int, code: str, directory: str = "/") -> None:
        environment = {"BALLCOURT_TOKEN": f"token {number}", "FOLDER": str(self.traces.folder)}
        self.say(spawn=number, command=[sys.executable, "-c", code], directory=directory, environment=environment)

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)


@pytest.fixture
def launcher(traces: Traces) -> Iterator[Talk]:
    talk = Talk(traces)
    with bounded(talk.process):
        yield talk
        talk.end()
    assert not traces.processes()
    assert not talk.folder.exists()
