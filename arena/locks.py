"""Locks of files that nobody waits for without end: the process that holds one may be stopped."""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Final

PATIENCE_S: Final = 60.0
SAY_S: Final = 5.0
"""After how long somebody who waits is told for whom."""
LOOK_S: Final = 0.05


def lock(
    file: IO[bytes] | int,
    how: int = fcntl.LOCK_EX,
    patience_s: float | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> None:
    """Lock an open file as `flock` does, until it is closed; by default, wait for at most `PATIENCE_S`.

    After a while, `told` is called with the process that holds the lock. Raises OSError if it goes on holding it.
    """
    began = monotonic()
    patience_s = PATIENCE_S if patience_s is None else patience_s
    has_told = False
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            waited_s = monotonic() - began
            if waited_s >= patience_s:
                reason = f"{_holder(file)} has locked it for {patience_s:g} s; end that process"
                raise TimeoutError(errno.ETIMEDOUT, reason) from None
            if waited_s >= SAY_S and not has_told:
                has_told = True
                told(_holder(file))
            sleep(LOOK_S)
        else:
            return


def _holder(file: IO[bytes] | int) -> str:
    """Return the process that holds the lock of a file; /proc/locks names it, unless it is in another container."""
    number = str(os.fstat(file if isinstance(file, int) else file.fileno()).st_ino)
    for line in Path("/proc/locks").read_text().splitlines():
        words = line.split()  # such as: 1: FLOCK ADVISORY WRITE 1234 fe:01:5678 0 EOF
        if words[1] == "FLOCK" and words[5].rpartition(":")[2] == number and words[4] != "0":
            return f"process {words[4]}"
    return "another process"
