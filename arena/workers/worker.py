"""A worker process: one event loop, one gRPC server, one launcher. It plays the matches that its runner sends.

A keeper starts it as `python -m ballcourt.arena.workers.worker FD`, where FD is its end of a socket pair with the
runner, whose first message is an `Outfit`. When the other end closes, because the runner is done or died, the worker
ends with everything it started.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.faults import Unjudged
from ballcourt.arena.match.circumstances import host
from ballcourt.arena.match.referee import Onlooker
from ballcourt.arena.match.seats import Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.session import Server
from ballcourt.arena.processes.bot_process import Role
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.memory import set_up_memory
from ballcourt.arena.processes.tree import end_on_interrupts, end_with_parent
from ballcourt.arena.remote.hosting import Hosting, Journal
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.remote.sessions import RemoteSeat, RemoteSession
from ballcourt.arena.workers.broadcast import Broadcast
from ballcourt.arena.workers.local_match import LocalMatch
from ballcourt.arena.workers.orders import (
    BEAT_S,
    Beat,
    Begun,
    Dismiss,
    Dismissed,
    FromWorker,
    MatchOutcome,
    Order,
    Outfit,
    Present,
    RollCall,
    Told,
    ToWorker,
)
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import EmptySeat, Pool, ProcessSeat
from ballcourt.arena.workers.speed import speed
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

LAST_RESORT_S = 15


class Worker:
    """Plays all matches it is sent at the same time; the runner limits their number."""

    def __init__(
        self,
        connection: "Connection[FromWorker, ToWorker]",
        pool: Pool,
        registry: SessionRegistry,
        over: asyncio.Event,
        bot_cpus: int = 0,
        speed: float = 1.0,
    ) -> None:
        """Once `over` is set, send nothing: matches that fail then can be played by another worker.

        `bot_cpus` is the number of processors that the bots have to themselves, `speed` that of their processors.
        """
        self._connection = connection
        self._pool = pool
        self._registry = registry
        self._over = over
        self._bot_cpus = bot_cpus
        self._speed = speed
        self._sending = asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()  # the matches, and the wait for remote bots

    def start(self, order: ToWorker) -> None:
        """Start a match, the wait for the remote bots, or their dismissal; or update what their owners are shown."""
        match order:
            case Told():
                self._registry.board.tell(order.statuses, order.out)
                return
            case Order():
                work = asyncio.create_task(self._play(order))
            case RollCall():
                work = asyncio.create_task(self._call_the_roll(order))
            case Dismiss():
                work = asyncio.create_task(self._dismiss(order.reason, [*self._work]))
        self._work.add(work)
        work.add_done_callback(self._work.discard)

    async def beat(self) -> None:
        """Send a `Beat` regularly, forever, while there is a match to play."""
        while True:
            await asyncio.sleep(BEAT_S)
            if self._work:
                await self._send(Beat(self._registry.present()))

    async def close(self) -> None:
        """Cancel the running matches, and end all bots."""
        for match in self._work:
            match.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._pool.dismiss()

    async def _play(self, order: Order) -> None:
        match = order.match
        async with AsyncExitStack() as stack:
            try:
                onlooker = None
                if match.broadcasts:
                    broadcast = Broadcast(match.broadcasts, find_game(match.spec.game), match.spec)
                    onlooker = (await stack.enter_async_context(broadcast)).decided
                outcome = MatchOutcome(order.number, await self._record(order, onlooker))
            except Exception as error:
                outcome = MatchOutcome(order.number, b"", str(error), traceback.format_exc(), _suspect(error, match))
            await self._send(outcome)

    async def _call_the_roll(self, call: RollCall) -> None:
        self._registry.agree(call.agreed)
        await self._send(Present(await self._registry.roll_call(call.wait_s)))

    async def _dismiss(self, reason: str, matches: list[asyncio.Task[None]]) -> None:
        async with self._sending:  # a message that is cancelled halfway would spoil the connection
            for match in matches:
                match.cancel()
            await asyncio.gather(*matches, return_exceptions=True)
        await self._registry.dismiss(reason)
        await self._send(Dismissed())

    async def _send(self, message: FromWorker) -> None:
        async with self._sending:
            if self._over.is_set():
                return
            with contextlib.suppress(OSError):  # the runner is gone, which the listening thread notices too
                await asyncio.to_thread(self._connection.send, message)

    async def _record(self, order: Order, onlooker: Onlooker | None) -> bytes:
        match = order.match
        due = [entrant for entrant in match.spec.entrants if entrant.remote and entrant.bot.name not in match.out]
        versions = {entrant.bot.name: entrant.bot.version for entrant in due}
        async with self._registry.reserve([*versions], versions) as sessions:
            await self._send(Begun(order.number))
            return await self._play_among(match, sessions, onlooker)

    async def _play_among(
        self, match: PlayableMatch, sessions: Mapping[str, RemoteSession], onlooker: Onlooker | None
    ) -> bytes:
        """Play a match between local bots and the remote bots of these sessions."""
        spec, game = match.spec.on(self._speed), find_game(match.spec.game)
        seats = [
            self._seat(match, entrant, spec.clock_of(seat), game, sessions)
            for seat, entrant in enumerate(spec.entrants)
        ]
        record = await LocalMatch(replace(match, spec=spec), seats, onlooker=onlooker).play()
        record.bot_cpus, record.host.speed = self._bot_cpus, self._speed
        return record.SerializeToString()

    def _seat(
        self,
        match: PlayableMatch,
        entrant: Entrant,
        clock: Clock,
        game: Game,
        sessions: Mapping[str, RemoteSession],
    ) -> Seat:
        if why := match.out.get(entrant.bot.name):
            return EmptySeat(clock, why)
        if entrant.remote and entrant.bot.name not in sessions:
            return EmptySeat(clock, "the bot was not connected when the match was due")
        if entrant.remote:
            return RemoteSeat(sessions[entrant.bot.name], clock)
        role = Role(match.bots[entrant], game, match.sandbox, entrant.bot.name)
        return ProcessSeat(role, clock, self._pool, match.lifetime, takes_turns=match.takes_turns)


def _suspect(error: Exception, match: PlayableMatch) -> str:
    """Return the entrant that may have brought about an error; empty if nothing points at one."""
    if isinstance(error, Unjudged) and error.seat is not None:
        return match.spec.entrants[error.seat].bot.name
    return ""


async def serve(connection: "Connection[FromWorker, ToWorker]", outfit: Outfit) -> None:
    """Play until the runner closes the connection or the launcher dies."""
    over, cores = asyncio.Event(), outfit.cores
    async with (
        LauncherProcess(over.set, lifeline=(connection.fileno(),)) as launcher,
        Server(launcher.socket_folder) as server,
        _sessions(outfit.hosting, launcher.folder) as registry,
    ):
        index = speed(cores.bots if cores else None)
        if cores:
            host()  # looks at the machine while this process may use all of it
            os.sched_setaffinity(launcher.pid, cores.bots)
            os.sched_setaffinity(0, cores.arena)
        worker = Worker(connection, Pool(launcher, server), registry, over, len(cores.bots) if cores else 0, index)
        _listen(connection, worker, over)
        beat = asyncio.create_task(worker.beat())
        try:
            await over.wait()
        finally:
            over.set()  # also in an unforeseen end, in which the bots' streams end for no fault of theirs
        beat.cancel()
        _exit_at_the_latest()
        await worker.close()


@asynccontextmanager
async def _sessions(hosting: Hosting | None, folder: Path) -> AsyncIterator[SessionRegistry]:
    """Provide the sessions of remote bots; without `hosting` there are none."""
    if hosting is None:
        yield SessionRegistry()
        return
    from ballcourt.arena.remote.admission import serve_remote_bots  # brings pydantic, a third of a worker's start

    async with serve_remote_bots(hosting, folder, Journal()) as registry:
        yield registry


def _listen(connection: "Connection[FromWorker, ToWorker]", worker: Worker, over: asyncio.Event) -> threading.Thread:
    """Receive orders in a thread, and set `over` when no more can be received; return the thread."""
    loop = asyncio.get_running_loop()

    def listen() -> None:
        try:
            with contextlib.suppress(EOFError, OSError, RuntimeError):
                while True:
                    loop.call_soon_threadsafe(worker.start, connection.recv())
        finally:  # an order that cannot be read raises anything; without its orders this process would never end
            with contextlib.suppress(RuntimeError):  # the loop has already ended
                loop.call_soon_threadsafe(over.set)
            _exit_at_the_latest()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    return thread


def _exit_at_the_latest() -> None:
    """Exit after a while even if something, such as the rules of a game, blocks the loop, or no thread can be started.

    The kernel ends this process with SIGALRM.
    """
    signal.alarm(LAST_RESORT_S)


async def _work(connection: "Connection[FromWorker, ToWorker]", outfit: Outfit) -> None:
    await serve(connection, outfit)
    os._exit(0)  # everything is closed; gRPC's own tasks would only complain about being cancelled


def main() -> None:
    """Serve the runner at the file descriptor that is the argument."""
    set_up_memory()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # our parent may have it ignored
    end_on_interrupts()
    end_with_parent()  # if the keeper dies; without it nothing would clean up
    connection: Connection[Any, Any] = Connection(int(sys.argv[1]))
    try:
        outfit = connection.recv()
    except (EOFError, OSError):  # the runner is gone already
        return
    asyncio.run(_work(connection, outfit))


if __name__ == "__main__":
    main()
