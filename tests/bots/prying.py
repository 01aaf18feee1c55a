"""Tries to reach everything that a bot must not reach, with only the standard library, and prints what it reached.

`python prying.py` looks everywhere; `python prying.py FOLDER` only reads, and looks for files in the folder alone, so
that it can be run outside of a sandbox. Names of the files it looks for start with TREASURE.
"""

import ctypes
import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

TREASURE = "ballcourt-treasure"
TEDIOUS = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/proc", "/sys"}
MINE = ("/tmp", "/dev/shm")
CLONE_NEWUSER = 0x10000000
IO_URING_SETUP = 425
REFUSALS = (errno.EPERM, errno.ENOSYS)

libc = ctypes.CDLL(None, use_errno=True)


def reached(root: str = "/") -> set[str]:
    """Try everything; return a sentence for each attempt that should have failed."""
    found = {*files(root), *processes(), *network()}
    return found if root != "/" else found.union(system_files(), writing(), privileges(), calls())


def files(root: str) -> Iterator[str]:
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if str(Path(folder, name)) not in TEDIOUS]
        for path in (Path(folder, name) for name in names if name.startswith(TREASURE)):
            if works(path.read_bytes):
                yield f"read {path}"


def system_files() -> Iterator[str]:
    for path, mode in (
        ("/etc/shadow", os.O_RDONLY),
        ("/dev/kmsg", os.O_RDONLY),
        ("/dev/mem", os.O_RDONLY),
        ("/proc/sys/kernel/core_pattern", os.O_WRONLY),
        ("/proc/sysrq-trigger", os.O_WRONLY),
    ):
        if works(lambda path=path, mode=mode: os.close(os.open(path, mode))):  # type: ignore[misc]
            yield f"opened {path}"


def writing() -> Iterator[str]:
    own = (Path(__file__).parent, Path.cwd(), Path(os.environ["BALLCOURT_SOCKET"]).parent)
    for folder in (*own, *map(Path, ("/", "/etc", "/usr", "/dev", "/var/tmp", sys.prefix))):
        path = folder / f"{TREASURE}-written"
        if not str(folder).startswith(MINE) and works(lambda path=path: path.write_text("x")):  # type: ignore[misc]
            path.unlink()
            yield f"wrote into {folder}"


def processes() -> Iterator[str]:
    own = f"BALLCOURT_TOKEN={os.environ['BALLCOURT_TOKEN']}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if b"BALLCOURT_TOKEN=" in environment and own not in environment:
            yield "read the token of another bot"
        if b"arena." in command:
            yield "saw the arena"
            if opens_memory(int(process.name)):
                yield "opened the memory of the arena"


def opens_memory(pid: int) -> bool:
    """Return whether we could read the memory of a process, as a debugger does; read nothing."""
    vector = (ctypes.c_size_t * 2)(0, 1)
    libc.process_vm_readv(pid, ctypes.byref(vector), 1, ctypes.byref(vector), 1, 0)
    return ctypes.get_errno() == errno.EFAULT


def calls() -> Iterator[str]:
    """Try system calls that must be refused, each with arguments that make it harmless."""
    if works(lambda: os.close(os.memfd_create(TREASURE))):
        yield "made a file in memory"
    if libc.shmget(0, 1 << 20, 0o600) >= 0:
        yield "made shared memory that belongs to no process"
    if libc.syscall(IO_URING_SETUP, 0, None) == -1 and ctypes.get_errno() not in REFUSALS:
        yield "got to io_uring"


def network() -> Iterator[str]:
    if any(name != "lo" for _, name in socket.if_nameindex()):
        yield "saw a network"
    for name in (f"\0{word[1:]}" for word in Path("/proc/net/unix").read_text().split() if f"@{TREASURE}" in word):
        with socket.socket(socket.AF_UNIX) as line:
            if works(lambda line=line, name=name: line.connect(name)):  # type: ignore[misc]
                yield "connected to another program"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        if works(lambda: line.connect(("192.0.2.1", 9))):
            yield "found a way out"


def privileges() -> Iterator[str]:
    if os.getuid() == 0 or works(lambda: os.setuid(0)):
        yield "was root"
    if works(lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))):
        yield "may choose its processors"
    if os.fork() == 0:
        os._exit(0 if libc.unshare(CLONE_NEWUSER) == 0 else 1)
    if os.wait()[1] == 0:
        yield "made a user namespace"


def works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in sorted(reached(*sys.argv[1:]))))
