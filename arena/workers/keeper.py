"""Stands between a runner and a worker, and leaves nothing of the worker behind however it ends.

It starts the worker with its own arguments, waits for its end, and exits with its code. Whatever the worker
started and did not end falls to the keeper, also when worker and launcher are killed at the
same moment; so a runner that sees the keeper end knows that the machine is clean. SIGTERM makes it kill a worker that
hangs.
"""

import os
import signal
import subprocess
import sys
import time

from ballcourt.arena.processes.child import signal_each
from ballcourt.arena.processes.tree import PR_SET_CHILD_SUBREAPER, ended_children, load_libc, own_children

WIND_UP_S = 5.0
"""So long a launcher without a worker has to end its bots and remove its folder by itself."""
POLL_S = 0.01


def keep(command: list[str]) -> int:
    """Run a worker to its end, then end all it has left; return its exit code, as a shell does 128 + n for signal n."""
    load_libc().prctl(PR_SET_CHILD_SUBREAPER, 1)
    worker = subprocess.Popen(command, close_fds=False)  # the descriptors that the runner gave us are the worker's
    signal.signal(signal.SIGTERM, lambda *_: worker.kill())
    code = worker.wait()
    _end_remains()
    return code if code >= 0 else 128 - code


def _end_remains() -> None:
    """Wait for the launcher, which shares our process group, and kill everything else that falls to us."""
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
