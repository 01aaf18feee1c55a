"""Bot processes on systems that are not Linux; they run here too."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from ballcourt.arena.processes.plain import PlainStarter
from ballcourt.arena.processes.starter import Exit
from ballcourt.arena.sandbox.launch import Launch
from tests.arena.conftest import PATIENCE_S, wait_until

FOREVER = "import time; print('here', flush=True); time.sleep(600)"
STUBBORN = "import signal, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path('{}').touch(); "


def program(text: str, tail_bytes: int = 1000) -> Launch:
    return Launch([sys.executable, "-c", text], "/", {"GIVEN": "yes"}, {}, 0, 0, tail_bytes=tail_bytes)


def with_starter(act: Callable[[PlainStarter], Awaitable[Exit]]) -> Exit:
    async def run() -> Exit:
        async with PlainStarter() as starter:
            return await act(starter)

    return asyncio.run(run())


def test_a_process_ends_with_its_code_and_the_end_of_all_that_it_wrote() -> None:
    text = "import os, sys; print('a' * 50); sys.stderr.write(os.environ['GIVEN']); sys.exit(3)"
    end = with_starter(lambda starter: starter.start(program(text, tail_bytes=6)).exited)
    assert end == Exit(3, "aa\nyes", by_itself=True)


def test_a_process_is_ended_even_if_it_does_not_want_to(tmp_path: Path) -> None:
    async def act(starter: PlainStarter) -> Exit:
        process = starter.start(program(STUBBORN.format(tmp_path / "ready") + FOREVER))
        assert await asyncio.to_thread(wait_until, (tmp_path / "ready").exists)
        starter.kill(process)
        return await process.exited

    assert with_starter(act).code == -signal.SIGKILL


def test_what_a_process_has_printed_is_told_once() -> None:
    async def act(starter: PlainStarter) -> Exit:
        process = starter.start(program("import time; print('one', end='', flush=True); time.sleep(600)"))
        printed = ""
        async with asyncio.timeout(PATIENCE_S):
            while printed != "one":
                await asyncio.sleep(0)
                printed += await process.news()
        assert await process.news() == ""
        starter.kill(process)
        return await process.exited

    assert with_starter(act).tail == "one"


def test_a_process_that_is_ended_before_it_has_started_ends() -> None:
    async def act(starter: PlainStarter) -> Exit:
        process = starter.start(program(FOREVER))
        starter.kill(process)
        return await process.exited

    assert with_starter(act).code != 0


async def test_no_process_and_no_folder_is_left_at_the_end() -> None:
    async with PlainStarter() as starter:
        process = starter.start(program(FOREVER))
    done, folder = process.exited.done(), starter.socket_folder
    assert done
    assert not folder.exists()


def test_a_program_that_does_not_exist_is_named() -> None:
    end = with_starter(lambda starter: starter.start(Launch(["no-such-program"], "/", {}, {}, 0, 0)).exited)
    assert end.failure == "could not start 'no-such-program' in /: No such file or directory"
