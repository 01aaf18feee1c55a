"""What a build uses while it runs, and the sentence about the first limit that it exceeds.

The kernel keeps a build below some limits (memory, processes, the size of a file). Here all of them are looked at, so
that a build which goes on at a limit ends, and its author learns why.
"""

import asyncio
import os
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from ballcourt.arena.fetching.proxy import Traffic
from ballcourt.arena.processes.cache import BLOCK_BYTES
from ballcourt.arena.processes.memory import LAST_WORDS, MB
from ballcourt.arena.processes.starter import Exit
from ballcourt.arena.processes.tree import generations
from ballcourt.arena.sandbox.tiers import BuildLimits

LOOK_S: Final = 0.2
SHARE: Final = 30
"""After each measuring of what is on the disk, the next waits this many times as long as that took."""
RESERVE: Final = 1 << 30
"""How many bytes of the file system no build may take, or half of what was free at its beginning if that is less."""
LEAST_BYTES: Final = 4096
"""What the smallest file counts: an entry and an inode are not free either."""
MOST_LOOKED_AT: Final = 4096
"""How many processes are looked at for removed files, if no limit says how many there can be."""
MORE: Final = "or ask the organiser for more: sandbox.build."
WORDS: Final = (
    "can't start new thread",  # Python
    "Resource temporarily unavailable",  # EAGAIN in words
    "failed to create new OS thread",  # Go
    "unable to create native thread",  # Java
    "EAGAIN",  # node
)
"""The words of a program that may start no more processes or threads."""


class Watch:
    """One build, from now on."""

    def __init__(self, limits: BuildLimits, folders: Sequence[Path], links: Path | None = None) -> None:
        """`folders` are those that it may write to; what is in `links` from the beginning does not count."""
        self._limits = limits
        self._folders = folders
        self._kept = frozenset(file.lstat().st_ino for file in links.rglob("*")) if links else frozenset()
        self._began = time.monotonic()
        self._floor = min(RESERVE, _free(folders[0]) // 2)
        self._measure_at = 0.0

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self._began

    @property
    def too_many(self) -> str:
        """The sentence about too many processes."""
        most = self._limits.processes
        return (
            f"had {most} processes and threads at the same time, with those of its sandbox; "
            f"let it run fewer, {MORE}processes"
        )

    async def excess(self, exited: asyncio.Future[Exit], launcher: int, traffic: Traffic, most: int) -> str:
        """Wait for the end of a build; as soon as it exceeds a limit, return which. Return an empty string if it ends.

        `launcher` is the pid of the launcher that runs nothing else, `most` how many processes and threads the build
        may be on this machine; 0 means unlimited.
        """
        while not exited.done():
            await asyncio.wait([exited], timeout=LOOK_S)
            if sentence := await asyncio.to_thread(self._look, launcher, traffic, most):
                return sentence
        return ""

    def disk_excess(self, pids: Iterable[int] = ()) -> str:
        """Return that it takes too much on the disk, with what these processes have removed and still hold open."""
        most = self._limits.disk_mb * MB
        if most and _exceeds(most, (*(_taken(folder, self._kept) for folder in self._folders), _held(pids))):
            return f"took more than {self._limits.disk_mb} MB on the disk; let it leave less, {MORE}disk_mb"
        return ""

    def reasons(self, end: Exit) -> Iterator[str]:
        """Yield which limits of the kernel a build that failed seems to have met."""
        for shown in end.limits.values():
            yield f"{shown}; let it need less, {MORE}memory_mb"
        words = next((words for words in WORDS if words in end.tail[-LAST_WORDS:]), "")
        if words and (most := self._limits.processes):
            allowed = f"at most {most} processes and threads are allowed, with those of its sandbox"
            yield f"it ended with the words '{words}'; {allowed}; let it run fewer, {MORE}processes"

    def _look(self, launcher: int, traffic: Traffic, most: int) -> str:
        return next(filter(None, self._findings(launcher, traffic, most)), "")

    def _findings(self, launcher: int, traffic: Traffic, most: int) -> Iterator[str]:
        limits = self._limits
        if self.seconds > limits.time_s:
            yield f"took longer than {limits.time_s} s; make it quicker, {MORE}time_s"
        if 0 < limits.fetch_mb * MB < traffic.bytes.total():
            yield f"exchanged more than {limits.fetch_mb} MB with other machines; let it fetch less, {MORE}fetch_mb"
        members = [*islice(_members(launcher), 1, (most or MOST_LOOKED_AT) + 1)]
        if most and _tasks(members, most) >= most:
            yield self.too_many
        yield self._disk(members)

    def _disk(self, members: Sequence[int]) -> str:
        if self._limits.disk_mb and (left := _free(self._folders[0])) < self._floor:
            return (
                f"was ended because only {left // MB} MB were left on the file system of the cache; "
                "free some, or name another folder in BALLCOURT_CACHE"
            )
        began = time.monotonic()
        if began < self._measure_at:
            return ""
        sentence = self.disk_excess(members)
        now = time.monotonic()
        self._measure_at = now + SHARE * (now - began)
        return sentence


def _members(launcher: int) -> Iterator[int]:
    """Yield the pids of a launcher and of all its descendants."""
    return (pid for generation in generations(launcher) for pid in generation)


def _tasks(pids: Iterable[int], most: int) -> int:
    """Count the threads of processes, up to about `most`."""
    count = 0
    for pid in pids:
        try:
            count += len(os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208  # quicker, and there may be thousands
        except OSError:  # it has ended
            continue
        if count >= most:
            break
    return count


def _exceeds(most: int, sources: Iterable[Iterator[int]]) -> bool:
    """Whether the numbers of all sources together are more than `most`; read no more of them than that takes."""
    total = 0
    for source in sources:
        for number in source:
            total += number
            if total > most:
                return True
    return False


def _taken(folder: Path, kept: Set[int]) -> Iterator[int]:
    """Yield what each entry below a folder takes on the disk, in bytes; what cannot be looked at takes nothing.

    Folders, and links to files, with the inodes `kept` take nothing either.
    """
    waiting, linked = [str(folder)], {*kept}
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found = entry.stat(follow_symlinks=False)
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if is_folder:
                        waiting.append(entry.path)
                    if is_folder or found.st_nlink > 1:
                        if found.st_ino in linked:
                            continue
                        linked.add(found.st_ino)
                    yield max(LEAST_BYTES, found.st_blocks * BLOCK_BYTES)
        except OSError:  # it was removed meanwhile, or may not be read before the build has ended
            continue


def _held(pids: Iterable[int]) -> Iterator[int]:
    """Yield the size of each removed file that these processes have open, in bytes on the disk.

    Files in memory, as that of gVisor, look removed, and are on no disk.
    """
    seen, in_memory = set(), _device_of_memory()
    for pid in pids:
        try:
            handles = [f"/proc/{pid}/fd/{handle}" for handle in os.listdir(f"/proc/{pid}/fd")]  # noqa: PTH208
        except OSError:
            continue
        for handle in handles:
            try:
                found = os.stat(handle)  # noqa: PTH116
            except OSError:
                continue
            key = found.st_dev, found.st_ino
            if not found.st_nlink and found.st_dev != in_memory and key not in seen:
                seen.add(key)
                yield found.st_blocks * BLOCK_BYTES


@cache
def _device_of_memory() -> int:
    """Return the device of files that are in memory alone."""
    with os.fdopen(os.memfd_create("none")) as file:
        return os.fstat(file.fileno()).st_dev


def _free(folder: Path) -> int:
    """Return how many bytes are free on the file system of a folder."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
