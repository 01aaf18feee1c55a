"""All known processes of a bot: stopped and continued together, and their CPU time.

They are found by parentage, and orphans by the token in their environment. In a sandbox with a process namespace none
can escape; without a sandbox, a process can hide from both.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from ballcourt.arena.processes.tree import generations

LOOK_S = 1.0
"""How long the list of processes is used before it is read again, which finds processes that left their group."""
TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")


class Family:
    """A process and its descendants."""

    def __init__(self, pid: int, orphans: Callable[[], list[int]]) -> None:
        """`orphans` lists those of its processes that were orphaned."""
        self._pid = pid
        self._orphans = orphans
        self._members: list[int] = []
        self._groups: set[int] = set()
        self._next_look = 0.0

    def stop(self) -> None:
        """Stop all its processes until `resume`."""
        if time.monotonic() > self._next_look:
            self._look()
            self._next_look = time.monotonic() + LOOK_S
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let all its processes run."""
        self._signal(signal.SIGCONT)

    def cpu_us(self) -> int:
        """Return the CPU time of its living processes and of those they waited for, in microseconds."""
        self._look()
        return sum(_cpu_us(pid) for pid in self._members)

    def _look(self) -> None:
        self._members = [
            pid for root in (self._pid, *self._orphans()) for generation in generations(root) for pid in generation
        ]
        self._groups = set()
        for pid in self._members:
            with contextlib.suppress(ProcessLookupError):
                self._groups.add(os.getpgid(pid))
        self._groups.discard(os.getpgrp())  # never stop our own group

    def _signal(self, number: int) -> None:
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)


def _cpu_us(pid: int) -> int:
    """Return the CPU time of a process and of the children it waited for, in microseconds; 0 if it has ended."""
    try:
        own_ns = time.clock_gettime_ns(_cpu_clock(pid))
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    waited_for = int(fields[13]) + int(fields[14])  # cutime and cstime of proc(5), counted after the name
    return own_ns // 1000 + waited_for * TICK_US


def _cpu_clock(pid: int) -> int:
    """Return the id of a process's CPU clock, as clock_getcpuclockid(3) does."""
    return (~pid << 3) | 2
