"""Counts the resources of a running arena: processes by part, file descriptors, memory, sockets, mounts."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.processes.memory import resident
from tests.arena.conftest import Traces

MB = 1 << 20
PARTS = {
    "keeper": "-m ballcourt.arena.workers.keeper",
    "worker": "-m ballcourt.arena.workers.worker",
    "launcher": "-m ballcourt.arena.processes.launcher",
}
BOT = "bots"
"""All other processes that the arena has started, including those of sandboxes."""
RUNNER = "runner"


@dataclass(frozen=True)
class Holding:
    """The resources of all processes of one part together."""

    processes: int
    descriptors: int
    memory_mb: float


@dataclass(frozen=True)
class Census:
    """The resources of all parts at one moment."""

    parts: dict[str, Holding]
    sockets: int
    """Sockets in the folders of the workers."""
    mounts: int
    """Mounts that this process sees; those of a sandbox are in its own namespace."""

    def line(self) -> str:
        """Return a line of the table under `header`."""
        cells = [f"{each.processes:>3} {each.descriptors:>4} {each.memory_mb:>6.1f}" for each in self.parts.values()]
        return " |".join([*cells, f"{self.sockets:>7} {self.mounts:>6}"])


def header() -> str:
    """Return the header of the table: processes, file descriptors and memory of each part."""
    titles = [f"{title:<15}" for title in (RUNNER, *PARTS, BOT)]
    units = ["  n  fds     MB"] * len(titles)
    return "\n".join([" |".join([*titles, ""]), " |".join([*units, "sockets mounts"])])


def count(traces: Traces) -> Census:
    """Count the resources of this process and of those it has started under the folder of these traces."""
    found: dict[str, list[int]] = {part: [] for part in (RUNNER, *PARTS, BOT)}
    found[RUNNER].append(os.getpid())
    for pid, command in traces.processes().items():
        found[_part(command)].append(pid)
    sockets = sum(path.is_socket() for path in _inside(traces.folder))
    mounts = len(Path("/proc/self/mountinfo").read_text().splitlines())
    return Census({part: _holding(pids) for part, pids in found.items()}, sockets, mounts)


def _part(command: str) -> str:
    return next((part for part, words in PARTS.items() if words in command), BOT)


def _holding(pids: Iterable[int]) -> Holding:
    members = list(pids)
    return Holding(len(members), sum(map(_descriptors, members)), sum(map(resident, members)) / MB)


def _descriptors(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0  # the process has ended


def _inside(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, at any depth; some may have been removed since."""
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names)
