"""How long a bot may take to start and to end: by what it does meanwhile, not by the clock."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ballcourt.arena.checks.harness import CheckedProcess
from ballcourt.arena.processes import bot_process
from ballcourt.arena.processes.bot_process import BotProcess
from ballcourt.arena.processes.starter import Exit
from ballcourt.arena.processes.tree import state_of
from tests.arena.conftest import wait_until

LOOKS = 10
"""For how many looks a bot may be idle."""


class Ending(CheckedProcess):
    """A process that is kept waiting for some looks, then idle, and ends after some looks; it uses CPU time."""

    def __init__(self, busy: int, ends: int, cpu_us: int = 0) -> None:
        self._future: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._busy, self._ends, self._cpu_us, self.looks = busy, ends, cpu_us, 0

    @property
    def exited(self) -> asyncio.Future[Exit]:
        return self._future

    def cpu_us(self) -> int:
        return self._cpu_us * self.looks

    def is_kept_waiting(self) -> bool:
        self.looks += 1
        if self.looks == self._ends:
            self._future.set_result(Exit(0, ""))
        return self.looks <= self._busy


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_process, "LOOK_S", 0.001)


@pytest.mark.parametrize(("busy", "ends"), [(0, LOOKS - 1), (50, 50), (50, 50 + LOOKS - 1)])
async def test_time_for_which_a_bot_waits_for_the_machine_does_not_count(busy: int, ends: int) -> None:
    assert await Ending(busy, ends).exit(LOOKS * bot_process.LOOK_S) == Exit(0, "")


@pytest.mark.parametrize(("busy", "cpu_us", "looks"), [(0, 0, LOOKS), (50, 0, 50 + LOOKS), (1000, 1000, LOOKS)])
async def test_a_bot_that_idles_or_computes_instead_of_ending_does_not_end(busy: int, cpu_us: int, looks: int) -> None:
    process = Ending(busy, 2000, cpu_us)
    assert await process.exit(LOOKS * bot_process.LOOK_S) is None
    assert looks <= process.looks <= looks + 1, "a sum of tenths is not exact"


async def test_a_bot_that_the_machine_never_lets_run_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_process, "BUSY_S", 0.05)
    with pytest.raises(TimeoutError):
        await Ending(10**9, 10**9).exit(LOOKS * bot_process.LOOK_S)


async def test_a_bot_that_computes_on_many_processors_has_as_long_by_the_clock_as_another() -> None:
    assert await Ending(2000, LOOKS, cpu_us=5000).exit(LOOKS * bot_process.LOOK_S) == Exit(0, "")


@pytest.fixture
def spinning() -> Iterator[int]:
    yield from started("while True: pass")


@pytest.fixture
def sleeping() -> Iterator[int]:
    yield from started("import time; time.sleep(600)")


def started(program: str) -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        yield process.pid
        process.kill()


def waits(pids: list[int], monkeypatch: pytest.MonkeyPatch) -> bool:
    process = BotProcess.__new__(BotProcess)
    monkeypatch.setattr(process, "_process", SimpleNamespace(pids=lambda: pids), raising=False)
    return process.is_kept_waiting()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone knows")
def test_a_thread_that_wants_a_processor_is_kept_waiting(
    spinning: int, sleeping: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wait_until(lambda: not waits([sleeping], monkeypatch))
    assert waits([spinning], monkeypatch)
    assert waits([sleeping, spinning], monkeypatch)
    assert waits([], monkeypatch), "its end is about to be reported"
    assert state_of(Path("/proc/0/task/0")) == ""
