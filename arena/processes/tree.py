"""What the kernel knows about processes: parents and children, the bot they belong to, which have ended."""

import ctypes
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SA_NOCLDSTOP = 1

TOKEN = "BALLCOURT_TOKEN"


def load_libc() -> Any:  # noqa: ANN401
    """Return the C library, or a stub without prctl; orphans then go to init."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        return libc
    return type("NoPrctl", (), {"prctl": staticmethod(lambda *_: 0)})


class _SignalAction(ctypes.Structure):
    """The struct of sigaction(2) in the C libraries of 64-bit Linux."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def mind_only_ends() -> None:
    """Set SA_NOCLDSTOP: SIGCHLD only when a child exits, not when it stops."""
    libc, action = ctypes.CDLL(None), _SignalAction()
    if libc.sigaction(signal.SIGCHLD, None, ctypes.byref(action)) == 0:
        action.flags |= SA_NOCLDSTOP
        libc.sigaction(signal.SIGCHLD, ctypes.byref(action), None)


def ended_children() -> Iterator[tuple[int, int, int]]:
    """Reap the children that have ended; yield pid, wait status and CPU time in microseconds of each.

    The CPU time includes that of the children it waited for.
    """
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, status, round((used.ru_utime + used.ru_stime) * 1e6)


def own_children() -> list[int]:
    """List the pids of our children, including adopted orphans."""
    return children_of(os.getpid())


def children_of(pid: int) -> list[int]:
    """List the pids of a process's children; none if it has ended or the kernel does not say."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def generations(pid: int) -> Iterator[list[int]]:
    """Yield a list with the pid, then its children, then theirs, and so on."""
    generation = [pid]
    while generation:
        yield generation
        generation = [child for parent in generation for child in children_of(parent)]


def token_of(pid: int) -> str:
    """Return the bot's token from the environment of a process; empty if there is none."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    prefix = f"{TOKEN}=".encode()
    return next((entry[len(prefix) :].decode() for entry in environment if entry.startswith(prefix)), "")
