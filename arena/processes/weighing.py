"""Memory of a bot's processes, measured in a child process that can be killed if it takes too long.

How much memory processes share is in their maps, and a bot can make these as dear to read as it likes: with many maps,
or by changing them all the time, for which the kernel makes readers wait. The launcher must not wait with them.
"""

import os
import signal
import time
from collections.abc import Sequence
from typing import NoReturn

from ballcourt.arena.processes.memory import proportional
from ballcourt.arena.processes.tree import PR_SET_PDEATHSIG, load_libc

WEIGHING_S = 2.0
"""How long a weighing may take. It takes milliseconds if the bot does nothing against it."""
RESULT_BYTES = 32


class Weighing:
    """One weighing, in a process forked from this one, which must have a single thread."""

    def __init__(self, pids: Sequence[int]) -> None:
        """Begin to weigh these processes. Raises OSError if no process can be started."""
        self.began = time.monotonic()
        self.is_over = False
        self.result, output = os.pipe()
        """A file descriptor that can be read as soon as there is a result, or will be none."""
        try:
            self.pid = os.fork()
        except OSError:
            os.close(self.result)
            os.close(output)
            raise
        if not self.pid:
            _report(output, pids)
        os.close(output)

    def end(self) -> int | None:
        """End the weighing; return the bytes that were found, or None if it took too long."""
        self.is_over = True
        os.set_blocking(self.result, False)
        try:
            found = os.read(self.result, RESULT_BYTES)
        except BlockingIOError:
            os.kill(self.pid, signal.SIGKILL)
            found = b""
        os.close(self.result)
        return int(found) if found else None


def _report(output: int, pids: Sequence[int]) -> NoReturn:
    """Weigh the processes, write the result and exit."""
    try:
        load_libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.write(output, b"%d" % sum(proportional(pid) for pid in pids))
    finally:
        os._exit(0)
