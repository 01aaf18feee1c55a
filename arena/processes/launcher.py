"""Starts and ends the bot processes of one worker; reads and writes one JSON object per line.

It is a separate process because starting processes from one with gRPC's threads can hang; it must not import gRPC.
It is single-threaded because the kernel ties a bot's death signal to the thread that spawned it.

    worker   {"spawn": 7, ...} with the fields of `ballcourt.arena.sandbox.launch.Launch`      {"kill": 7, "grace": 0.5}
             {"news": 7}, which is answered by {"news": 7, "printed": "..."} while 7 runs
    launcher {"folder": "..."} once, then {"failed": 7, "reason": "..."}, "ours": true if the sandbox or machine failed,
             or {"started": 7, "pid": 123, "freezer": "/sys/fs/cgroup/..."},
             without a freezer {"orphans": [124, 125], "of": 7} whenever these are others, and in the end
             {"exited": 7, "code": 0, "tail": "...", "by_itself": true,
              "limits": {"OUT_OF_MEMORY": "..."}, "cpu_us": 45678, "lacked_processes": false}

No line is longer than `LINE_LIMIT`. When its standard input ends, for whatever reason, it ends every process and
removes the folder.
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
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from ballcourt.arena.processes.child import READ_BYTES, Child, signal_each, start
from ballcourt.arena.processes.errands import ERRAND_S, Errand, tokens_of, weight_of
from ballcourt.arena.processes.groups import Group, Groups
from ballcourt.arena.processes.tree import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    end_on_interrupts,
    ended_children,
    load_libc,
    mind_only_ends,
    own_children,
    session_of,
)
from ballcourt.arena.sandbox import cgroups
from ballcourt.arena.sandbox.launch import GRACE_S, LINE_LIMIT, SANDBOX_MB, inherited
from ballcourt.arena.temporary import private_folder

PAUSE_S = 0.01  # after a full read, so that a bot that floods its output slows down only itself
QUOTED = 1000  # how much of a command, a path or an error goes into a reason
LINGER_S = 1.0  # how long the report on a bot's end waits for what it left behind
WATCH_S = 0.2  # between two checks of a bot's memory, at least
LOOK_S = 1.0  # between two looks for the orphans of a bot that only signals can stop
MOST_TOLD = LINE_LIMIT // 16  # how many orphans of a bot fit on a line
MOST_ASKED = 256  # of how many orphans it is asked at a time whose they are
LOOKS = 4  # the launcher spends at most 1/LOOKS of its time on each of these checks, shared evenly by the bots

SHORTAGES = {
    errno.EAGAIN: "no more processes may be started (see ulimit -u, and pids.max in a container)",
    errno.ENOMEM: "there is no memory left for another process",
    errno.EMFILE: "the launcher may not open more files (see ulimit -n)",
    errno.ENFILE: "the whole machine may not open more files",
}


def shortage(error: Exception) -> str:
    """Return what the machine lacks for another process; empty if the error has another cause."""
    return SHORTAGES.get(error.errno or 0, "") if isinstance(error, OSError) else ""


def _cut(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED]} ..."


class Launcher:
    """The loop: requests, output, deaths and timers."""

    def __init__(self, folder: str) -> None:
        """`folder` is the folder for the worker's sockets."""
        self.folder = folder
        self.children: dict[int, Child] = {}  # by pid
        self.serving = True
        self._errands: dict[int, Errand] = {}  # by pid
        self._tokens: dict[int, str] = {}  # of orphans, by pid; empty if it could not be read in time
        self._is_asking = False
        self._next_look = 0.0  # when the launcher may look at its children again
        self._is_looking = False  # whether it will
        self._requests = b""
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._groups = Groups(cgroups.found())
        self._is_sweeping = False
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
        self._groups.close()

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
        *lines, self._requests = (self._requests + data).split(b"\n")
        if not data or len(self._requests) > LINE_LIMIT:
            self._selector.unregister(sys.stdin)
            self.serving = False
        for line in lines:
            request = json.loads(line)
            if "spawn" in request:
                self._spawn(request)
            elif "news" in request:
                self._tell_news(request["news"])
            else:
                self._kill(request["kill"], request.get("grace", GRACE_S))

    def _reply(self, **reply: Any) -> None:  # noqa: ANN401
        try:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # the worker is gone, and our input will end too
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _spawn(self, request: dict[str, Any]) -> None:
        group: Group | None = None
        try:
            group = self._groups.new(
                request.get("memory_mb", 0), _processes(request), request.get("sandbox_mb", SANDBOX_MB)
            )
            child = start(request, inherited(), self._prepare, group)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._release(group or Group())
            command, directory, lacking = " ".join(request["command"]), request["directory"], shortage(error)
            reason = f"could not start '{_cut(command)}' in {_cut(directory)}: {lacking or _cut(str(error))}"
            ours = bool(lacking) or group is None or isinstance(error, subprocess.SubprocessError)
            self._reply(failed=request["spawn"], reason=reason, ours=ours)
            return
        self.children[child.process.pid] = child
        self._reply(started=child.number, pid=child.process.pid, freezer=str(group.folders.freezer or ""))
        self._selector.register(child.output, selectors.EVENT_READ, lambda: self._drain(child))
        if child.memory_mb:
            self._watch_memory(child)
        if not group.folders.freezer:
            self._watch_orphans(child)

    def _prepare(self) -> None:
        """Run in the new process: die with the launcher, leave no core files, preempt no process on waking up.

        A bot that preempts the referee as soon as it has a question delays the questions to other bots.
        """
        self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):  # musl, and some containers, do not offer it; matches only cost more
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    def _watch_memory(self, child: Child) -> None:
        """Check regularly the memory of all processes of a bot together; limits of the kernel are per process."""
        if child.process.pid not in self.children:
            return
        if child.group.limits_memory():
            self._watch_group(child)
            return
        began = time.monotonic()
        self._end_orphans()
        if child.may_exceed_memory():
            self._weigh(child)
        else:
            looks_s = (time.monotonic() - began) * len(self.children)
            self._later(max(WATCH_S, LOOKS * looks_s), lambda: self._watch_memory(child))

    def _watch_group(self, child: Child) -> None:
        """End a bot of which the kernel has ended a process at the limit of their memory."""
        if child.group.ran_out_of_memory():
            child.kill()
        else:
            self._later(WATCH_S, lambda: self._watch_memory(child))

    def _watch_orphans(self, child: Child) -> None:
        """Look regularly for a bot's orphans, of whose adoption the kernel says nothing."""
        if child.process.pid in self.children:
            self._end_orphans()
            self._later(LOOK_S, lambda: self._watch_orphans(child))

    def _weigh(self, child: Child) -> None:
        """Weigh the processes of a bot without waiting for the result."""
        began = time.monotonic()
        try:
            self._send(partial(weight_of, child.members()), lambda lines: self._judge(child, began, lines))
        except OSError:  # no process can be started now
            self._later(WATCH_S, lambda: self._watch_memory(child))

    def _send(self, lines: Callable[[], Iterable[str]], then: Callable[[list[str]], None]) -> None:
        """Have lines made on an errand; call `then` with those that came in time. Raises OSError."""
        errand = Errand(lines)
        self._errands[errand.pid] = errand

        def over() -> None:
            if not errand.is_over:
                self._selector.unregister(errand.output)
                del self._errands[errand.pid]
                then(errand.end())

        def came() -> None:
            if errand.read():
                over()

        self._selector.register(errand.output, selectors.EVENT_READ, came)
        self._later(ERRAND_S, over)

    def _judge(self, child: Child, began: float, lines: list[str]) -> None:
        """End a bot that is too heavy, given its weight if it is known; weigh it again after a while if it is not."""
        weight = int(lines[0]) if lines else None
        if child.process.pid in self.children and child.exceeds_memory(weight):
            child.kill()
        elif weight is None:
            self._watch_memory(child)
        else:
            took_s = time.monotonic() - began
            self._later(max(WATCH_S, LOOKS * took_s), lambda: self._watch_memory(child))

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

    def _child(self, number: int) -> Child | None:
        return next((child for child in self.children.values() if child.number == number), None)

    def _tell_news(self, number: int) -> None:
        if child := self._child(number):
            self._reply(news=number, printed=child.news())

    def _kill(self, number: int, grace_s: float = GRACE_S) -> None:
        self._reap()  # processes that have already ended did so by themselves
        child = self._child(number)
        if child and child.code is None:
            child.terminate()
            self._later(grace_s, lambda: self._kill_hard(child))

    def _kill_hard(self, child: Child) -> None:
        if child.process.pid in self.children:
            child.kill()

    def _release(self, group: Group) -> None:
        """Remove a control group, now or when its last process has ended."""
        if not self._groups.release(group) and not self._is_sweeping:
            self._is_sweeping = True
            self._later(PAUSE_S, self._sweep)

    def _sweep(self) -> None:
        self._is_sweeping = not self._groups.sweep()
        if self._is_sweeping:
            self._later(PAUSE_S, self._sweep)

    def _reap(self) -> None:
        """Report the bots that have ended, once all that they left behind in their sessions has ended too.

        In a sandbox the process that we started does not wait for the bot; its orphans know the CPU time.
        """
        for ended in ended_children():
            self._tokens.pop(ended.pid, None)
            child = self.children.get(ended.session)
            if child is None:
                continue
            child.cpu_us += ended.cpu_us
            if ended.pid == child.process.pid:
                child.code = os.waitstatus_to_exitcode(ended.status)
                child.kill()
                self._later(LINGER_S, partial(self._report, child))
        self._end_orphans()

    def _report(self, child: Child) -> None:
        if child.code is None or self.children.pop(child.process.pid, None) is None:
            return
        child.cpu_us = max(child.cpu_us, child.group.cpu_us())
        with contextlib.suppress(KeyError):
            self._selector.unregister(child.output)
        child.drain_rest()  # not all: what it left behind may keep writing
        self._reply(**child.bury(child.code))
        self._release(child.group)

    def _end_orphans(self) -> None:
        """Look at all children now, or later: a bot that leaves very many orphans, one after the other, is dear."""
        wait_s = self._next_look - time.monotonic()
        if wait_s > 0 and not self._is_looking:
            self._is_looking = True
            self._later(wait_s, self._look)
        elif wait_s <= 0:
            self._look()

    def _look(self) -> None:
        """Look at all children; report the bots of which none is left."""
        began, self._is_looking = time.monotonic(), False
        sessions = {pid: session_of(pid) for pid in own_children()}
        self._sort(sessions)
        left = {*sessions.values()}
        for child in list(self.children.values()):
            if child.process.pid not in left:
                self._report(child)
        ended = time.monotonic()
        self._next_look = ended + LOOKS * (ended - began)

    def _sort(self, sessions: dict[int, int]) -> None:
        """Kill adopted orphans, unless they belong to a living bot; find out whose they are if nothing shows it.

        `sessions` are those of our children, by pid.
        """
        living: dict[str, set[int]] = {child.token: set() for child in self.children.values() if child.code is None}
        ours = self.children.keys() | (self._errands.keys() if self.serving else ())
        unknown = []
        for pid, session in sessions.items():
            if pid in ours:
                continue
            owner = self.children.get(session)
            token = owner.token if owner else self._tokens.get(pid)
            if token is None and living:
                unknown.append(pid)
            elif token in living:
                living[token].add(pid)
            else:
                signal_each([pid], signal.SIGKILL)
        for child in self.children.values():
            self._note_orphans(child, living.get(child.token, set()))
        if unknown and not self._is_asking:
            self._ask(unknown[:MOST_ASKED])

    def _note_orphans(self, child: Child, orphans: set[int]) -> None:
        """Keep the orphans of a bot; tell the worker of them if it has to stop them one by one."""
        if orphans != child.orphans and not child.group.folders.freezer:
            self._reply(orphans=[*itertools.islice(orphans, MOST_TOLD)], of=child.number)
        child.orphans = orphans

    def _ask(self, pids: list[int]) -> None:
        """Ask whose processes these are. It is not asked a second time about one that did not let itself be read."""

        def told(tokens: list[str]) -> None:
            self._is_asking = False
            still = {*own_children()}
            self._tokens |= {pid: token for pid, token in zip(pids, (*tokens, ""), strict=False) if pid in still}
            self._end_orphans()

        try:
            self._send(partial(tokens_of, pids), told)
            self._is_asking = True
        except OSError:  # no process can be started now
            self._later(WATCH_S, self._end_orphans)

    def _end_all(self) -> None:
        """End every descendant; orphans are adopted as their parents end."""
        for child in list(self.children.values()):
            self._kill(child.number)
        self._end_orphans()
        while own_children() or not self._groups.sweep():
            self._step()


def _processes(request: dict[str, Any]) -> int:
    """Return how many processes a program may have, with those of its sandbox; 0 means unlimited."""
    return request["processes"] + request["wrappers"] if request.get("processes") else 0


if __name__ == "__main__":
    end_on_interrupts()
    with private_folder() as place:
        Launcher(place).serve()
