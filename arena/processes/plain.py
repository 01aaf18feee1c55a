"""Bot processes on systems that are not Linux: started by this process, without what Linux alone offers.

They are not stopped while others think, have no limits, and are not measured; a process that a bot leaves behind stays.
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.starter import Exit, Process, Starter
from ballcourt.arena.processes.tail import Tail
from ballcourt.arena.sandbox.launch import GRACE_S, Launch, inherited
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox, launch

PIECE: Final = 1 << 16


def open_starter() -> Starter:
    """Return what starts processes on this system, to be entered, for a command that plays in its own process."""
    if sys.platform == "linux":
        return LauncherProcess(lambda: None, own_session=True)
    return PlainStarter()


class PlainStarter(Starter):
    """Starts processes by asyncio."""

    def __init__(self) -> None:
        self._running: dict[PlainProcess, asyncio.Task[None]] = {}
        self._asked: set[Process] = set()
        self._children: dict[Process, asyncio.subprocess.Process] = {}

    async def __aenter__(self) -> Self:
        self.socket_folder = Path(tempfile.mkdtemp(prefix="ballcourt-"))
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in [*self._running]:
            self.kill(process)
        await asyncio.gather(*self._running.values())
        shutil.rmtree(self.socket_folder, ignore_errors=True)

    def spawn(self, bot: Bot, environment: Mapping[str, str], sandbox: Sandbox = NO_SANDBOX) -> Process:
        """Start a bot."""
        return self.start(launch(bot, sandbox, environment))

    def start(self, wanted: Launch) -> Process:
        """Start a program. A failure to start shows in `exited`."""
        process = PlainProcess(wanted.tail_bytes)
        running = asyncio.create_task(self._run(process, wanted))
        self._running[process] = running
        running.add_done_callback(lambda _: self._running.pop(process))
        return process

    def kill(self, process: Process, grace_s: float = GRACE_S) -> None:
        """End a process: as the system asks a process to end, and after a moment for sure."""
        self._asked.add(process)
        if child := self._children.get(process):
            _signal(child, hard=False)
            asyncio.get_running_loop().call_later(grace_s, _signal, child)

    async def _run(self, process: "PlainProcess", wanted: Launch) -> None:
        """Run a program to its end."""
        try:
            child = await asyncio.create_subprocess_exec(
                *wanted.command,
                cwd=wanted.directory,
                env=inherited() | wanted.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            reason = f"could not start '{' '.join(wanted.command):.200}' in {wanted.directory}: {error.strerror}"
            process.exited.set_result(Exit(0, "", failure=reason))
            return
        self._children[process] = child
        process.pid = child.pid
        if process in self._asked:
            self.kill(process)
        tail = await process.follow(child)
        code = await child.wait()
        del self._children[process]
        process.exited.set_result(Exit(code, tail, by_itself=process not in self._asked))
        self._asked.discard(process)


class PlainProcess(Process):
    """A process of this system, and the end of its output."""

    def __init__(self, tail_bytes: int) -> None:
        super().__init__()
        self._tail = Tail(tail_bytes)

    async def follow(self, child: asyncio.subprocess.Process) -> str:
        """Read the output of the process to its end; return the end of it."""
        assert child.stdout, "it is a pipe"
        while piece := await child.stdout.read(PIECE):
            self._tail.add(piece)
        return self._tail.text

    async def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it."""
        return self._tail.news()


def _signal(child: asyncio.subprocess.Process, *, hard: bool = True) -> None:
    with suppress(ProcessLookupError):  # it has ended
        if child.returncode is None:
            child.kill() if hard else child.terminate()
