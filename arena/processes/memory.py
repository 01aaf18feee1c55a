"""How much memory processes use, and by what evidence one that ended is known to have run out of it."""

import ctypes
import resource
from collections.abc import Iterable
from pathlib import Path

PAGE_BYTES = resource.getpagesize()
KB, MB = 1 << 10, 1 << 20
LAST_WORDS = 2000
"""So much of what a process wrote last is searched for the words of a runtime that found no memory."""
WORDS = (
    "MemoryError",  # Python
    "std::bad_alloc",  # C++
    "heap out of memory",  # node
    "runtime: out of memory",  # go
    "java.lang.OutOfMemoryError",
    "memory allocation of",  # Rust
    "Cannot allocate memory",  # ENOMEM in words
)
M_ARENA_MAX = -8


def share_one_heap() -> None:
    """Let all threads of this process allocate from one heap. Call it before there are any.

    glibc gives each a heap of its own, where memory that one has freed waits for the same thread to need it again. In
    a process with gRPC's dozen threads that adds up to megabytes, and they become more with every large message.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # other C libraries have one heap anyway
        libc.mallopt(M_ARENA_MAX, 1)


def used_mb(pids: Iterable[int], limit_mb: int) -> int:
    """Add up the memory of processes, in MB; where it seems to exceed the limit, shared pages are counted once."""
    family = list(pids)
    roughly = sum(resident(pid) for pid in family)
    return (roughly if roughly <= limit_mb * MB else sum(_proportional(pid) for pid in family)) // MB


def oom_kills() -> int:
    """How many processes the kernel has killed for want of memory since it was booted; 0 where it does not tell."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def last_words(tail: str) -> str:
    """Find the words of a runtime that found no memory in what a process wrote last; empty when there are none."""
    return next((words for words in WORDS if words in tail[-LAST_WORDS:]), "")


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0  # it ended meanwhile


def _proportional(pid: int) -> int:
    """Count a page that n processes share as 1/n; a process that hides that counts with all its pages."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * KB
    except (OSError, StopIteration):
        return resident(pid)
