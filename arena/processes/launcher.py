"""Starts and ends the bot processes of one worker; reads and writes one JSON object per line.

It is a separate process because starting processes from one with gRPC's threads can hang; it must not import gRPC.
It is single-threaded because the kernel ties a bot's death signal to the thread that spawned it.

    worker   {"spawn": 7, ...} with the fields of `ballcourt.arena.sandbox.launch.Launch`      {"kill": 7}
    launcher {"folder": "..."} once, then {"failed": 7, "reason": "..."}, "ours": true if the sandbox or machine failed,
             or {"started": 7, "pid": 123} and in the end
             {"exited": 7, "code": 0, "tail": "...", "by_itself": true, "out_of_memory": "...", "cpu_us": 45678}

When its standard input ends, for whatever reason, it ends every process and removes the folder.
"""

import contextlib
import errno
import heapq
import itertools
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from ballcourt.arena.processes.child import READ_BYTES, Child, signal_each, start
from ballcourt.arena.processes.folder import private_folder
from ballcourt.arena.processes.tree import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    ended_children,
    load_libc,
    mind_only_ends,
    own_children,
    token_of,
)

INHERITED = ("PATH", "HOME", "LANG")
LAST_READS = 16  # when a bot ends; what it left behind may keep writing
PAUSE_S = 0.01  # after a full read, so that a bot that floods its output slows down only itself
GRACE_S = 0.5  # between SIGTERM and SIGKILL
WATCH_S = 0.2  # between two checks of a bot's memory

SHORTAGES = {
    errno.EAGAIN: "no more processes may be started (see ulimit -u, and pids.max in a container)",
    errno.ENOMEM: "there is no memory left for another process",
    errno.EMFILE: "the launcher may not open more files (see ulimit -n)",
    errno.ENFILE: "the whole machine may not open more files",
}


def shortage(error: Exception) -> str:
    """Return what the machine lacks for another process; empty if the error has another cause."""
    return SHORTAGES.get(error.errno or 0, "") if isinstance(error, OSError) else ""


class Launcher:
    """The loop: requests, output, deaths and timers."""

    def __init__(self, folder: str) -> None:
        """`folder` is the folder for the worker's sockets."""
        self.folder = folder
        self.children: dict[int, Child] = {}  # by pid
        self.serving = True
        self._requests = b""
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._libc = load_libc()

    def serve(self) -> None:
        """Serve the worker until it is gone, then end all processes."""
        self._libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        self._watch_signals()
        os.set_blocking(sys.stdin.fileno(), False)
        self._selector.register(sys.stdin, selectors.EVENT_READ, self._read_requests)
        self._reply(folder=self.folder)
        while self.serving:
            self._step()
        self._end_all()

    def _step(self) -> None:
        """Handle the next events."""
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
        mind_only_ends()

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
        except BrokenPipeError:  # the worker is gone, and our input will end too
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _spawn(self, request: dict[str, Any]) -> None:
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        try:
            child = start(request, inherited, self._prepare)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            command, directory, lacking = " ".join(request["command"]), request["directory"], shortage(error)
            reason = f"could not start '{command}' in {directory}: {lacking or error}"
            self._reply(failed=request["spawn"], reason=reason, ours=bool(lacking))
            return
        self.children[child.process.pid] = child
        self._reply(started=child.number, pid=child.process.pid)
        self._selector.register(child.output, selectors.EVENT_READ, lambda: self._drain(child))
        if child.memory_mb:
            self._watch_memory(child)

    def _prepare(self) -> None:
        """Run in the new process: die with the launcher, leave no core files."""
        self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def _watch_memory(self, child: Child) -> None:
        """Check regularly the memory of all processes of a bot together; limits of the kernel are per process."""
        if child.process.pid not in self.children:
            return
        if child.exceeds_memory():
            child.signal_group(signal.SIGKILL)
        else:
            self._later(WATCH_S, lambda: self._watch_memory(child))

    def _drain(self, child: Child) -> None:
        if child.process.pid not in self.children:  # its end was reported in this step
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
        self._reap()  # processes that have already ended did so by themselves
        child = next((child for child in self.children.values() if child.number == number), None)
        if child:
            child.terminate()
            self._later(GRACE_S, lambda: self._kill_hard(child))

    def _kill_hard(self, child: Child) -> None:
        if child.process.pid in self.children:
            child.signal_group(signal.SIGKILL)

    def _reap(self) -> None:
        """Report the bots that have ended, and end what they left behind."""
        for pid, status, cpu_us in ended_children():
            child = self.children.pop(pid, None)
            if child:
                child.signal_group(signal.SIGKILL)
                self._report(child, os.waitstatus_to_exitcode(status), cpu_us)
        self._end_orphans()

    def _report(self, child: Child, code: int, cpu_us: int) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(child.output)
        for _ in range(LAST_READS):
            if child.drain() < READ_BYTES:
                break
        self._reply(**child.bury(code), cpu_us=cpu_us)

    def _end_orphans(self) -> None:
        """Kill adopted orphans, unless they belong to a living bot."""
        living = {child.token for child in self.children.values()}
        strays = (pid for pid in own_children() if pid not in self.children and token_of(pid) not in living)
        signal_each(strays, signal.SIGKILL)

    def _end_all(self) -> None:
        """End every descendant; orphans are adopted as their parents end."""
        for child in list(self.children.values()):
            self._kill(child.number)
        self._end_orphans()
        while own_children():
            self._step()


if __name__ == "__main__":
    with private_folder() as place:
        Launcher(place).serve()
