"""How many workers the limits of this machine carry: open files, processes and threads, memory, address space.

Beyond them bots would fail to start for no fault of their own, in the middle of a tournament.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ballcourt.arena.files import raise_file_limit
from ballcourt.arena.processes.memory import control_groups, spare_mb
from ballcourt.engine.core import WrongInput

WORKER_FILES: Final = 128
"""Files that a worker opens: two for each idle bot that it keeps, and those of gRPC. Measured: 82."""
RUNNER_FILES: Final = 32
"""Files that a runner opens besides one for each worker."""
WORKER_TASKS, BOT_TASKS = 13, 8
"""Processes and threads of a worker with keeper and launcher, and of a bot in Python; most of them are gRPC's."""
WORKER_MB, BOT_MB = 60, 30
"""Memory of these, without what processes of one program share."""
LEAST_ADDRESS_MB: Final = 1024
"""Address space that a process needs. Measured: 710 for a bot in Python, 400 for a runner that computes a table; with
less, libraries of either end the process or never return."""


class CapacityError(WrongInput):
    """A limit of this machine does not carry the workers that were asked for; the sentence says which."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many workers a limit carries."""

    workers: int
    limit: str
    """Such as "40 more processes and threads (ulimit -u)"."""


def require(workers: int, seats: int) -> None:
    """Raise CapacityError if this machine cannot carry these workers, each with a match of this number of seats."""
    found = tightest(seats)
    if workers <= found.workers:
        return
    advice = f"give at most {found.workers}, or raise the limit" if found.workers else "raise the limit"
    raise CapacityError(
        f"{workers} {'worker' if workers == 1 else 'workers'} with {seats} seats each do not fit into "
        f"{found.limit}: {advice}"
    )


def matches_for(workers: int, seats: int, wanted: int) -> int:
    """Return how many of the `wanted` matches at a time each of these workers carries on this machine; at least one."""
    return max(1, min(wanted, tightest(seats).workers // workers))


def require_files() -> None:
    """Raise the limit on open files as far as possible. Raises CapacityError if it is too low for serving bots."""
    _require(WORKER_FILES, raise_file_limit(), "open files here (ulimit -n)")


def require_address_space() -> None:
    """Raise CapacityError if the limit on address space is too low for the libraries that compute a table."""
    _require(LEAST_ADDRESS_MB, _address_mb(), "MB of address space here (ulimit -v)")


def _require(least: int, found: int, what: str) -> None:
    if found < least:
        raise CapacityError(f"a process may have {found} {what}, and this command needs {least}: raise the limit")


def tightest(seats: int) -> Capacity:
    """Return what the limit that is reached first carries, given the seats of a match."""
    return min(_capacities(seats), key=lambda capacity: capacity.workers)


def _capacities(seats: int) -> list[Capacity]:
    files, tasks, memory_mb = raise_file_limit(), _spare_tasks(), spare_mb()
    by_files = files - RUNNER_FILES if files >= WORKER_FILES else 0
    address_mb = _address_mb()
    return [
        Capacity(
            sys.maxsize if address_mb >= LEAST_ADDRESS_MB else 0,
            f"{address_mb} MB of address space of a process (ulimit -v), of which one needs {LEAST_ADDRESS_MB}",
        ),
        Capacity(by_files, f"{files} open files of a process (ulimit -n)"),
        Capacity(
            tasks // (WORKER_TASKS + seats * BOT_TASKS), f"{tasks} more processes and threads (ulimit -u, pids.max)"
        ),
        Capacity(memory_mb // (WORKER_MB + seats * BOT_MB), f"{memory_mb} MB of memory that are available"),
    ]


def _address_mb() -> int:
    """Return how much address space a process may have."""
    import resource  # Windows lacks it

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit >> 20


def _spare_tasks() -> int:
    """Return how many processes and threads this user may start, beyond those that run."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    spare = [left for folder in control_groups("pids") if (left := _spare_in_group(folder)) is not None]
    if limit != resource.RLIM_INFINITY and os.geteuid() != 0:  # root may exceed it
        spare.append(limit - sum(_own_tasks()))
    return max(0, min(spare, default=1 << 22))  # more than the kernel allows altogether


def _spare_in_group(folder: Path) -> int | None:
    """Return how many processes and threads a control group has to spare; None without a limit."""
    try:
        return int((folder / "pids.max").read_text()) - int((folder / "pids.current").read_text())
    except (OSError, ValueError):
        return None


def _own_tasks() -> Iterator[int]:
    """Yield the number of threads of each process of this user."""
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                if process.stat().st_uid == os.getuid():
                    yield sum(1 for _ in (process / "task").iterdir())
            except OSError:  # it has just ended
                continue
