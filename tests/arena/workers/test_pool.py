"""Bot processes of a worker that starts them late, or stands still while they start."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.faults import ArenaError, BotFault, Unjudged
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.session import Server, StreamSession
from ballcourt.arena.processes import bot_process
from ballcourt.arena.processes.bot_process import BotProcess, Role
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.starter import Exit, Process
from ballcourt.arena.workers.pool import Pool, ProcessSeat
from ballcourt.v1.protocol_pb2 import MatchStart, Termination
from tests.arena.conftest import LOWEST
from tests.bluff import GAME

CLOCK = Clock(startup_ms=30_000)
ROLE = Role(LOWEST, GAME)


class Scene:
    """A launcher and a server that do what the test wants; the loop's clock can jump."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.process = Process()
        self.process.pid = 1
        self.arrival: asyncio.Future[StreamSession] = asyncio.get_running_loop().create_future()
        self.launcher, self.server = cast("LauncherProcess", self), cast("Server", self)

    def spawn(self, bot: Bot, environment: dict[str, str], sandbox: object) -> Process:
        return self.process

    def kill(self, process: Process) -> None:
        pass

    def forget(self, token: str) -> None:
        pass

    def expect(self, *_: object) -> asyncio.Future[StreamSession]:
        return self.arrival

    def way(self, token: str) -> dict[str, str]:
        return {"BALLCOURT_SOCKET": f"/{token}"}

    def stand_still(self, seconds: float) -> None:
        """Move the clock, as when the worker was stopped."""
        loop = asyncio.get_running_loop()
        now = loop.time
        self._monkeypatch.setattr(loop, "time", lambda: now() + seconds)

    async def start(self, happens: Callable[[], None]) -> None:
        """Seat a bot; let something happen while its Hello is awaited."""
        seat = ProcessSeat(ROLE, CLOCK, Pool(self.launcher, self.server))
        starting = asyncio.create_task(seat.start(MatchStart()))
        await asyncio.sleep(0)
        happens()
        await starting


class Broken(StreamSession):
    """A session whose bot has gone since its Hello."""

    def __init__(self) -> None:
        super().__init__(cast("Any", None))

    async def send(self, message: object) -> None:
        raise BotFault(Termination.TERMINATION_CRASH, "the stream is broken")


