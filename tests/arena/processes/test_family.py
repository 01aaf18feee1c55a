"""The processes of a bot, stopped, continued and measured together."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.processes.family import Descendants
from ballcourt.arena.processes.groups import members
from ballcourt.arena.processes.tree import generations
from tests.arena.conftest import PATIENCE_S, bounded, wait_until

PARENT = """
import os, subprocess, sys
burner = [sys.executable, "-c", "import time\\nwhile time.process_time() < 0.1: pass"]
subprocess.run(burner)
up = "import os, time; os.write(1, b'up\\\\n'); time.sleep(3600)"
sleeper = [sys.executable, "-c", up]
for new_session in (False, True):
    subprocess.Popen(sleeper, start_new_session=new_session)
exec(up)
"""
"""Each reports its start in a single write; print may write the end of the line separately."""


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[str]]:
    """A process with a child in its own group and one in another."""
    command = [sys.executable, "-c", PARENT]
    with bounded(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)) as process:
        assert process.stdout
        for _ in range(3):
            assert process.stdout.readline() == "up\n"
        yield process
        for pid in [pid for generation in generations(process.pid) for pid in generation]:
            os.kill(pid, 9)


def states(pid: int) -> set[str]:
    """The states of a process and all its descendants, as proc(5) calls them."""
    pids = [pid for generation in generations(pid) for pid in generation]
    assert len(pids) == 3
    return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in pids}


def test_all_processes_of_a_bot_stop_and_continue_together(parent: subprocess.Popen[str]) -> None:
    family = Descendants(parent.pid, list)
    family.stop()
    assert wait_until(lambda: states(parent.pid) == {"T"})
    family.resume()
    assert wait_until(lambda: states(parent.pid) == {"S"})


def test_an_orphaned_process_still_belongs_to_its_bot(parent: subprocess.Popen[str]) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(3600)"]
    with bounded(subprocess.Popen(command, start_new_session=True)) as first:
        family = Descendants(first.pid, lambda: [parent.pid])
        family.stop()
        assert wait_until(lambda: states(parent.pid) == {"T"})
        first.kill()


def test_all_processes_of_a_bot_are_found(parent: subprocess.Popen[str], tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    for group, pids in ((tmp_path, "1\n2\n"), (inside, "3\n")):
        (group / "cgroup.procs").write_text(pids)
    assert sorted(members(tmp_path)) == [1, 2, 3]
    assert members(tmp_path / "gone") == []
    family = Descendants(parent.pid, list)
    assert family.pids() == [pid for generation in generations(parent.pid) for pid in generation]


def test_cpu_time_includes_children_that_have_exited(parent: subprocess.Popen[str]) -> None:
    assert Descendants(parent.pid, list).cpu_us() >= 90_000


def test_what_a_stopped_process_computes_after_continuing_itself_is_stolen(parent: subprocess.Popen[str]) -> None:
    command = [sys.executable, "-c", "while True: pass"]
    with bounded(subprocess.Popen(command, start_new_session=True)) as busy:
        honest, thief = Descendants(parent.pid, list), Descendants(busy.pid, list)
        for family in (honest, thief):
            family.stop()
        os.kill(busy.pid, signal.SIGCONT)  # as a timer of its own does
        enough = thief.cpu_us() + 20_000
        assert wait_until(lambda: thief.cpu_us() > enough)
        for family in (honest, thief):
            family.resume()
        busy.kill()
    assert honest.stolen_us() == 0
    assert thief.stolen_us() > 10_000


def test_the_cpu_time_of_a_process_whose_name_is_no_text_is_known() -> None:
    program = "import ctypes; ctypes.CDLL(None).prctl(15, b') R 1\\xff ('); print('up', flush=True); input()"
    command = [sys.executable, "-c", program]
    with bounded(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout and process.stdout.readline() == "up\n"
        assert Descendants(process.pid, list).cpu_us() > 0
        process.kill()


def test_a_family_that_has_exited_raises_no_error() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    process.wait(PATIENCE_S)
    family = Descendants(process.pid, list)
    family.stop()
    family.resume()
    assert family.cpu_us() == 0
