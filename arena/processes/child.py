"""A bot's process in its launcher: how it is started, its output, its descendants, and signals to them."""

import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ballcourt.arena.processes.groups import Group
from ballcourt.arena.processes.memory import MB, SHORT, last_words, oom_kills, resident
from ballcourt.arena.processes.tail import Tail
from ballcourt.arena.processes.tree import TOKEN, generations
from ballcourt.arena.sandbox.bubblewrap import plugged
from ballcourt.arena.sandbox.launch import TAIL_BYTES

READ_BYTES = 64 * 1024
MOST_READS = 16
"""How often the output of a bot is read at once; one that floods it always has more."""
ROUGHLY_US = 900_000
"""How much of a second the kernel may have measured as one; it counts in ticks."""
MOST_COUNTED = 1024
"""How many processes of a bot are looked at for their memory, or asked to end."""
MOST_UNWEIGHED = 5
"""After how many weighings in a row that took too long a bot is ended."""
SHELL_SIGNAL = 128
"""A wrapper exits with this plus the number of the signal that ended the bot."""


class Child:
    """A bot process and the end of its output."""

    def __init__(
        self, request: dict[str, Any], process: subprocess.Popen[bytes], status: int | None, group: Group
    ) -> None:
        """`status` is a pipe from the sandbox, if there is one."""
        assert process.stdout is not None, "its output is a pipe"
        self.number: int = request["spawn"]
        self.token: str = request["environment"].get(TOKEN, "")
        self.wrappers: int = request.get("wrappers", 0)
        self.memory_mb: int = request.get("memory_mb", 0)
        self.cpu_s: int = limits_of(request).get(resource.RLIMIT_CPU, 0)
        self.process = process
        self.group = group
        self.output = process.stdout.fileno()
        self.tail = Tail(request.get("tail_bytes", TAIL_BYTES))
        self.code: int | None = None
        """The exit code of the process, once it has ended."""
        self.orphans: set[int] = set()
        """Its processes that the launcher has adopted, as far as is known."""
        self.cpu_us = 0
        """The CPU time of its processes that have ended, in microseconds."""
        self._status = status
        self._oom_kills = oom_kills()
        self._excess = ""
        self._roughly = 0  # the bytes of its memory, without regard to what its processes share
        self._unweighed = 0  # how many times in a row it could not be weighed
        self._by_itself = True
        os.set_blocking(self.output, False)

    def drain(self) -> int:
        """Read some of its output; return the number of bytes, 0 at the end or if there is none."""
        try:
            data = os.read(self.output, READ_BYTES)
        except OSError:
            return 0
        self.tail.add(data)
        return len(data)

    def drain_rest(self) -> None:
        """Read what is left of its output, unless that is very much."""
        for _ in range(MOST_READS):
            if self.drain() < READ_BYTES:
                break

    def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it."""
        self.drain_rest()
        return self.tail.news()

    def members(self) -> list[int]:
        """List the pids of its processes, including those of the sandbox and orphaned daemons; not all of very many."""
        roots = {self.process.pid, *self.orphans}
        return [*islice((pid for root in roots for each in generations(root) for pid in each), MOST_COUNTED)]

    def terminate(self) -> None:
        """Send SIGTERM to its process group, or in a sandbox to the bot's own processes.

        All of them are continued, because a stopped process does not receive the signal.
        """
        self._by_itself = False
        self.group.thaw()
        if not self.wrappers:
            self.signal_group(signal.SIGTERM)
            self.signal_group(signal.SIGCONT)
        else:
            own = (pid for each in islice(generations(self.process.pid), self.wrappers, None) for pid in each)
            signal_each(islice(own, MOST_COUNTED), signal.SIGTERM)  # those of very many that are left are killed
        signal_each(self.members(), signal.SIGCONT)

    def may_exceed_memory(self) -> bool:
        """Whether its processes together exceed the memory limit if they share none of it; quickly found out."""
        self._roughly = sum(map(resident, self.members()))
        return self._roughly > self.memory_mb * MB

    def exceeds_memory(self, weight: int | None) -> bool:
        """Whether it exceeds the limit, given the weight of its processes in bytes, or None if it is unknown.

        If it does, that is recorded as the reason of its end. A bot that can never be weighed is taken for a cheat.
        """
        self._unweighed = 0 if weight is not None else self._unweighed + 1
        if weight is not None and weight > self.memory_mb * MB:
            self._excess = f"its processes used {weight // MB} MB of memory"
        elif self._unweighed >= MOST_UNWEIGHED:
            self._excess = f"its processes seemed to use {self._roughly // MB} MB of memory and could not be measured"
        if self._excess:
            self._excess += f"; at most {self.memory_mb} are allowed"
        return bool(self._excess)

    def bury(self, code: int) -> dict[str, Any]:
        """Return the launcher's report to the worker on how it ended, given the exit code of its process."""
        self.process.returncode = code
        self.process.stdout.close()  # type: ignore[union-attr]
        status, self._status = _all_of(self._status), None
        tail = self.tail.text
        too_large = self.group.ran_out_of_memory()  # its files can be, while they are copied for it
        if self.wrappers and self._by_itself and not (status or too_large):
            return {"failed": self.number, "reason": f"the sandbox could not be created: {tail.strip()}", "ours": True}
        if self.wrappers and SHELL_SIGNAL < code < SHELL_SIGNAL + signal.NSIG:
            code = SHELL_SIGNAL - code
        return {
            "exited": self.number,
            "code": code,
            "tail": tail,
            "by_itself": self._by_itself,
            "limits": {name: shown for name, shown in self._limits(code, tail) if shown},
            "cpu_us": self.cpu_us,
            "lacked_processes": self.group.lacked_processes(),
        }

    def _limits(self, code: int, tail: str) -> Iterator[tuple[str, str]]:
        """Yield what shows that it ran into a limit, and the termination that this is."""
        yield "OUT_OF_MEMORY", self._out_of_memory(code, tail)
        yield "OUT_OF_CPU_TIME", self._out_of_cpu_time(code)

    def _out_of_memory(self, code: int, tail: str) -> str:
        """Return what shows that it ran out of memory; empty if nothing does."""
        if self.group.ran_out_of_memory():
            return f"it used more than {self.memory_mb} MB of memory; at most {self.memory_mb} are allowed"
        if self._excess:
            return self._excess
        if code and self.memory_mb and (words := last_words(tail)):
            return f"it ended with the words '{words}'; at most {self.memory_mb} MB of memory are allowed"
        if code == -signal.SIGKILL and oom_kills() > self._oom_kills:
            return f"{SHORT}, and the kernel killed it"
        return ""

    def _out_of_cpu_time(self, code: int) -> str:
        """Return what shows that the kernel ended it at its limit of CPU time; empty if nothing does."""
        ignored = code == -signal.SIGKILL and self._by_itself and self.cpu_us > self.cpu_s * ROUGHLY_US
        if self.cpu_s and (code == -signal.SIGXCPU or ignored):
            return f"at most {self.cpu_s} s are allowed, over all its matches"
        return ""

    def kill(self) -> None:
        """Kill its process group, and all processes in its control group."""
        self.signal_group(signal.SIGKILL)
        self.group.kill()

    def signal_group(self, number: int) -> None:
        """Signal its process group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def start(request: dict[str, Any], inherited: dict[str, str], prepare: Callable[[], None], group: Group) -> Child:
    """Start a bot in a control group; call `prepare` in its process first. Raises what Popen raises."""
    command: list[str] = request["command"]
    plugs = plugged(command) if request.get("wrappers") else None
    limits = limits_of(request)

    def begin() -> None:
        prepare()
        group.enter()
        for number, value in limits.items():
            set_limit(number, value)

    try:
        process = subprocess.Popen(
            plugs.command if plugs else command,
            cwd=request["directory"],
            env=inherited | request["environment"],
            stdin=plugs.stdin if plugs else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,
            preexec_fn=begin,  # safe: this process has one thread
            pass_fds=plugs.inherited if plugs else (),
        )
    except BaseException:
        if plugs:
            os.close(plugs.status)
        raise
    finally:
        if plugs:
            for descriptor in (*plugs.inherited, plugs.stdin):
                os.close(descriptor)
    return Child(request, process, plugs.status if plugs else None, group)


def limits_of(request: dict[str, Any]) -> dict[int, int]:
    """Return the limits that a request asks for, by number of the resource."""
    return {getattr(resource, name): value for name, value in request.get("rlimits", {}).items()}


def set_limit(number: int, value: int) -> None:
    """Limit this process and its descendants irrevocably, to `value` or our own hard limit if that is less."""
    most = resource.getrlimit(number)[1]
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    further = number == resource.RLIMIT_CPU and value != most  # SIGXCPU first, which shows why; then SIGKILL
    resource.setrlimit(number, (value, value + further))


def signal_each(pids: Iterable[int], number: int) -> None:
    """Signal the processes that still exist."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _all_of(reader: int | None) -> bytes:
    """Read a pipe empty and close it."""
    if reader is None:
        return b""
    os.set_blocking(reader, False)
    try:
        return os.read(reader, READ_BYTES)
    except BlockingIOError:
        return b""
    finally:
        os.close(reader)
