"""Starts and ends the bot processes of one worker: `python -m arena.launcher`, one JSON object a line.

It is a process of its own because spawning from one that runs gRPC's threads can hang, so nothing here imports gRPC.
It is single-threaded because the kernel ties a bot's death signal to the thread that spawned it.

    worker   {"spawn": 7, "command": [...], "directory": "...", "environment": {...}}      {"kill": 7}
    launcher {"folder": "..."} once, then {"failed": 7, "reason": "..."} or {"exited": 7, "code": 0, "tail": "..."}

When its standard input ends, whatever the reason, it ends every process and removes the folder.
"""

import contextlib
import ctypes
import heapq
import itertools
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TOKEN = "BALLCOURT_TOKEN"
INHERITED = ("PATH", "HOME", "LANG")
TAIL_BYTES = 16 * 1024
READ_BYTES = 64 * 1024
LAST_READS = 16  # at its end; what it left behind may go on writing
PAUSE_S = 0.01  # after a full read, so that a bot that floods its output costs itself and not the machine
GRACE_S = 0.5  # between SIGTERM and SIGKILL
LONGEST_PATH = 80  # a socket's path has room for about 100 bytes

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class Child:
    """A bot process and the end of what it wrote."""

    def __init__(self, number: int, token: str, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None, "its output is a pipe"
        self.number = number
        self.token = token
        self.process = process
        self.output = process.stdout.fileno()
        self.tail = bytearray()
        os.set_blocking(self.output, False)

    def drain(self) -> int:
        """Read what it wrote, as much as one read takes; return the number of bytes, 0 at the end or for nothing."""
        try:
            data = os.read(self.output, READ_BYTES)
        except OSError:
            return 0
        self.tail += data
        del self.tail[:-TAIL_BYTES]
        return len(data)

    def signal_group(self, number: int) -> None:
        """Signal it and what it started in its own process group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class Launcher:
    """The loop: requests, output, deaths and timers."""

    def __init__(self) -> None:
        self.folder = private_folder()
        self.children: dict[int, Child] = {}  # by pid
        self.serving = True
        self._requests = b""
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._libc = load_libc()

    def serve(self) -> None:
        """Work until the worker is gone, then leave nothing behind."""
        self._libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._watch_signals()
        os.set_blocking(sys.stdin.fileno(), False)
        self._selector.register(sys.stdin, selectors.EVENT_READ, self._read_requests)
        self._reply(folder=self.folder)
        try:
            while self.serving:
                self._step()
            self._end_all()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _step(self) -> None:
        """Handle whatever happens next."""
        due_in = max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None
        for key, _ in self._selector.select(due_in):
            key.data()
        while self._timers and self._timers[0][0] <= time.monotonic():
            heapq.heappop(self._timers)[2]()

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._order), action))

    def _watch_signals(self) -> None:
        """Wake the loop when a child ends."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

        def reap() -> None:
            os.read(reader, READ_BYTES)
            self._reap()

        self._selector.register(reader, selectors.EVENT_READ, reap)

    def _read_requests(self) -> None:
        data = os.read(sys.stdin.fileno(), READ_BYTES)
        if not data:
            self._selector.unregister(sys.stdin)
            self.serving = False
        *lines, self._requests = (self._requests + data).split(b"\n")
        for line in lines:
            request = json.loads(line)
            if "spawn" in request:
                self._spawn(request)
            else:
                self._kill(request["kill"])

    def _reply(self, **reply: Any) -> None:  # noqa: ANN401
        try:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # the worker is gone; the end of our input will say so too
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _spawn(self, request: dict[str, Any]) -> None:
        number, command, directory = request["spawn"], request["command"], request["directory"]
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        try:
            process = subprocess.Popen(
                command,
                cwd=directory,
                env=inherited | request["environment"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                preexec_fn=self._prepare,  # safe: this process has one thread
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._reply(failed=number, reason=f"could not start '{' '.join(command)}' in {directory}: {error}")
            return
        child = Child(number, request["environment"].get(TOKEN, ""), process)
        self.children[process.pid] = child
        self._selector.register(child.output, selectors.EVENT_READ, lambda: self._drain(child))

    def _prepare(self) -> None:
        """Run in the new process: die with the launcher, leave no core files."""
        self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def _drain(self, child: Child) -> None:
        if child.process.pid not in self.children:  # its end was reported in this same step
            return
        read = child.drain()
        if 0 < read < READ_BYTES:
            return
        self._selector.unregister(child.output)
        if read:
            self._later(PAUSE_S, lambda: self._resume(child))

    def _resume(self, child: Child) -> None:
        if child.process.pid in self.children:
            self._selector.register(child.output, selectors.EVENT_READ, lambda: self._drain(child))

    def _kill(self, number: int) -> None:
        child = next((child for child in self.children.values() if child.number == number), None)
        if child:
            child.signal_group(signal.SIGTERM)
            self._later(GRACE_S, lambda: self._kill_hard(child))

    def _kill_hard(self, child: Child) -> None:
        if child.process.pid in self.children:
            child.signal_group(signal.SIGKILL)

    def _reap(self) -> None:
        """Report the bots that ended, and end what they left."""
        for pid, status in ended_children():
            child = self.children.pop(pid, None)
            if child:
                child.signal_group(signal.SIGKILL)
                self._report(child, os.waitstatus_to_exitcode(status))
        self._end_orphans()

    def _report(self, child: Child, code: int) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(child.output)
        for _ in range(LAST_READS):
            if child.drain() < READ_BYTES:
                break
        child.process.returncode = code
        child.process.stdout.close()  # type: ignore[union-attr]
        self._reply(exited=child.number, code=code, tail=child.tail.decode(errors="replace"))

    def _end_orphans(self) -> None:
        """Kill the processes that fell to us because their parents ended, unless they belong to a living bot."""
        living = {child.token for child in self.children.values()}
        for pid in own_children():
            if pid not in self.children and token_of(pid) not in living:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _end_all(self) -> None:
        """End every process below us; orphans come to light as their parents end."""
        for child in list(self.children.values()):
            self._kill(child.number)
        self._end_orphans()
        while own_children():
            self._step()


def private_folder() -> str:
    """Make a folder that only this user can enter, with a path short enough for a socket in it."""
    folder = tempfile.mkdtemp(prefix="ballcourt-")
    if len(folder) > LONGEST_PATH:
        Path(folder).rmdir()
        folder = tempfile.mkdtemp(prefix="ballcourt-", dir="/tmp")
    return folder


def load_libc() -> Any:  # noqa: ANN401
    """The C library, or where it knows no prctl something that ignores it: then orphans are the system's business."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        return libc
    return type("NoPrctl", (), {"prctl": staticmethod(lambda *_: 0)})


def ended_children() -> Iterator[tuple[int, int]]:
    """Reap: the pid and wait status of every child that has ended."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield pid, status


def own_children() -> list[int]:
    """List the pids of our children, those we inherited included."""
    try:
        tasks = list(Path("/proc/self/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def token_of(pid: int) -> str:
    """Read which bot a process belongs to from its environment; empty when that cannot be told."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    prefix = f"{TOKEN}=".encode()
    return next((entry[len(prefix) :].decode() for entry in environment if entry.startswith(prefix)), "")


if __name__ == "__main__":
    Launcher().serve()
