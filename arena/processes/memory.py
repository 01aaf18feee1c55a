"""The memory that processes use, and evidence that one ran out of it."""

import ctypes
import resource
from collections.abc import Iterable
from pathlib import Path

PAGE_BYTES = resource.getpagesize()
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
)
M_ARENA_MAX = -8


def share_one_heap() -> None:
    """Let all threads of this process allocate from one heap. Call it before there are threads.

    glibc gives each thread a heap, which keeps freed memory for that thread. With gRPC's dozen threads that adds up to
    megabytes, and grows with every large message.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # other C libraries have one heap
        libc.mallopt(M_ARENA_MAX, 1)


def used_mb(pids: Iterable[int], limit_mb: int) -> int:
    """Return the memory of processes together, in MB; shared pages are counted once if it seems to exceed the limit."""
    family = list(pids)
    roughly = sum(resident(pid) for pid in family)
    return (roughly if roughly <= limit_mb * MB else sum(_proportional(pid) for pid in family)) // MB


def oom_kills() -> int:
    """Return how many processes the kernel has killed for lack of memory since it booted; 0 if unknown."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def last_words(tail: str) -> str:
    """Return the words of a runtime out of memory at the end of a process's output; empty if there are none."""
    return next((words for words in WORDS if words in tail[-LAST_WORDS:]), "")


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0  # it has just ended


def _proportional(pid: int) -> int:
    """Return the memory of a process in bytes, a page shared by n processes counted as 1/n if the kernel says so."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * KB
    except (OSError, StopIteration):
        return resident(pid)
