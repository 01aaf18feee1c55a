"""Commands listen only where somebody chose: what other programs of this machine or its network can reach."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from ballcourt.arena.cluster.local import local_cluster
from ballcourt.arena.records.store import write_record
from ballcourt.arena.tournament.event.model import Event
from tests.arena.conftest import bounded, wait_until
from tests.arena.recorded import recorded
from tests.arena.tournament.in_process import events
from tests.cli.test_interruptions import environment

pytestmark = pytest.mark.slow

HERE = "127.0.0.1"


def listeners(pid: int) -> list[str]:
    """Return the addresses at which a process and its descendants listen by TCP or take datagrams."""
    root = psutil.Process(pid)
    found = []
    for process in (root, *root.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # a descendant that has ended meanwhile listens nowhere
            found += [
                connection.laddr.ip
                for connection in process.net_connections("inet")
                if connection.status in (psutil.CONN_LISTEN, psutil.CONN_NONE)
            ]
    return sorted(found)


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
    for _ in events(place / "cup", Event().replaced(game="bluff", bots=("./low", "./any"), seats=2, blocks=1)):
        pass
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "ballcourt", *line.split()]
    with bounded(subprocess.Popen(command, cwd=place, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe)) as one:
        assert wait_until(lambda: len(listeners(one.pid)) >= len(expected) and bool(psutil.Process(one.pid).children()))
        assert listeners(one.pid) == expected
        one.terminate()
        one.communicate()


def test_members_of_a_cluster_listen_only_where_they_reach_each_other() -> None:
    before = len(listeners(os.getpid()))
    with local_cluster(2) as cluster:
        assert wait_until(lambda: len(listeners(os.getpid())) >= before + 3), "a scheduler and two workers"
        assert listeners(os.getpid())[before:] == [HERE] * 3
        assert cluster.running() == 2
