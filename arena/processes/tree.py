"""What the kernel tells about processes: who came from whom, which bot one belongs to, which have ended."""

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
    """The C library, or where it knows no prctl something that ignores it: then orphans are the system's business."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        return libc
    return type("NoPrctl", (), {"prctl": staticmethod(lambda *_: 0)})


class _SignalAction(ctypes.Structure):
    """What sigaction(2) takes, in the C libraries of 64-bit Linux."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def mind_only_ends() -> None:
    """Have the kernel tell of children that end, but not, by waking us every time, of those that are stopped."""
    libc, action = ctypes.CDLL(None), _SignalAction()
    if libc.sigaction(signal.SIGCHLD, None, ctypes.byref(action)) == 0:
        action.flags |= SA_NOCLDSTOP
        libc.sigaction(signal.SIGCHLD, ctypes.byref(action), None)


def ended_children() -> Iterator[tuple[int, int, int]]:
    """Reap: of every child that has ended the pid, the wait status, and the CPU time in microseconds.

    The CPU time includes that of its own children, as far as it waited for them.
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
    """List the pids of our children, those we inherited included."""
    return children_of(os.getpid())


def children_of(pid: int) -> list[int]:
    """List the pids of a process's children; none when it has ended or the kernel does not tell."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def generations(pid: int) -> Iterator[list[int]]:
    """Yield a process, then its children, then theirs, as long as there are any."""
    generation = [pid]
    while generation:
        yield generation
        generation = [child for parent in generation for child in children_of(parent)]


def token_of(pid: int) -> str:
    """Read which bot a process belongs to from its environment; empty when that cannot be told."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    prefix = f"{TOKEN}=".encode()
    return next((entry[len(prefix) :].decode() for entry in environment if entry.startswith(prefix)), "")
