"""What the kernel knows about processes: parents and children, the bot they belong to, which have ended."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_GET_CHILD_SUBREAPER = 37
SA_NOCLDSTOP = 1

TOKEN = "BALLCOURT_TOKEN"
BELOW_A_KEEPER = (b"ballcourt.arena.workers.worker", b"ballcourt.arena.processes.launcher")
DYING_S = 2.0
MOST_ENVIRONMENT = 1 << 22
"""How many bytes of an environment are read."""


def load_libc() -> Any:  # noqa: ANN401
    """Return the C library, or a stub without prctl; orphans then go to init."""
    if sys.platform == "linux":
        return ctypes.CDLL(None)
    return type("NoPrctl", (), {"prctl": staticmethod(lambda *_: 0)})


_LIBC = load_libc()  # loaded here, since that is not safe between fork and exec


def end_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent has ended, if this is Linux.

    It may be called between fork and exec. The parent is the thread that started the process.
    """
    _LIBC.prctl(PR_SET_PDEATHSIG, number)


def end_on_interrupts() -> None:
    """End this process at once on SIGINT, as on SIGTERM.

    Python would unwind it instead: a worker would close the streams of its bots, for which they would lose their seats.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class _SignalAction(ctypes.Structure):
    """The struct of sigaction(2) in the C libraries of 64-bit Linux."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def mind_only_ends() -> None:
    """Set SA_NOCLDSTOP: SIGCHLD only when a child exits, not when it stops."""
    libc, action = ctypes.CDLL(None), _SignalAction()
    if libc.sigaction(signal.SIGCHLD, None, ctypes.byref(action)) == 0:
        action.flags |= SA_NOCLDSTOP
        libc.sigaction(signal.SIGCHLD, ctypes.byref(action), None)


class Ended(NamedTuple):
    """A child that has ended and is reaped."""

    pid: int
    session: int
    """The id of its session: the pid of the process that began it."""
    status: int
    """As wait(2) returns it."""
    cpu_us: int
    """Its CPU time and that of the children it waited for, in microseconds."""


def ended_children() -> Iterator[Ended]:
    """Reap the children that have ended, adopted ones too; yield what is known of each."""
    while True:
        try:
            next_one = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if next_one is None:
            return
        session = session_of(next_one.si_pid)
        pid, status, used = os.wait4(next_one.si_pid, 0)
        yield Ended(pid, session, status, round((used.ru_utime + used.ru_stime) * 1e6))


def session_of(pid: int) -> int:
    """Return the session of a process, which may have ended but must not have been reaped; else 0."""
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return 0


def own_children() -> list[int]:
    """List the pids of our children, including adopted orphans."""
    return children_of(os.getpid())


@contextlib.contextmanager
def adopting() -> Iterator[None]:
    """Adopt the orphans among our descendants meanwhile, and end those that are bots; then be as before."""
    libc = load_libc()
    before = ctypes.c_int()
    libc.prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(before))
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        end_strays()
        libc.prctl(PR_SET_CHILD_SUBREAPER, before.value)


def end_strays() -> None:
    """Kill the processes of bots that we adopted, and reap them; the token in their environment identifies them.

    Wait for processes of the arena that are about to end, at most DYING_S: the bots that they leave come to us next.
    """
    give_up = time.monotonic() + DYING_S
    dying: set[int] = set()
    while True:
        children = own_children()
        for pid in children:
            if token_of(pid):
                _end(pid, signal.SIGKILL, 0)
        dying = {pid for pid in children if pid in dying or _is_dying(pid)}
        for pid in dying:
            _end(pid, 0, os.WNOHANG)
        if not dying or time.monotonic() > give_up:
            return
        time.sleep(0.01)


def end_processes(processes: "Sequence[subprocess.Popen[bytes]]", leave_s: float) -> None:
    """End processes of ours that are still running, stopped ones too: SIGTERM, then SIGKILL after `leave_s` seconds."""
    for process in processes:
        process.terminate()  # does nothing if it has ended
    for process in processes:
        try:
            process.wait(leave_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _is_dying(pid: int) -> bool:
    """Whether a child is one that only the end of its own parent made ours, or has given up all but its children."""
    with contextlib.suppress(OSError):
        if command := Path(f"/proc/{pid}/cmdline").read_bytes():
            return any(module in command for module in BELOW_A_KEEPER)
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None  # a thread of it still lives
    return False


def _end(pid: int, number: int, options: int) -> None:
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, number)
        os.waitpid(pid, options)


def children_of(pid: int) -> list[int]:
    """List the pids of a process's children; none if it has ended or the kernel does not say."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def state_of(task: Path) -> str:
    """Return the state of a thread by its folder in /proc, such as R or S (proc(5)); empty if it has ended."""
    try:
        return (task / "stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return ""


def generations(pid: int) -> Iterator[list[int]]:
    """Yield a list with the pid, then its children, then theirs, and so on."""
    generation = [pid]
    while generation:
        yield generation
        generation = [child for parent in generation for child in children_of(parent)]


def token_of(pid: int) -> str:
    """Return the bot's token from the environment of a process; empty if there is none.

    The process can make this last.
    """
    try:
        with Path(f"/proc/{pid}/environ").open("rb") as file:
            environment = file.read(MOST_ENVIRONMENT).split(b"\0")
    except OSError:
        return ""
    prefix = f"{TOKEN}=".encode()
    found = next((entry[len(prefix) :] for entry in environment if entry.startswith(prefix)), b"")
    return found.decode(errors="replace")  # a process may write anything over its environment
