"""All processes of a bot: stopped and continued together, and their CPU time.

Where the bot has a control group, the kernel freezes the group, and nothing in it runs until it is thawed. Elsewhere
its processes are stopped by a signal. They are found by parentage, and orphans by the token in their environment; in a
sandbox with a process namespace none can escape. But the kernel itself sends SIGCONT for a bot that has arranged it,
with a timer for example. What such a bot then computes is measured.
"""

import contextlib
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from ballcourt.arena.processes.groups import FREEZE, cpu_us, members
from ballcourt.arena.processes.tree import generations

LOOK_S = 1.0
"""How long the list of processes is used before it is read again, which finds processes that left their group."""
STOPPING_US = 2000
"""How much CPU time per stop is not held against a bot: the kernel needs some to stop it."""


class Family(ABC):
    """The processes of a bot."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all its processes until `resume`."""

    @abstractmethod
    def resume(self) -> None:
        """Resume all its processes."""

    @abstractmethod
    def pids(self) -> list[int]:
        """Return the pids of those that live."""

    @abstractmethod
    def cpu_us(self) -> int:
        """Return the CPU time it has used, in microseconds."""

    def stolen_us(self) -> int:
        """Return the CPU time that it has used while it was stopped, in microseconds."""
        return 0

    def close(self) -> None:  # noqa: B027 (most families hold nothing)
        """Release its resources. Call it once, when its processes have ended."""


class GroupFamily(Family):
    """The processes in a control group. Close it when they have ended."""

    def __init__(self, folder: Path) -> None:
        """Open the file that freezes the group, which takes longer than freezing. Raises OSError."""
        self._folder = folder
        self._freezer = os.open(folder / FREEZE, os.O_WRONLY)

    def stop(self) -> None:
        """Freeze the group."""
        self._write(b"1")

    def resume(self) -> None:
        """Thaw it."""
        self._write(b"0")

    def close(self) -> None:
        """Close the file."""
        os.close(self._freezer)

    def _write(self, value: bytes) -> None:
        with contextlib.suppress(OSError):  # the group is gone
            os.write(self._freezer, value)

    def pids(self) -> list[int]:
        """Return the pids of those in it; none if it is gone."""
        return members(self._folder)

    def cpu_us(self) -> int:
        """Return the CPU time of all processes that were ever in it, in microseconds."""
        return cpu_us(self._folder)


class Descendants(Family):
    """A process and its descendants."""

    def __init__(self, pid: int, orphans: Callable[[], list[int]]) -> None:
        """`orphans` lists those of its processes that were orphaned."""
        self._pid = pid
        self._orphans = orphans
        self._members: list[int] = []
        self._groups: set[int] = set()
        self._next_look = 0.0
        self._at_stop_us: int | None = None
        self._stolen_us = 0

    def stop(self) -> None:
        """Send them SIGSTOP."""
        if time.monotonic() > self._next_look:
            self._look()
            self._next_look = time.monotonic() + LOOK_S
        self._signal(signal.SIGSTOP)
        self._at_stop_us = self._running_us()

    def resume(self) -> None:
        """Send them SIGCONT, and note what they have used since `stop`."""
        if self._at_stop_us is not None:
            self._stolen_us += max(0, self._running_us() - self._at_stop_us - STOPPING_US)
            self._at_stop_us = None
        self._signal(signal.SIGCONT)

    def pids(self) -> list[int]:
        """Return the pids of the process, its descendants and its orphans."""
        self._look()
        return self._members[:]

    def cpu_us(self) -> int:
        """Return the CPU time of its living processes and of those they waited for, in microseconds."""
        return sum(map(_cpu_us, self.pids()))

    def stolen_us(self) -> int:
        """Return the CPU time that its known processes have used while they were stopped, in microseconds."""
        return self._stolen_us

    def _running_us(self) -> int:
        """Return the CPU time of its known processes that are alive, in microseconds."""
        return sum(_own_us(pid) for pid in self._members)

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
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()  # the name may be no text
    except OSError:
        return 0
    waited_for = int(fields[13]) + int(fields[14])  # cutime and cstime of proc(5), counted after the name
    return _own_us(pid) + waited_for * (1_000_000 // os.sysconf("SC_CLK_TCK"))


def _own_us(pid: int) -> int:
    """Return the CPU time of a process, in microseconds; 0 if it has ended."""
    clock = (~pid << 3) | 2  # as clock_getcpuclockid(3) does
    try:
        return time.clock_gettime_ns(clock) // 1000
    except OSError:
        return 0
