"""The worker's side of the launcher: starts, watches and ends bot processes."""

import asyncio
import contextlib
import itertools
import json
import secrets
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Self

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.processes.family import Descendants, Family, GroupFamily
from ballcourt.arena.processes.starter import Exit, Process, Starter
from ballcourt.arena.sandbox.launch import GRACE_S, LINE_LIMIT, Launch
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox, launch
from ballcourt.arena.temporary import OWN

PROGRAM = ("-m", "ballcourt.arena.processes.launcher")
START_S = 30.0
CLOSE_S = 10.0
HANG_S = 30.0
"""How long a launcher may take to end a process before the launcher is killed."""


class LaunchedProcess(Process):
    """A process that the launcher was asked to start."""

    def __init__(self, number: int, ask_news: Callable[[], None]) -> None:
        """`ask_news` asks the launcher for what it has printed, which is given to `printed`."""
        super().__init__()
        self.number = number
        self.orphans: list[int] = []
        """Its orphaned processes, which the launcher has adopted, if it has no control group for freezing."""
        self._family: Family | None = None
        self._ask_news = ask_news
        self._news: asyncio.Future[str] | None = None

    def started(self, pid: int, freezer: str) -> None:
        """Set its pid, and its control group for freezing if it has one."""
        self.pid = pid
        family: Family = Descendants(pid, lambda: self.orphans)
        if freezer:
            with contextlib.suppress(FileNotFoundError):  # it has ended already, and its group with it
                family = GroupFamily(Path(freezer))
        self._family = family
        self.exited.add_done_callback(lambda _: family.close())

    def stop(self) -> None:
        """Stop all its processes until `resume`."""
        if self._family and not self.exited.done():
            self._family.stop()

    def resume(self) -> None:
        """Resume all its processes."""
        if self._family and not self.exited.done():
            self._family.resume()

    def pids(self) -> list[int]:
        """Return the pids of all its processes."""
        return self._family.pids() if self._family and not self.exited.done() else []

    async def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it; empty once it has ended."""
        if self.exited.done():
            return ""
        self._news = asyncio.get_running_loop().create_future()
        self._ask_news()
        await asyncio.wait((self._news, self.exited), return_when=asyncio.FIRST_COMPLETED)
        return self._news.result() if self._news.done() else ""

    def printed(self, news: str) -> None:
        """Make `news` return."""
        if self._news and not self._news.done():
            self._news.set_result(news)

    def cpu_us(self) -> int:
        """Return the CPU time it has used, in microseconds."""
        return self._family.cpu_us() if self._family and not self.exited.done() else super().cpu_us()

    def stolen_us(self) -> int:
        """Return the CPU time it has used while it was stopped, in microseconds."""
        return self._family.stolen_us() if self._family else 0


class LauncherProcess(Starter):
    """The running launcher. Use it as an async context manager; on leaving, every process it started ends."""

    folder: Path
    """A private folder that exists as long as the launcher."""

    def __init__(
        self, on_end: Callable[[], None], lifeline: tuple[int, ...] = (), *, own_session: bool = False
    ) -> None:
        """Call `on_end` when it ends. It keeps the file descriptors `lifeline` open until then.

        In a terminal, use `own_session`: a signal to the whole terminal would otherwise end the launcher before it has
        ended the bots.
        """
        self._on_end = on_end
        self._lifeline = lifeline
        self._own_session = own_session
        self._running: dict[int, LaunchedProcess] = {}
        self._numbers = itertools.count(1)

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", *PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=self._lifeline,
            limit=LINE_LIMIT,
            start_new_session=self._own_session,
        )
        assert self._process.stdin and self._process.stdout, "both are pipes"
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self.folder = Path((await self._first_reply())["folder"])
        self.socket_folder = self.folder / "sockets"
        self.socket_folder.mkdir()
        self.socket_folder.chmod(0o755)
        (self.folder / OWN).mkdir()
        self._reader = asyncio.create_task(self._read_replies())
        return self

    @property
    def pid(self) -> int:
        """Its process id. Its bots inherit what is set for it."""
        return self._process.pid

    async def _first_reply(self) -> dict[str, Any]:
        try:
            first = await asyncio.wait_for(self._replies.readline(), START_S)
        except TimeoutError:
            self._kill_launcher()
            raise ArenaError(f"the launcher did not start within {START_S:g} s") from None
        if not first:
            raise ArenaError("the launcher did not start; its own message is on standard error")
        reply: dict[str, Any] = json.loads(first)
        return reply

    async def __aexit__(self, *_: object) -> None:
        self._requests.close()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._process.wait()
        except TimeoutError:
            self._kill_launcher()
        self._reader.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)  # the launcher removes it, unless it was killed

    def spawn(self, bot: Bot, environment: Mapping[str, str], sandbox: Sandbox = NO_SANDBOX) -> Process:
        """Start a bot, in a copy of its image. A failure to start shows in `exited`."""
        own = self.folder / OWN / secrets.token_hex(8)
        process = self.start(launch(bot, sandbox, environment, own))
        process.exited.add_done_callback(lambda _: self._discard(own))
        return process

    def _discard(self, folder: Path) -> None:
        """Remove a folder in the background; what is left of it goes with ours."""
        if not self._reader.done():
            asyncio.get_running_loop().run_in_executor(None, partial(shutil.rmtree, folder, ignore_errors=True))

    def start(self, wanted: Launch) -> LaunchedProcess:
        """Start a program. A failure to start shows in `exited`."""
        number = next(self._numbers)
        process = LaunchedProcess(number, lambda: self._request(_line(news=number)))
        line = _line(spawn=process.number, **asdict(wanted))
        if len(line) > LINE_LIMIT:
            takes = f"its command and environment take {len(line)} bytes; at most {LINE_LIMIT} are allowed"
            process.exited.set_result(Exit(0, "", failure=f"could not start '{wanted.command[0]:.80}': {takes}"))
            return process
        self._running[process.number] = process
        self._request(line)
        if self._reader.done():
            self._lose_all()
        return process

    def kill(self, process: Process, grace_s: float = GRACE_S) -> None:
        """End a process: SIGTERM, then SIGKILL; `exited` is done when it has. An unresponsive launcher is killed."""
        assert isinstance(process, LaunchedProcess), "no other was started here"
        if not process.exited.done():
            self._request(_line(kill=process.number, grace=grace_s))
            hang = asyncio.get_running_loop().call_later(grace_s + HANG_S, self._kill_launcher)
            process.exited.add_done_callback(lambda _: hang.cancel())

    def _request(self, line: bytes) -> None:
        if not self._requests.is_closing():  # otherwise the launcher has died, and `on_end` is called
            self._requests.write(line)

    def _kill_launcher(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def _read_replies(self) -> None:
        cause: Exception | None = None
        try:
            while line := await self._replies.readline():
                self._note(json.loads(line))
        except Exception as error:  # whatever it is: without its replies, no end of a process would ever be known
            self._kill_launcher()
            cause = error
        self._on_end()  # first, so that nothing waits for bots of a dead launcher
        self._lose_all(cause)

    def _lose_all(self, cause: Exception | None = None) -> None:
        """Fail all pending processes, as the launcher has ended; `cause` is why it was ended."""
        for process in self._running.values():
            lost = ArenaError("the launcher, which starts and ends the bots, has ended")
            lost.__cause__ = cause
            process.exited.set_exception(lost)
            process.exited.exception()  # marks it as retrieved; it may never be awaited
        self._running.clear()

    def _note(self, reply: dict[str, Any]) -> None:
        if "started" in reply:
            self._running[reply["started"]].started(reply["pid"], reply["freezer"])
        elif "news" in reply:
            self._running[reply["news"]].printed(reply["printed"])
        elif "orphans" in reply:
            self._running[reply["of"]].orphans = reply["orphans"]
        elif "failed" in reply:
            end = Exit(0, "", failure=reply["reason"], ours=reply.get("ours", False))
            self._running.pop(reply["failed"]).exited.set_result(end)
        else:
            process = self._running.pop(reply.pop("exited"))
            process.exited.set_result(Exit(**reply))


def _line(**request: Any) -> bytes:  # noqa: ANN401
    return json.dumps(request).encode() + b"\n"
