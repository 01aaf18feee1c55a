"""The worker's side of the launcher: bot processes that can be started, watched and ended."""

import asyncio
import itertools
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.bots import Bot
from arena.faults import ArenaError

LINE_LIMIT = 1 << 20
CLOSE_S = 10.0


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended: its exit code, negative for a signal, and the end of what it wrote."""

    code: int
    tail: str
    failure: str = ""
    """Why it could not be started at all; empty when it was."""


class Process:
    """A process the launcher was asked for."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.exited: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()


class LauncherProcess:
    """The running launcher. Use it as an async context manager; leaving ends every process it started."""

    folder: Path
    """A private folder that lives as long as the launcher."""

    def __init__(self, on_end: Callable[[], None], lifeline: tuple[int, ...] = ()) -> None:
        """Call `on_end` when it ends; it keeps the file descriptors `lifeline` open until then."""
        self._on_end = on_end
        self._lifeline = lifeline
        self._running: dict[int, Process] = {}
        self._numbers = itertools.count(1)

    async def __aenter__(self) -> "LauncherProcess":
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "arena.launcher"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=self._lifeline,
            limit=LINE_LIMIT,
        )
        assert self._process.stdin and self._process.stdout, "both are pipes"
        self._requests, self._replies = self._process.stdin, self._process.stdout
        first = await self._replies.readline()
        if not first:
            raise ArenaError("the launcher did not start; its own message is on standard error")
        self.folder = Path(json.loads(first)["folder"])
        self._reader = asyncio.create_task(self._read_replies())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._requests.close()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
        self._reader.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)  # it does so itself, unless it was killed

    def spawn(self, bot: Bot, environment: Mapping[str, str]) -> Process:
        """Start a bot; whether that worked shows in its `exited`."""
        process = Process(next(self._numbers))
        self._running[process.number] = process
        self._request(
            spawn=process.number,
            command=bot.command,
            directory=str(bot.directory),
            environment=dict(environment),
        )
        return process

    def kill(self, process: Process) -> None:
        """End a process: politely first, then not; its `exited` says when."""
        if not process.exited.done():
            self._request(kill=process.number)

    def _request(self, **request: Any) -> None:  # noqa: ANN401
        if not self._requests.is_closing():  # else it has died, and `on_end` has been called or is about to be
            self._requests.write(json.dumps(request).encode() + b"\n")

    async def _read_replies(self) -> None:
        while line := await self._replies.readline():
            self._note_end(json.loads(line))
        self._on_end()

    def _note_end(self, reply: dict[str, Any]) -> None:
        if "failed" in reply:
            self._running.pop(reply["failed"]).exited.set_result(Exit(0, "", reply["reason"]))
        else:
            self._running.pop(reply["exited"]).exited.set_result(Exit(reply["code"], reply["tail"]))
