"""The worker's side of the launcher when the launcher is slow, hangs or is killed."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.stream.session import Server
from ballcourt.arena.processes import handles
from ballcourt.arena.processes.bot_process import BotProcess, Role
from ballcourt.arena.processes.handles import LaunchedProcess, LauncherProcess
from ballcourt.arena.processes.starter import Exit, Process
from ballcourt.arena.processes.tree import TOKEN
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Termination
from tests.arena.conftest import WITHOUT_GROUPS, Traces, wait_until
from tests.arena.hosted import until

CRASH, TIMEOUT = Termination.TERMINATION_CRASH, Termination.TERMINATION_TIMEOUT


@dataclass
class Scene:
    """A launcher, and a bot that waits for input and then exits with code 7."""

    launcher: LauncherProcess
    launcher_pid: int
    launcher_ended: asyncio.Event
    bot: BotProcess
    bot_pid: int
    word: Path

    def release_bot(self) -> None:
        """Make the bot exit, and wait for it."""
        self.word.write_text("now\n")
        assert wait_until(lambda: state(self.bot_pid) == "Z")

    def stop_launcher(self) -> None:
        os.kill(self.launcher_pid, signal.SIGSTOP)
        assert wait_until(lambda: state(self.launcher_pid) == "T")


@asynccontextmanager
async def opened(traces: Traces) -> AsyncIterator[Scene]:
    word, ended = traces.folder / "word", asyncio.Event()
    os.mkfifo(word)
    command = ("sh", "-c", f"echo up; read word < {shlex.quote(str(word))}; exit 7")
    async with LauncherProcess(ended.set) as launcher, Server(launcher.socket_folder) as server:
        game = find_game("bluff")
        bot = BotProcess(Role(Bot("waits", "1", "", "", command, traces.folder, (), "waits"), game), launcher, server)
        pid = await pid_of(traces, "echo up")
        yield Scene(launcher, traces.pid_of("ballcourt.arena.processes.launcher"), ended, bot, pid, word)
    word.unlink()


async def pid_of(traces: Traces, text: str) -> int:
    assert await asyncio.to_thread(wait_until, lambda: text in str(traces.processes()))
    return traces.pid_of(text)


def state(pid: int) -> str:
    """Return the state of a process as in proc(5); X if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def in_scene(traces: Traces, act: Callable[[Scene], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(traces) as scene:
            await act(scene)

    asyncio.run(run())
    assert traces.all_gone()


def test_the_exit_of_a_bot_is_known_even_if_the_launcher_reports_it_late(
    traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.processes.bot_process.LAST_WORDS_S", 0)

    async def act(scene: Scene) -> None:
        kill = scene.launcher.kill

        def kill_and_continue(process: Process) -> None:
            kill(process)
            os.kill(scene.launcher_pid, signal.SIGCONT)

        monkeypatch.setattr(scene.launcher, "kill", kill_and_continue)
        scene.stop_launcher()
        scene.release_bot()
        assert (await scene.bot.end(CRASH)).exit_code == 7

    in_scene(traces, act)


def test_a_bot_that_exits_on_request_did_not_exit_by_itself(traces: Traces) -> None:
    async def act(scene: Scene) -> None:
        assert (await scene.bot.end(TIMEOUT)).exit_code is None

    in_scene(traces, act)


def test_a_launcher_that_hangs_is_killed_with_its_bots(traces: Traces, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(scene: Scene) -> None:
        monkeypatch.setattr(handles, "HANG_S", 0.1)
        scene.stop_launcher()
        with pytest.raises(ArenaError, match="the launcher, which starts and ends the bots, has ended"):
            await scene.bot.end(TIMEOUT)
        assert scene.launcher_ended.is_set()
        assert wait_until(lambda: state(scene.bot_pid) == "X")

    in_scene(traces, act)


def test_waiting_for_a_bot_ends_when_the_launcher_is_killed(traces: Traces) -> None:
    async def act(scene: Scene) -> None:
        ending = asyncio.create_task(scene.bot.session(60_000))
        await asyncio.sleep(0)
        os.kill(scene.launcher_pid, signal.SIGKILL)
        for waiting in (ending, scene.bot.end(TIMEOUT), scene.launcher.spawn(scene.bot.role.bot, {}).exited):
            with pytest.raises(ArenaError, match="the launcher, which starts and ends the bots, has ended"):
                await waiting

    in_scene(traces, act)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("letters", "failure"),
    [
        (900_000, "Argument list too long"),
        (2_000_000, "its command and environment take 2000"),
    ],
)
def test_a_command_of_any_length_is_a_failed_start_that_is_the_bots_fault(
    letters: int, failure: str, traces: Traces
) -> None:
    async def act(scene: Scene) -> None:
        bot = replace(scene.bot.role.bot, command=("true", "x" * letters))
        end = await scene.launcher.spawn(bot, {}).exited
        assert failure in end.failure
        assert len(end.failure) < 3000
        assert not end.ours
        next_one = replace(bot, command=("sh", "-c", "exit 3"))
        assert (await scene.launcher.spawn(next_one, {}).exited).code == 3

    in_scene(traces, act)


async def test_a_process_may_end_with_its_group_before_its_start_is_noted(tmp_path: Path) -> None:
    process = LaunchedProcess(1, lambda: None)
    process.started(os.getpid(), str(tmp_path))  # the folder of a group without its files
    process.exited.set_result(Exit(3, ""))
    assert process.pid == os.getpid()


ORPHANING = "import os, time; os.fork() and os._exit(0); os.setsid(); print('orphan', flush=True); time.sleep(1234)"


def test_without_control_groups_the_orphans_of_a_bot_are_stopped_with_it(
    traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = asyncio.create_subprocess_exec

    def without_groups(*_: str, **settings: Any) -> Coroutine[Any, Any, asyncio.subprocess.Process]:  # noqa: ANN401
        return begin(sys.executable, "-P", "-c", WITHOUT_GROUPS, **settings)

    async def act(scene: Scene) -> None:
        detaching = f'{shlex.quote(sys.executable)} -c "{ORPHANING}"; sleep 3600'
        bot = replace(scene.bot.role.bot, command=("sh", "-c", detaching))
        process = scene.launcher.spawn(bot, {TOKEN: "its token"})
        assert isinstance(process, LaunchedProcess)
        await until(lambda: len(process.orphans) == 1)
        process.stop()
        assert wait_until(lambda: state(process.orphans[0]) == "T")
        process.resume()
        assert wait_until(lambda: state(process.orphans[0]) == "S")
        scene.launcher.kill(process)
        await process.exited

    monkeypatch.setattr(asyncio, "create_subprocess_exec", without_groups)
    in_scene(traces, act)


def _unknown(_: bytes) -> dict[str, str]:
    return {"exited": "nobody"}


def _broken(_: bytes) -> dict[str, str]:
    raise OSError("a fault of ours")


@pytest.mark.parametrize("reading", [_unknown, _broken])
def test_a_launcher_whose_replies_cannot_be_read_is_ended_and_nothing_waits(
    reading: Callable[[bytes], object], traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(scene: Scene) -> None:
        monkeypatch.setattr("ballcourt.arena.processes.handles.json.loads", reading)
        scene.word.write_text("now\n")
        with pytest.raises(ArenaError, match="the launcher, which starts and ends the bots, has ended"):
            await scene.bot.exited
        assert scene.launcher_ended.is_set()

    in_scene(traces, act)
