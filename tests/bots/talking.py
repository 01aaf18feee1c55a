"""Bots that look for a way to talk to other bots, or to later processes of their own: `python talking.py WAY`.

They say what they found and exit with code 4; if they found nothing, they play honestly.
"""

import ctypes
import errno
import fcntl
import hashlib
import mmap
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from honest import Lowest  # type: ignore[import-not-found]
from prying import works  # type: ignore[import-not-found]

from ballcourt import run

SHARED = (Path("/bin/sh"), Path(sys.executable), Path(__file__))
"""Files that other bots or processes can read too."""
GUESSES = 500
RWF_NOWAIT = 8
CACHESTAT = 451

libc = ctypes.CDLL(None, use_errno=True)


def locks() -> Iterator[str]:
    """Yield the locks that another process would notice."""
    for path in SHARED:
        with path.open("rb") as file:
            if works(lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)):
                yield f"flock on {path}"
            if works(lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)):
                yield f"lockf on {path}"
            asked = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
            if works(lambda: fcntl.fcntl(file, fcntl.F_OFD_SETLK, asked)):  # noqa: B023
                yield f"lock of an open file on {path}"


def leases() -> Iterator[str]:
    """Yield the leases that were taken: a process that opens such a file waits for us."""
    for path in SHARED:
        with path.open("rb") as file:
            if works(lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)):
                yield f"lease on {path}"


def notices() -> Iterator[str]:
    """Yield the files and folders whose opening would be reported to us."""
    watcher = libc.inotify_init()
    for path in SHARED:
        if watcher >= 0 and libc.inotify_add_watch(watcher, bytes(path), 0x20) >= 0:
            yield f"notices about {path}"
        folder = os.open(path.parent, os.O_RDONLY)
        if works(lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)):  # noqa: B023
            yield f"notices about the folder of {path}"


def cached() -> Iterator[str]:
    """Yield the ways to ask or decide what the kernel has cached of a file."""
    for path in SHARED:
        with path.open("rb") as file:
            if works(lambda: os.preadv(file.fileno(), [bytearray(1)], 0, RWF_NOWAIT)):
                yield f"what is cached of {path}"
            span = (ctypes.c_ulong * 2)(0, 4096)
            libc.syscall(CACHESTAT, file.fileno(), span, (ctypes.c_ulong * 5)(), 0)
            if ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
                yield f"statistics of what is cached of {path}"
            if works(lambda: os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)):
                yield f"a way to drop what is cached of {path}"
            if resident(file.fileno()):
                yield f"which pages are cached of {path}"


def resident(handle: int) -> bool:
    with mmap.mmap(handle, mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as pages:
        start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        return bool(libc.mincore(ctypes.c_void_p(start), ctypes.c_size_t(mmap.PAGESIZE), (ctypes.c_char * 1)()) == 0)


class Guesser(Lowest):  # type: ignore[misc]
    """Tries which seed of a tournament gives it its `bot_seed`, as anybody can who has read the arena's code."""

    def match_started(self) -> None:
        match = self.match
        deals = [*(f"match b{block:06}-r{turn}" for block in (0, 1) for turn in (0, 1)), "block 0", "block 1"]
        for seed in range(GUESSES):
            if match.bot_seed in {bot_seed(first_draw(seed, name), match.seat) for name in deals}:
                leave([f"the seed {seed}"])


def first_draw(seed: int, name: str) -> int:
    """Return the first number of a stream, as `ballcourt.engine.core.chance` draws it."""
    z = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "little")).digest(), "little")
    z = (z + 0x9E3779B97F4A7C15) % (1 << 64)
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % (1 << 64)
    return z ^ (z >> 31)


def bot_seed(deal: int, seat: int) -> int:
    secret = deal.to_bytes(8, "little")
    return int.from_bytes(
        hashlib.blake2b(b"seat %d" % seat, digest_size=8, key=secret, person=b"bot seed").digest(), "little"
    )


def leave(found: list[str]) -> None:
    sys.stderr.write("".join(f"found {line}\n" for line in found))
    sys.stderr.flush()
    os._exit(4)


WAYS = {"talks by locks": locks, "talks by leases": leases, "talks by notices": notices, "asks what is cached": cached}

if __name__ == "__main__":
    if sys.argv[1] in WAYS and (found := [*WAYS[sys.argv[1]]()]):
        leave(found)
    run(Guesser if sys.argv[1] == "guesses the seed" else Lowest)
