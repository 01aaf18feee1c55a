"""The memory that processes use, and evidence that one ran out of it."""

import ctypes
import gc
import mmap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from ballcourt.arena.sandbox.cgroups import PROCS, own_groups

SHORT: Final = "the machine is short of memory"
"""What a reason says if the machine's memory is the cause, or may be."""
PAGE_BYTES = mmap.PAGESIZE
KB, MB = 1 << 10, 1 << 20
LAST_WORDS = 2000
"""How many characters at the end of a process's output are searched for the words of a runtime out of memory."""
WORDS = (
    "MemoryError",  # Python
    "std::bad_alloc",  # C++
    "heap out of memory",  # node
    "runtime: out of memory",  # go
    "java.lang.OutOfMemoryError",
    "memory allocation of",  # Rust
    "Cannot allocate memory",  # ENOMEM in words
    "cannot map zero-fill pages",  # the dynamic linker
)
M_ARENA_MAX = -8
GC_THRESHOLDS = (10_000, 20, 20)
"""When Python looks for garbage (`gc.set_threshold`) in a process that plays many matches; by default 700, 10, 10."""
GROUP_FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))
"""The files of a control group with its limit and its usage, in versions 2 and 1 of control groups."""


def set_up_memory() -> None:
    """Set up the memory of a process that plays many matches. Call it before there are threads."""
    _share_one_heap()
    gc.set_threshold(*GC_THRESHOLDS)  # each search reads the objects of all matches


def _share_one_heap() -> None:
    """Make all threads of this process allocate from one heap.

    glibc gives each thread a heap, which keeps freed memory for that thread. With gRPC's dozen threads that adds up to
    megabytes, and grows with every large message.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # other C libraries have one heap
        libc.mallopt(M_ARENA_MAX, 1)


def oom_kills() -> int:
    """Return how many processes the kernel has killed for lack of memory since it booted; 0 if unknown."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def spare_share() -> float:
    """Return the share of memory, from 0 to 1, that the machine and our control groups have to spare."""
    machine = _numbers(Path("/proc/meminfo"))
    total = machine.get("MemTotal:", 1)
    return min(machine.get("MemAvailable:", total) / total, *map(group_share, control_groups("memory")), 1.0)


def spare_mb() -> int:
    """Return the memory that the machine and our control groups have to spare, in MB; a terabyte if unknown."""
    machine = _numbers(Path("/proc/meminfo")).get("MemAvailable:", 1 << 30) * KB
    groups = (limit - used for folder in control_groups("memory") for limit, used in _group_memory(folder))
    return max(0, min([machine, *groups])) // MB


def group_share(folder: Path) -> float:
    """Return the share of its memory that a control group has to spare; 1 without a limit."""
    return next((min(1.0, max(0.0, 1 - used / max(1, limit))) for limit, used in _group_memory(folder)), 1.0)


def _group_memory(folder: Path) -> Iterator[tuple[int, int]]:
    """Yield the limit of a control group and its usage, in bytes; nothing without a limit."""
    for limit_file, usage_file in GROUP_FILES:
        try:
            limit, used = int((folder / limit_file).read_text()), int((folder / usage_file).read_text())
        except (OSError, ValueError):  # of the other version, or no limit: "max"
            continue
        yield limit, used - _numbers(folder / "memory.stat").get("inactive_file", 0)  # the kernel can take that back


@cache
def control_groups(controller: str) -> list[Path]:
    """List the folders of the control groups whose limits by a controller, such as "memory", bind us."""
    own = [group for name, group in own_groups() if name in ("", controller)]
    return [folder for group in own for folder in (group, *group.parents) if (folder / PROCS).exists()]


def _numbers(path: Path) -> dict[str, int]:
    """Read the lines `name number ...` of a file of the kernel; none if there is no such file."""
    try:
        lines = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    return {line[0]: int(line[1]) for line in lines if len(line) > 1 and line[1].isdecimal()}


def last_words(tail: str) -> str:
    """Return the words of a runtime out of memory at the end of a process's output; empty if there are none."""
    return next((words for words in WORDS if words in tail[-LAST_WORDS:]), "")


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0  # it has just ended


def proportional(pid: int) -> int:
    """Return the memory of a process in bytes, a page shared by n processes counted as 1/n if the kernel says so.

    The process can make this last.
    """
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * KB
    except (OSError, StopIteration):
        return resident(pid)
