"""Commands listen only where their user chose: what other programs of this machine or its network can reach."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.event.model import Event
from tests.arena.conftest import PATIENCE_S, bounded, wait_until
from tests.arena.hosted import make_certificate
from tests.arena.recorded import recorded
from tests.arena.tournament.in_process import play_all
from tests.cli.conftest import Run
from tests.cli.test_host import hosting
from tests.cli.test_interruptions import environment
from tests.needs import library

Client = library("distributed").Client

from ballcourt.arena.cluster.local import local_cluster  # noqa: E402
from tests.arena.cluster.test_endings import cluster  # noqa: E402

pytestmark = pytest.mark.slow

HERE = "127.0.0.1"
LISTENS = " 00010000 0001 01 "
"""The flags, type and state of a stream socket that listens, in /proc/net/unix."""


def listeners(pid: int) -> list[str]:
    """Return the addresses of the ports at which a process and its descendants listen by TCP or take datagrams."""
    root = psutil.Process(pid)
    found = set()
    for process in (root, *root.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # a descendant that has ended meanwhile listens nowhere
            found |= {
                (connection.laddr.ip, connection.laddr.port)
                for connection in process.net_connections("inet")
                if connection.status in (psutil.CONN_LISTEN, psutil.CONN_NONE)
            }
    return sorted(address for address, _ in found)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("serve cup --port 0", [HERE]),
        ("play bluff human ./low --browser --port 0", [HERE]),
        ("replay analyse kept/k.match --hints random --port 0", [HERE]),
        ("play bluff human ./low", []),
        ("mcp bluff agent ./low", []),
    ],
)
def test_a_command_listens_only_for_the_browser_of_this_machine(place: Path, line: str, expected: list[str]) -> None:
    write_record(place / "kept", recorded("k"))
    play_all(place / "cup", Event().replaced(game="bluff", bots=("./low", "./any"), seats=2, blocks=1))
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "ballcourt", *line.split()]
    with bounded(subprocess.Popen(command, cwd=place, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe)) as one:
        assert wait_until(lambda: len(listeners(one.pid)) >= len(expected) and bool(psutil.Process(one.pid).children()))
        assert listeners(one.pid) == expected
        one.terminate()
        one.communicate()


@pytest.mark.parametrize("tier", [0, 1])
def test_a_match_listens_only_in_a_folder_that_no_other_user_may_enter(
    place: Path, tier: int, request: pytest.FixtureRequest
) -> None:
    if tier:
        request.getfixturevalue("tier_1")
    (place / "low" / "bot.toml").write_text('name = "low"\nversion = "1"\ncommand = ["sleep", "1000"]\n')
    line = f"play bluff ./low ./any --sandbox {tier} --clock startup_ms=600000"
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "ballcourt", *line.split()]
    with bounded(subprocess.Popen(command, cwd=place, env=environment(), stdout=pipe, stderr=pipe)) as one:
        assert wait_until(lambda: _starts(one.pid, "sleep"))
        assert listeners(one.pid) == []
        found = doors(one.pid)
        assert found
        assert [door for door in found if not door.startswith("/")] == [], "anybody could reach those"
        assert [door for door in found if not any(_is_private(folder) for folder in Path(door).parents)] == []
        one.terminate()
        one.communicate()


def _starts(pid: int, name: str) -> bool:
    """Return whether a descendant of a process has a name; those that end meanwhile, as the sandbox's do, have none."""
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.name() == name:
                return True
    return False


def doors(pid: int) -> set[str]:
    """Return the paths of the Unix sockets at which a process and its descendants listen; "@..." are abstract."""
    inodes = set()
    for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
        with suppress(OSError, psutil.NoSuchProcess):
            inodes |= {str(handle.readlink()) for handle in Path(f"/proc/{process.pid}/fd").iterdir()}
    listening = [line.split() for line in Path("/proc/net/unix").read_text().splitlines() if LISTENS in line]
    return {"".join(fields[7:]) for fields in listening if f"socket:[{fields[6]}]" in inodes}


def _is_private(folder: Path) -> bool:
    return folder.stat().st_mode & 0o077 == 0


def test_a_host_listens_only_where_it_is_told_to(place: Path, run: Run) -> None:
    make_certificate(place)
    run("admin token new bob-bot --owner bob")
    (place / "event.toml").write_text('game = "bluff"\nbots = ["./low", "remote:bob-bot"]\nseats = 2\nrounds = 1\n')
    with hosting(place) as (process, _):
        assert listeners(process.pid) == [HERE]


def test_a_worker_that_joins_a_scheduler_listens_only_where_that_reaches_it(tmp_path: Path) -> None:
    with cluster(tmp_path) as (_, address, worker):
        with Client(address) as client:
            client.wait_for_workers(1, timeout=PATIENCE_S)
        assert listeners(worker.pid) == [HERE]


def test_members_of_a_cluster_listen_only_where_they_reach_each_other() -> None:
    before = len(listeners(os.getpid()))
    with local_cluster(2) as cluster:
        assert wait_until(lambda: len(listeners(os.getpid())) >= before + 3), "a scheduler and two workers"
        assert listeners(os.getpid())[before:] == [HERE] * 3
        assert cluster.running() == 2
