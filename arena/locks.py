"""Locks of files, awaited for a limited time: the process that holds one may be stopped."""

import errno
import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Final

PATIENCE_S: Final = 60.0
SAY_S: Final = 5.0
"""Delay before `report` is called with the lock's holder."""
LOOK_S: Final = 0.05
ANOTHER: Final = "another process"
LOCKS = Path("/proc/locks")
"""Where Linux lists all locks of files."""


def lock(
    file: IO[bytes] | int,
    how: int = fcntl.LOCK_EX,
    patience_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Lock an open file as `flock` does, until it is closed; by default, wait for at most `PATIENCE_S`.

    After a while, `report` is called with the process that holds the lock. Raises OSError if it goes on holding it.
    """
    began = monotonic()
    patience_s = PATIENCE_S if patience_s is None else patience_s
    is_reported = False
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except BlockingIOError:
            waited_s = monotonic() - began
            if waited_s >= patience_s:
                reason = f"{_holder(file)} has locked it for {patience_s:g} s; end that process"
                raise TimeoutError(errno.ETIMEDOUT, reason) from None
            if waited_s >= SAY_S and not is_reported:
                is_reported = True
                report(_holder(file))
            sleep(LOOK_S)
        else:
            return


def open_locked(path: Path, take: Callable[[IO[bytes]], None]) -> IO[bytes]:
    """Open a file, make it if it is missing, and lock it by `take`; another process may be removing it meanwhile.

    Closing it ends the lock. Raises OSError, and what `take` raises.
    """
    while True:
        file = path.open("ab")
        try:
            take(file)
            if os.path.samestat(path.stat(), os.fstat(file.fileno())):
                return file
        except FileNotFoundError:  # it was removed while we waited: the next try makes a new one
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def writer_of(*paths: Path) -> str:
    """Return the other process that has locked a part of one of these files as `lockf` does, to write it.

    Return "another process" if it is not known.
    """
    for path in paths:
        with suppress(OSError):  # it may have been removed
            if found := _locker(path.stat(), "POSIX", "WRITE"):
                return found
    return ANOTHER


def _holder(file: IO[bytes] | int) -> str:
    """Return the process that holds the lock of an open file, as `flock` locks it."""
    return _locker(os.fstat(file if isinstance(file, int) else file.fileno()), "FLOCK", "READ", "WRITE") or ANOTHER


def _locker(file: os.stat_result, kind: str, *modes: str) -> str:
    """Return the other process that has a lock of this kind on a file; empty if it is not known.

    Linux does not name processes of other containers.
    """
    unnamed = ("0", str(os.getpid()))
    for line in _lines(LOCKS):
        words = line.split()  # such as: 1: FLOCK ADVISORY WRITE 1234 fe:01:5678 0 EOF
        is_it = words[1] == kind and words[3] in modes and words[5].rpartition(":")[2] == str(file.st_ino)
        if is_it and words[4] not in unnamed:
            return f"process {words[4]}"
    return ""


def _lines(path: Path) -> list[str]:
    """Return the lines of a file; none if it cannot be read."""
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
