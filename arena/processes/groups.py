"""The control groups of a launcher: one for each program it starts, with its limits.

    <a place>/ballcourt-launcher-x/7/    the seventh program

A launcher holds locks on its groups, as on its private folder. So the next one can see which were left by a launcher
that was killed, and removes them.
"""

import itertools
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.sandbox.cgroups import PROCS, Places, lines, passed_on, text, write
from ballcourt.arena.sandbox.launch import SANDBOX_MB
from ballcourt.arena.temporary import lock

PREFIX = "ballcourt-launcher-"
FREEZE, KILL = "cgroup.freeze", "cgroup.kill"
MB = 1 << 20
NOWHERE = Places()


@dataclass(frozen=True)
class Group:
    """The control groups of one program, if the machine has any; each method does what these can do."""

    folders: Places = NOWHERE
    memory_mb: int = 0
    """The limit of its memory; 0 means unlimited."""

    def enter(self) -> None:
        """Move this process into it. Raises OSError."""
        for folder in self.folders.all():
            write(folder / PROCS, "0")

    def kill(self) -> None:
        """Kill all its processes at once."""
        if self.folders.freezer:
            with suppress(OSError):
                write(self.folders.freezer / KILL, "1")

    def thaw(self) -> None:
        """Resume its processes."""
        if self.folders.freezer:
            freeze(self.folders.freezer, is_frozen=False)

    def cpu_us(self) -> int:
        """Return the CPU time of all processes that were ever in it, in microseconds; 0 if unknown."""
        return cpu_us(self.folders.freezer) if self.folders.freezer else 0

    def limits_memory(self) -> bool:
        """Whether the kernel limits its memory."""
        return bool(self.folders.memory and self.memory_mb)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed one of its processes, and they had reached the limit together.

        A kill alone does not show that: the kernel also kills when the whole machine is out of memory.
        """
        if not self.folders.memory:
            return False
        events = lines(self.folders.memory / "memory.events") or lines(self.folders.memory / "memory.oom_control")
        counts = dict(line.split() for line in events)
        most = int(text(self.folders.memory / "memory.max_usage_in_bytes") or 0)  # version 1 does not count "oom"
        reached = counts.get("oom", "0") != "0" or most > self.memory_mb * MB
        return reached and counts.get("oom_kill", "0") != "0"

    def lacked_processes(self) -> bool:
        """Whether the kernel has refused it another process or thread because of its limit on them."""
        events = text(self.folders.pids / "pids.events") if self.folders.pids else ""
        return events not in ("", "max 0\n")

    def remove(self) -> bool:
        """Remove it if its processes are gone; return whether that is done."""
        gone = [_is_removed(folder) for folder in self.folders.all()]
        return all(gone)


class Groups:
    """The groups of all programs of a launcher."""

    def __init__(self, places: Places) -> None:
        """Make a group in each place, and first remove those of launchers that were killed. Raises OSError."""
        self._locks: list[int] = []
        self._left: list[Group] = []
        self._numbers = itertools.count(1)
        self._own = passed_on(_each(passed_on(places), self._make))

    def _make(self, place: Path) -> Path:
        for other in place.glob(f"{PREFIX}*"):
            _remove_if_abandoned(other)
        while True:
            own = place / f"{PREFIX}{secrets.token_hex(4)}"
            own.mkdir()
            with suppress(BlockingIOError, FileNotFoundError):  # another launcher is removing it as abandoned
                held = lock(own)
                if own.exists():
                    self._locks.append(held)
                    return own
                os.close(held)  # that was quicker

    def new(self, memory_mb: int, processes: int, sandbox_mb: int = SANDBOX_MB) -> Group:
        """Make the group of a program with these limits; 0 means unlimited. Raises OSError.

        Its sandbox is in the group too, and has `sandbox_mb` in addition.
        """
        name = str(next(self._numbers))
        folders = _each(self._own, lambda own: own / name)
        for folder in folders.all():
            folder.mkdir()
        if folders.memory and memory_mb:
            _limit_memory(folders.memory, (memory_mb + sandbox_mb) * MB)
        if folders.pids and processes:
            write(folders.pids / "pids.max", str(processes))
        return Group(folders, memory_mb)

    def release(self, group: Group) -> bool:
        """Kill what is left in a group and remove it; return whether no released group is left."""
        group.kill()
        self._left.append(group)
        return self.sweep()

    def sweep(self) -> bool:
        """Remove released groups that are empty; return whether none is left."""
        self._left = [group for group in self._left if not group.remove()]
        return not self._left

    def close(self) -> None:
        """Remove the launcher's own groups."""
        self.sweep()
        for own in self._own.all():
            _is_removed(own)
        for handle in self._locks:
            os.close(handle)


def _each(places: Places, function: Callable[[Path], Path]) -> Places:
    """Return the results of a function, called once for each different place."""
    results = {place: function(place) for place in places.all()}
    return Places(*(results[place] if place else None for place in (places.freezer, *places.limited())))


def _limit_memory(group: Path, size: int) -> None:
    """Limit the memory of a group to `size` bytes, swap included. Raises OSError."""
    if (group / "memory.max").exists():
        write(group / "memory.max", str(size))
        write(group / "memory.oom.group", "1")
        with suppress(FileNotFoundError):  # a kernel without swap
            write(group / "memory.swap.max", "0")
        return
    write(group / "memory.limit_in_bytes", str(size))
    with suppress(FileNotFoundError):
        write(group / "memory.memsw.limit_in_bytes", str(size))


def _remove_if_abandoned(group: Path) -> None:
    """Remove the group of a launcher that was killed, unless a process in it is still ending."""
    try:
        handle = lock(group)
    except OSError:
        return
    for inside in (path for path in group.iterdir() if path.is_dir()):
        with suppress(OSError):
            write(inside / KILL, "1")
        _is_removed(inside)
    _is_removed(group)
    os.close(handle)


def freeze(group: Path, *, is_frozen: bool) -> None:
    """Freeze or thaw all processes of a group of version 2; do nothing if it is gone."""
    with suppress(OSError):
        write(group / FREEZE, "1" if is_frozen else "0")


def cpu_us(group: Path) -> int:
    """Return the CPU time of a group of version 2, in microseconds; 0 if it is gone."""
    return int(next(iter(text(group / "cpu.stat").split()[1:]), 0))  # the first line is usage_usec


def members(group: Path) -> list[int]:
    """Return the pids of the processes in a group of version 2 and in those inside it; none if it is gone."""
    return [int(pid) for listed in group.rglob(PROCS) for pid in text(listed).split()]


def _is_removed(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:  # it has processes
        return False
    return True
