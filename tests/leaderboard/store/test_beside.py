"""Functions that run in another process."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection

import pytest

from tests.arena.conftest import PATIENCE_S, bounded

PARENT = """
import signal
from ballcourt.leaderboard.store.beside import beside
from tests.leaderboard.store.test_beside import report
with beside(report, None):
    signal.pause()
"""


def report(_: Connection, __: None) -> None:
    """Print the number of this process, and a little later that it goes on; never end."""
    os.write(1, f"{os.getpid()}\n".encode())
    time.sleep(0.5)
    os.write(1, b"goes on\n")
    time.sleep(3600)


@pytest.mark.slow
def test_the_process_ends_when_its_parent_is_killed_and_not_by_ctrl_c() -> None:
    with bounded(subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)) as parent:
        assert parent.stdout
        os.kill(int(parent.stdout.readline()), signal.SIGINT)
        assert parent.stdout.readline() == "goes on\n"
        began = time.monotonic()
        parent.kill()
        assert parent.stdout.read() == "", "both have closed it"
        assert time.monotonic() - began < PATIENCE_S / 2
