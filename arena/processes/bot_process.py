"""A running bot: a process and, after its Hello, the streams on which it plays."""

import asyncio
import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.causes import unstartable
from ballcourt.arena.faults import ArenaError, BotFault, Unjudged, describe_end
from ballcourt.arena.match.seats import Evidence
from ballcourt.arena.match.spec import MOST_MS
from ballcourt.arena.match.stream.session import BotServer, StreamSession
from ballcourt.arena.match.watchdog import STALL_S, Watchdog, stood_still
from ballcourt.arena.printable import cut
from ballcourt.arena.processes.memory import SHORT
from ballcourt.arena.processes.starter import Exit, Starter
from ballcourt.arena.processes.tree import state_of
from ballcourt.arena.sandbox.launch import Launch
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.sandbox.trial import IMPORTS
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import Termination

DIGEST_S = 1.0  # how long an idle bot may run after the end of its match before it is stopped
SHORT_OF_MEMORY = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
"""What ends programs that cannot get memory; gRPC aborts when it cannot start a thread."""
TRIAL = f"{IMPORTS}; import mmap; mmap.mmap(-1, 256 << 20)"
"""A program that starts wherever a Python bot does."""
LOOK_S: Final = 0.1
"""How often to look at what a bot does that is waited for, in seconds."""
BUSY_S: Final = 60.0
"""For how long this machine may keep a bot waiting that is waited for."""
WAITING: Final = ("R", "D")
"""The states of threads that wait for a processor or have it, or wait for a disk."""
LAST_WORDS_S = 3.0  # how long a process that broke its stream may take to exit by itself


@dataclass(frozen=True)
class Role:
    """What a bot process is started for. It plays in no other role."""

    bot: Bot
    game: Game
    sandbox: Sandbox = NO_SANDBOX
    entrant: str = ""
    """The entrant's name: copies of a bot under different labels share no process."""


