"""A worker process: one event loop, one gRPC server, one launcher. It plays the matches its runner sends it.

It is started by `arena.runner` as `python -m arena.worker FD`, where FD is its end of a socket pair. When the other end
closes, because the runner is done or because its process died, the worker ends with everything it started.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
import traceback
from multiprocessing.connection import Connection

from arena.launcher import PR_SET_CHILD_SUBREAPER, load_libc, own_children
from arena.match import MatchSpec
from arena.orders import Order, Outcome
from arena.pool import Pool, ProcessSeat
from arena.processes import LauncherProcess
from arena.referee import play_match
from arena.session import Server
from engine.registry import find_game

LAST_RESORT_S = 15.0
SOCKET = "arena.sock"


class Worker:
    """Plays every match it is sent, all at the same time; the runner sends only as many as it may."""

    def __init__(self, connection: "Connection[Outcome, Order]", pool: Pool) -> None:
        self._connection = connection
        self._pool = pool
        self._sending = asyncio.Lock()
        self._matches: set[asyncio.Task[None]] = set()

    def start(self, order: Order) -> None:
        """Begin a match."""
        match = asyncio.create_task(self._play(order))
        self._matches.add(match)
        match.add_done_callback(self._matches.discard)

    async def close(self) -> None:
        """Break off the matches that are under way, and end all bots."""
        for match in self._matches:
            match.cancel()
        await asyncio.gather(*self._matches, return_exceptions=True)
        await self._pool.dismiss()

    async def _play(self, order: Order) -> None:
        try:
            outcome = Outcome(order.number, await self._record(order.spec))
        except Exception as error:
            outcome = Outcome(order.number, b"", str(error), traceback.format_exc())
        async with self._sending:
            with contextlib.suppress(OSError):  # the runner has gone; the thread that listens to it says so too
                await asyncio.to_thread(self._connection.send, outcome)

    async def _record(self, spec: MatchSpec) -> bytes:
        game = find_game(spec.game)
        seats = [ProcessSeat(bot, game, spec.clock, self._pool) for bot in spec.entrants]
        finished = False
        try:
            record = await play_match(game, spec, seats)
            finished = True
        finally:
            for seat in seats:
                seat.release(finished=finished)
        return record.SerializeToString()


async def serve(connection: "Connection[Outcome, Order]") -> None:
    """Play until the runner closes the connection or the launcher dies."""
    over = asyncio.Event()
    async with (
        LauncherProcess(over.set, lifeline=(connection.fileno(),)) as launcher,
        Server(launcher.folder / SOCKET) as server,
    ):
        worker = Worker(connection, Pool(launcher, server))
        _listen(connection, worker, over)
        await over.wait()
        _exit_at_the_latest()
        await worker.close()


def _listen(connection: "Connection[Outcome, Order]", worker: Worker, over: asyncio.Event) -> None:
    """Pass orders on from a thread of its own, and set `over` when no more can come."""
    loop = asyncio.get_running_loop()

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError, RuntimeError):
            while True:
                loop.call_soon_threadsafe(worker.start, connection.recv())
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(over.set)
        _exit_at_the_latest()

    threading.Thread(target=listen, daemon=True).start()


def _exit_at_the_latest() -> None:
    """End the process by force if it does not end by itself: the rules of a game, say, may hold up the loop."""
    last_resort = threading.Timer(LAST_RESORT_S, os._exit, (1,))
    last_resort.daemon = True
    last_resort.start()


def _end_orphans() -> None:
    """Kill what a launcher that was killed could not end any more."""
    while children := own_children():
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


async def _work(connection: "Connection[Outcome, Order]") -> None:
    await serve(connection)
    _end_orphans()
    os._exit(0)  # all is closed; what gRPC is still winding up would only complain of being cancelled


def main() -> None:
    """Serve the runner at the file descriptor given as the argument."""
    load_libc().prctl(PR_SET_CHILD_SUBREAPER, 1)  # what a killed launcher leaves behind falls to us
    asyncio.run(_work(Connection(int(sys.argv[1]))))


if __name__ == "__main__":
    main()