def in_scene(monkeypatch: pytest.MonkeyPatch, act: Callable[[Scene], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await act(Scene(monkeypatch))

    asyncio.run(run())


@pytest.mark.parametrize(("seconds", "error"), [(0, BotFault), (25, ArenaError)])
def test_a_bot_that_gives_up_is_at_fault_unless_the_worker_stood_still(
    seconds: float, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(scene: Scene) -> None:
        def give_up() -> None:
            scene.stand_still(seconds)
            scene.process.exited.set_result(Exit(1, "no answer from the arena", by_itself=True))

        with pytest.raises(error, match="ended before it sent Hello" if error is BotFault else "stood still"):
            await scene.start(give_up)

    in_scene(monkeypatch, act)


@pytest.mark.parametrize(("seconds", "error"), [(0, BotFault), (25, ArenaError)])
def test_a_bot_that_gives_up_after_its_hello_is_no_different(
    seconds: float, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(scene: Scene) -> None:
        def give_up() -> None:
            scene.stand_still(seconds)
            scene.arrival.set_result(Broken())

        with pytest.raises(error):
            await scene.start(give_up)

    in_scene(monkeypatch, act)


def test_a_worker_that_stood_still_just_after_it_started_a_bot_is_no_different(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(scene: Scene) -> None:
        bot = BotProcess(ROLE, scene.launcher, scene.server)
        scene.stand_still(25)
        scene.process.exited.set_result(Exit(1, "no answer from the arena", by_itself=True))
        with pytest.raises(ArenaError, match="stood still for 25"):
            await bot.session(30_000)

    in_scene(monkeypatch, act)


def test_a_bot_that_says_no_hello_has_failed_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(scene: Scene) -> None:
        bot = BotProcess(ROLE, scene.launcher, scene.server)
        with pytest.raises(BotFault, match="did not say Hello within 1 ms") as fault:
            await bot.session(1)
        assert fault.value.termination == Termination.TERMINATION_FAILED_TO_START

    in_scene(monkeypatch, act)


def test_a_bot_that_the_launcher_has_not_started_is_not_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(scene: Scene) -> None:
        scene.process.pid = 0
        monkeypatch.setattr(bot_process, "BUSY_S", 0.0)
        with pytest.raises(ArenaError, match="within 1 ms: the launcher has not started it"):
            await BotProcess(ROLE, scene.launcher, scene.server).session(1)

    in_scene(monkeypatch, act)


def test_a_bot_that_the_machine_keeps_waiting_has_more_time_for_its_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(scene: Scene) -> None:
        def is_kept_waiting(_: BotProcess) -> bool:
            looks.append(True)
            if len(looks) == 30:
                scene.arrival.set_result(Broken())
            return True

        looks: list[bool] = []
        monkeypatch.setattr(bot_process, "LOOK_S", 0.001)
        monkeypatch.setattr(BotProcess, "is_kept_waiting", is_kept_waiting)
        await BotProcess(ROLE, scene.launcher, scene.server).session(10)
        assert len(looks) == 30

    in_scene(monkeypatch, act)


@pytest.mark.parametrize(
    ("code", "started_before", "trial", "error"),
    [
        (-signal.SIGABRT, True, 1, ArenaError),
        (-signal.SIGABRT, True, 0, Unjudged),
        (-signal.SIGSEGV, False, 1, BotFault),
        (1, True, 1, BotFault),
    ],
)
def test_a_bot_that_started_before_is_not_at_fault_when_it_dies_like_one_without_memory(
    code: int, started_before: bool, trial: int, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(scene: Scene) -> None:
        def start(_: object) -> Process:
            ours = Process()
            ours.exited.set_result(Exit(trial, "", by_itself=True))
            return ours

        monkeypatch.setattr(scene, "start", start)
        bot = BotProcess(ROLE, scene.launcher, scene.server, {ROLE} if started_before else set())
        scene.process.exited.set_result(Exit(code, "", by_itself=True))
        with pytest.raises((ArenaError, BotFault)) as raised:
            await bot.session(30_000)
        assert raised.type is error

    in_scene(monkeypatch, act)


class Crowd(Scene):
    """Many bots, each of which says Hello at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(monkeypatch)
        self.pool = Pool(self.launcher, self.server)
        self.started = 0

    def spawn(self, *_: object) -> Process:
        self.started += 1
        return Process()

    def expect(self, *_: object) -> asyncio.Future[StreamSession]:
        arrival: asyncio.Future[StreamSession] = asyncio.get_running_loop().create_future()
        arrival.set_result(Broken())
        return arrival

    def kill(self, process: Process) -> None:
        process.exited.set_result(Exit(0, ""))

    def forget(self, token: str) -> None:
        pass

    async def round_of(self, bots: int) -> None:
        """Play a match with each of the bots."""
        for number in range(bots):
            process, _ = self.pool.take(Role(LOWEST, GAME, entrant=str(number)))
            await process.session(30_000)
            self.pool.give_back(process, freezes=False)


@pytest.mark.parametrize(
    ("bots", "spare", "started"),
    [(64, 0.3, 64), (65, 0.3, 130), (16, 0.2, 16), (17, 0.2, 34)],
)
async def test_bots_keep_their_processes_up_to_a_bound_and_while_there_is_memory(
    bots: int, spare: float, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.pool.spare_share", lambda: spare)
    crowd = Crowd(monkeypatch)
    for _ in range(2):
        await crowd.round_of(bots)
    assert crowd.started == started


def test_what_a_bot_printed_is_kept_without_paths_of_its_folder_and_of_our_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = str(LOWEST.home)

    async def act(scene: Scene) -> None:
        async def news() -> str:
            return f'I run in {home}\nFile "{home}/bot.py", line 1\nFile "{PACKAGE}/bots/sdk/python/main.py", line 2'

        scene.process.news = news  # type: ignore[method-assign]
        seat = ProcessSeat(ROLE, CLOCK, Pool(scene.launcher, scene.server))
        scene.arrival.set_result(Broken())
        await seat.connect()
        kept = 'I run in .\nFile "bot.py", line 1\nFile "ballcourt/bots/sdk/python/main.py", line 2'
        assert await seat.log() == kept
        scene.process.exited.set_result(Exit(1, await news(), by_itself=True))
        assert (await seat.vacate(Termination.TERMINATION_CRASH)).stderr_tail == kept == await seat.log()

    in_scene(monkeypatch, act)