class BotProcess:
    """A running bot: a process and its streams, each with a session after its Hello.

    It plays one match at a time on each stream. If there are several streams, whatever ends the process ends all of its
    matches: otherwise a bot could have a match that it is losing played again by giving up another one.
    """

    def __init__(
        self,
        role: Role,
        launcher: Starter,
        server: BotServer,
        proven: set[Role] | None = None,
        streams: int = 1,
    ) -> None:
        """`proven` are the roles in which a bot of this worker has said Hello."""
        self.role = role
        self.streams = streams
        self.playing: set[int] = set()
        """The streams on which a match is played."""
        self.is_retired = False
        """Whether it begins no other match."""
        self.is_condemned = False
        """Whether it was ended for a fault."""
        self._proven = set() if proven is None else proven
        self._launcher = launcher
        self._server = server
        self.token = secrets.token_urlsafe(24)
        self._arrivals = [server.expect(self.token, role.game) for _ in range(streams)]
        environment = role.bot.environment(server.way(self.token), self.token, streams)
        self._began = asyncio.get_running_loop().time()
        self._process = launcher.spawn(role.bot, environment, role.sandbox)
        self._sessions: dict[int, StreamSession] = {}
        self._awake: set[int] = set()  # the streams for which it may run
        self._news = asyncio.Lock()
        self._is_watched = False  # whether something has waited for it
        self._nap: asyncio.TimerHandle | None = None
        self.has_played = False
        self.stood_still_s = 0.0  # how long the arena did so while the bot started

    async def session(self, budget_ms: int, stream: int = 0) -> StreamSession:
        """Wait for the Hello of a stream. Raises BotFault if it is refused, exits, or takes longer than the budget.

        Raises ArenaError if the arena stood still meanwhile, so that the bot may have given it up.
        """
        if stream not in self._sessions:
            self._sessions[stream] = await self._hello(budget_ms, self._arrivals[stream])
        return self._sessions[stream]

    def occupy(self) -> int:
        """Take a free stream for a match, and let the process run. There must be room."""
        stream = next(self._free())
        self.playing.add(stream)
        self.thaw(stream)
        return stream

    def vacate(self, stream: int) -> None:
        """Free a stream after its match."""
        self.has_played = True
        self.playing.discard(stream)
        self._awake.discard(stream)

    def close(self, stream: int) -> None:
        """End a stream, of which the arena knows no more what the bot expects."""
        self.is_retired = True
        if session := self._sessions.get(stream):
            session.closed.set()

    def _free(self) -> Iterator[int]:
        """Yield the streams on which another match can be played."""
        for stream in range(self.streams):
            session = self._sessions.get(stream)
            if stream not in self.playing and not (session and session.closed.is_set()):
                yield stream

    @property
    def exited(self) -> asyncio.Future[Exit]:
        """How the process ended; ArenaError if the launcher ended first."""
        return self._process.exited

    @property
    def has_room(self) -> bool:
        """Whether it can play another match."""
        return not (self.is_retired or self.exited.done()) and any(True for _ in self._free())

    def freeze(self, stream: int = 0) -> None:
        """Stop all its processes until `thaw`, unless they may run for another stream."""
        self._awake.discard(stream)
        if not (self._awake or self.is_condemned):
            self._process.stop()

    def freeze_soon(self, stream: int) -> None:
        """Stop it after the time that a bot may need at the end of a match."""
        self.thaw(stream)
        self._nap = asyncio.get_running_loop().call_later(DIGEST_S, self.freeze, stream)

    def thaw(self, stream: int = 0) -> None:
        """Resume it."""
        if self._nap:
            self._nap.cancel()
        self._awake.add(stream)
        self._process.resume()

    async def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it."""
        async with self._news:
            return await self._process.news()

    def cpu_us(self) -> int:
        """Return the CPU time that all its processes have used, in microseconds."""
        return self._process.cpu_us()

    def stolen_us(self) -> int:
        """Return the CPU time that they have used while they were stopped, in microseconds."""
        return self._process.stolen_us()

    async def end(self, cause: Termination) -> Evidence:
        """End the process; report how it exited, if by itself. Raises ArenaError if the launcher ends."""
        self.is_condemned = True
        self.thaw()
        if cause == Termination.TERMINATION_CRASH:
            await asyncio.wait((self.exited,), timeout=LAST_WORDS_S)
        self.terminate()
        end = await asyncio.shield(self.exited)
        self.kill()  # close the stream only now: a bot that exits because it closed did not exit by itself
        return Evidence(end.code if end.by_itself else None, end.tail, end.limits)

    def terminate(self) -> None:
        """Ask the process to end while its stream stays open: SIGTERM, then SIGKILL."""
        self._launcher.kill(self._process)

    def kill(self) -> None:
        """End the process and its streams without waiting."""
        self.thaw()
        self._server.forget(self.token)
        self.terminate()
        for session in self._sessions.values():
            session.closed.set()

    async def farewell(self, reason: str) -> None:
        """Say Goodbye on each stream that has had its Hello."""
        await asyncio.gather(*(session.farewell(reason) for session in self._sessions.values()))

    async def dismiss(self) -> None:
        """Say Goodbye, then end the process."""
        if self.has_room:
            self.thaw()
            await self.farewell("no more matches")
        self.kill()

    async def within(self, seconds: float, *futures: asyncio.Future[Any]) -> None:
        """Wait for one of the futures until the bot has had `seconds`, in which it computed or slept.

        While it waits for a processor or a disk, the machine is slow, not the bot; so it is while the arena stands
        still. Raises TimeoutError if the bot was kept waiting for `BUSY_S`.
        """
        looks, asleep, before_us = 0, 0, self.cpu_us()
        async with asyncio.timeout(seconds + BUSY_S):
            while not any(future.done() for future in futures):
                own_s = asleep * LOOK_S + (self.cpu_us() - before_us) / 1e6
                if min(looks * LOOK_S, own_s) >= seconds:
                    return
                await asyncio.wait(futures, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                looks += 1
                asleep += not self.is_kept_waiting()

    def is_kept_waiting(self) -> bool:
        """Whether a thread of it would run if the machine let it, or none has begun or is left; Linux alone knows."""
        states = [state_of(task) for pid in self._process.pids() for task in Path("/proc").glob(f"{pid}/task/*")]
        return sys.platform == "linux" and (not states or any(state in WAITING for state in states))

    async def _hello(self, budget_ms: int, arrival: asyncio.Future[StreamSession]) -> StreamSession:
        watchdog, late = Watchdog(), f"the bot did not say Hello within {budget_ms} ms"
        exited = self.exited
        if not self._is_watched:
            self._is_watched = True
            since_s = asyncio.get_running_loop().time() - self._began
            self.stood_still_s = since_s if since_s > STALL_S else 0.0
        try:
            with watchdog.guard(MOST_MS, late):
                with suppress(TimeoutError):
                    await self.within(budget_ms / 1000, arrival, exited)
                if not arrival.done():
                    raise await self._no_hello(late)
        except BotFault as fault:
            if self.stood_still_s:
                raise stood_still(self.stood_still_s) from fault
            raise
        self.stood_still_s = max(self.stood_still_s, watchdog.stood_still_s)
        session = arrival.result()
        self._proven.add(self.role)
        return session

    async def _no_hello(self, late: str) -> Exception:
        """Return the error for a process that said no Hello: BotFault, or ArenaError if it may be our fault.

        A bot that has started well before and is killed like this probably lacks memory, which the machine or its
        limits have not left. If a program of ours cannot start either, that is certain.
        """
        if not self.exited.done():
            return (
                failed_to_start(late) if self._process.pid else ArenaError(f"{late}: the launcher has not started it")
            )
        end = self.exited.result()
        if end.ours:
            return ArenaError(end.failure)
        if -end.code in SHORT_OF_MEMORY and "OUT_OF_MEMORY" not in end.limits and self.role in self._proven:
            how = f"a bot that had started before {describe_end(end.code)} before it sent Hello"
            trial = await self._launcher.start(Launch([sys.executable, "-c", TRIAL], "/", {}, {}, 0, 0)).exited
            is_certain = trial.code or trial.failure
            return ArenaError(f"{how}: {SHORT}") if is_certain else Unjudged(f"{how}, as when {SHORT}")
        command, directory = self.role.bot.command, self.role.bot.directory
        if (end.failure or end.code) and (why := unstartable(command, directory)):
            return failed_to_start(f"could not start '{cut(' '.join(command))}' in {directory}: {why}")
        early = "the bot ended before it sent Hello" + ("" if end.code else "; does its program call run(...)?")
        return failed_to_start(end.failure or early)


def failed_to_start(sentence: str) -> BotFault:
    """Return the fault of a bot that did not say Hello."""
    return BotFault(Termination.TERMINATION_FAILED_TO_START, sentence)
