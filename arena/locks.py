"""Locks of files, awaited for a limited time: the process that holds one may be stopped."""

import errno
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Final

try:
    import fcntl

    HAS_FLOCK = True
except ModuleNotFoundError:
    HAS_FLOCK = False
    with suppress(ModuleNotFoundError):  # Windows, whose C library locks bytes; in a browser there is neither
        import msvcrt

PATIENCE_S: Final = 60.0
SAY_S: Final = 5.0
"""Delay before `report` is called with the lock's holder."""
LOOK_S: Final = 0.05
ANOTHER: Final = "another process"
LOCKS = Path("/proc/locks")
"""Where Linux lists all locks of files."""
FLOCK: Final = "hhqqi"
"""Linux's `struct flock`: kind, whence, start, length, process; see fcntl(2)."""
BEYOND: Final = 1 << 30
"""The byte that is locked on Windows, where no process may read what is locked: behind the end of all these files."""


def try_lock(file: IO[bytes] | int, *, shared: bool = False) -> None:
    """Lock an open file as `flock` does, until it is closed. Raises BlockingIOError if another process holds a lock.

    Shared locks hold off only others. Windows has none; there they hold off each other too.
    """
    if HAS_FLOCK:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        return
    descriptor = file if isinstance(file, int) else file.fileno()
    try:
        os.lseek(descriptor, BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except PermissionError as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error


def lock(
    file: IO[bytes] | int,
    patience_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
    *,
    shared: bool = False,
) -> None:
    """Lock an open file as `try_lock` does; by default, wait for at most `PATIENCE_S`.

    After a while, `report` is called with the process that holds the lock. Raises OSError if it goes on holding it.
    """
    began = monotonic()
    patience_s = PATIENCE_S if patience_s is None else patience_s
    is_reported = False
    while True:
        try:
            try_lock(file, shared=shared)
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


def claim(file: IO[bytes] | IO[str], part: int | None = None) -> None:
    """Lock an open file, or a byte of it, as `lockf` does. Children do not inherit it, so it ends with this process.

    Raises OSError, BlockingIOError or PermissionError if another process has locked it.
    """
    if HAS_FLOCK:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, *((0, 0) if part is None else (1, part)))
    else:
        try_lock(file.fileno())


def is_claimed(file: IO[bytes], part: int) -> bool:
    """Lock a byte of an open file as `claim` does, and return whether this process has it. Raises OSError."""
    try:
        claim(file, part)
    except (BlockingIOError, PermissionError):
        return False
    return True


def claimant(file: IO[bytes]) -> int | None:
    """Return the id of the other process that has locked a file by `claim`; None if none has. Raises OSError.

    Systems besides Linux do not say.
    """
    if sys.platform != "linux":
        return None
    asked = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    kind, *_, process = struct.unpack(FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, asked))
    return None if kind == fcntl.F_UNLCK else process


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
