"""The process between a runner and a worker, which cleans up after the worker however it ends.

It starts the worker with its own arguments, waits for its end, and exits with its code. It adopts whatever the worker
started and did not end, even if worker and launcher are killed at the same moment; so when the keeper exits, the
machine is clean. On SIGTERM it kills the worker.
"""

import os
import signal
import subprocess
import sys
import time

from ballcourt.arena.processes.child import signal_each
from ballcourt.arena.processes.tree import (
    PR_SET_CHILD_SUBREAPER,
    end_on_interrupts,
    ended_children,
    load_libc,
    own_children,
)
from ballcourt.arena.temporary import remove_abandoned

WIND_UP_S = 5.0
"""How long a launcher without a worker may take to end its bots and remove its folder."""
POLL_S = 0.01


def keep(command: list[str]) -> int:
    """Run a worker, then end all it left behind; return its exit code, or 128 + n for signal n like a shell."""
    end_on_interrupts()
    load_libc().prctl(PR_SET_CHILD_SUBREAPER, 1)
    worker = subprocess.Popen(command, close_fds=False)  # the runner's file descriptors are for the worker
    signal.signal(signal.SIGTERM, lambda *_: worker.kill())
    code = worker.wait()
    _end_remains()
    remove_abandoned()  # the folder of a launcher that was killed too
    return code if code >= 0 else 128 - code


def _end_remains() -> None:
    """Wait for the launcher, which shares our process group, and kill all other orphans."""
    deadline = time.monotonic() + WIND_UP_S
    while children := own_children():
        patient = time.monotonic() < deadline
        signal_each((pid for pid in children if not (patient and _is_launcher(pid))), signal.SIGKILL)
        for _ in ended_children():
            pass
        time.sleep(POLL_S)


def _is_launcher(pid: int) -> bool:
    try:
        return os.getpgid(pid) == os.getpgrp()
    except ProcessLookupError:
        return False


if __name__ == "__main__":
    sys.exit(keep([sys.executable, "-P", "-m", "ballcourt.arena.workers.worker", *sys.argv[1:]]))
