"""Bot processes that outlive a match. A seat takes one, plays, and returns it unless its bot was at fault."""

import asyncio
import secrets
import signal
import sys
from dataclasses import dataclass

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.faults import ArenaError, BotFault, Unjudged, describe_end
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.session import SOCKETS, BotServer, StreamSession
from ballcourt.arena.match.watchdog import STALL_S, Watchdog, stood_still
from ballcourt.arena.processes.memory import SHORT, spare_share
from ballcourt.arena.processes.starter import Exit, Starter
from ballcourt.arena.sandbox.launch import Launch
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.sandbox.trial import IMPORTS
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import MatchStart, Termination

IDLE_LIMIT = SOCKETS
"""How many idle processes a worker keeps at most: one for each of the server's sockets."""
IDLE_LEAST = 16
"""How many it keeps even when memory is short."""
SPARE = 0.25
"""Memory is short when less than this share of it is available."""
LOOK_S = 1.0  # between two looks at it, each of which takes a millisecond
DIGEST_S = 1.0  # how long an idle bot may run after the end of its match before it is stopped
STOLEN_US = 250_000  # how much CPU time a bot that is stopped may use in a match, in long system calls for example
SHORT_OF_MEMORY = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
"""What ends programs that cannot get memory; gRPC aborts when it cannot start a thread."""
TRIAL = f"{IMPORTS}; import mmap; mmap.mmap(-1, 256 << 20)"
"""A program that starts wherever a Python bot does."""
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
    """A running bot: a process and, after its Hello, a session."""

    def __init__(self, role: Role, launcher: Starter, server: BotServer, proven: set[Role] | None = None) -> None:
        """`proven` are the roles in which a bot of this worker has said Hello."""
        self.role = role
        self._proven = set() if proven is None else proven
        self._launcher = launcher
        self._server = server
        self.token = secrets.token_urlsafe(24)
        self._arrival = server.expect(self.token, role.game)
        environment = role.bot.environment(server.way(self.token), self.token)
        self._began = asyncio.get_running_loop().time()
        self._process = launcher.spawn(role.bot, environment, role.sandbox)
        self._session: StreamSession | None = None
        self._nap: asyncio.TimerHandle | None = None
        self.has_played = False
        self.stood_still_s = 0.0  # how long the arena did so while the bot started

    async def session(self, budget_ms: int) -> StreamSession:
        """Wait for its Hello. Raises BotFault if it is refused, exits, or takes longer than the budget.

        Raises ArenaError if the arena stood still meanwhile, so that the bot may have given it up.
        """
        if self._session is None:
            self._session = await self._hello(budget_ms)
        return self._session

    @property
    def exited(self) -> asyncio.Future[Exit]:
        """How the process ended; ArenaError if the launcher ended first."""
        return self._process.exited

    @property
    def is_ready(self) -> bool:
        """Whether it can play another match."""
        return not self.exited.done() and self._session is not None and not self._session.closed.is_set()

    def freeze(self) -> None:
        """Stop all its processes until `thaw`."""
        self._process.stop()

    def freeze_soon(self) -> None:
        """Stop it after the time that a bot may need at the end of a match."""
        self._nap = asyncio.get_running_loop().call_later(DIGEST_S, self.freeze)

    def thaw(self) -> None:
        """Let it run."""
        if self._nap:
            self._nap.cancel()
        self._process.resume()

    async def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it."""
        return await self._process.news()

    def cpu_us(self) -> int:
        """Return the CPU time that all its processes have used, in microseconds."""
        return self._process.cpu_us()

    def stolen_us(self) -> int:
        """Return the CPU time that they have used while they were stopped, in microseconds."""
        return self._process.stolen_us()

    async def end(self, cause: Termination) -> Evidence:
        """End the process; report how it exited, if by itself. Raises ArenaError if the launcher ends."""
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
        """End the process and its stream without waiting."""
        self.thaw()
        self._server.forget(self.token)
        self.terminate()
        if self._session:
            self._session.closed.set()

    async def farewell(self, reason: str) -> None:
        """Say Goodbye, if it has sent Hello."""
        if self._session:
            await self._session.farewell(reason)

    async def dismiss(self) -> None:
        """Say Goodbye, then end the process."""
        if self.is_ready:
            self.thaw()
            await self.farewell("no more matches")
        self.kill()

    async def _hello(self, budget_ms: int) -> StreamSession:
        arrival, exited = self._arrival, self.exited
        watchdog, late = Watchdog(), f"the bot did not say Hello within {budget_ms} ms"
        since_s = asyncio.get_running_loop().time() - self._began
        self.stood_still_s = since_s if since_s > STALL_S else 0.0
        try:
            with watchdog.guard(budget_ms, late):
                await asyncio.wait((arrival, exited), return_when=asyncio.FIRST_COMPLETED)
                if not arrival.done():
                    raise await self._early_end(exited.result())
        except BotFault as fault:
            if fault.termination == Termination.TERMINATION_TIMEOUT:
                if not self._process.pid:
                    raise ArenaError(f"the launcher did not start the bot within {budget_ms} ms") from None
                raise _failed_to_start(late) from None
            if self.stood_still_s:
                raise stood_still(self.stood_still_s) from fault
            raise
        self.stood_still_s = max(self.stood_still_s, watchdog.stood_still_s)
        session = arrival.result()
        self._proven.add(self.role)
        return session

    async def _early_end(self, end: Exit) -> Exception:
        """Return the error for a process that ended before its Hello: BotFault, or ArenaError if it may be our fault.

        A bot that has started well before and is killed like this probably lacks memory, which the machine or its
        limits have not left. If a program of ours cannot start either, that is certain.
        """
        if end.ours:
            return ArenaError(end.failure)
        if -end.code in SHORT_OF_MEMORY and "OUT_OF_MEMORY" not in end.limits and self.role in self._proven:
            how = f"a bot that had started before {describe_end(end.code)} before it sent Hello"
            trial = await self._launcher.start(Launch([sys.executable, "-c", TRIAL], "/", {}, {}, 0, 0)).exited
            is_certain = trial.code or trial.failure
            return ArenaError(f"{how}: {SHORT}") if is_certain else Unjudged(f"{how}, as when {SHORT}")
        early = "the bot ended before it sent Hello" + ("" if end.code else "; does its program call run(...)?")
        return _failed_to_start(end.failure or early)


class Pool:
    """The bot processes of a worker."""

    def __init__(self, launcher: Starter, server: BotServer) -> None:
        self._launcher = launcher
        self._server = server
        self._idle: list[BotProcess] = []  # longest idle first
        self._leaving: set[asyncio.Task[None]] = set()
        self._proven: set[Role] = set()
        self._next_look = 0.0
        self._is_short = False

    def take(self, role: Role) -> BotProcess:
        """Return an idle process for this role, or a new one if there is none."""
        self._end_unfit()
        for process in reversed(self._idle):
            if process.role == role:
                self._idle.remove(process)
                process.thaw()
                return process
        return self.start(role)

    def start(self, role: Role) -> BotProcess:
        """Return a new process for this role, which has seen no match."""
        return BotProcess(role, self._launcher, self._server, self._proven)

    def give_back(self, process: BotProcess, *, may_ponder: bool) -> None:
        """Keep a process for another match; end the longest idle one if there are too many or memory is short."""
        process.has_played = True
        if not may_ponder:
            process.freeze_soon()
        self._idle.append(process)
        idle = len(self._idle)
        if idle > IDLE_LIMIT or (idle > IDLE_LEAST and self._memory_is_short()):
            self._idle.pop(0).kill()

    def _memory_is_short(self) -> bool:
        """Return whether it is, or was at most `LOOK_S` ago."""
        now = asyncio.get_running_loop().time()
        if now >= self._next_look:
            self._next_look, self._is_short = now + LOOK_S, spare_share() < SPARE
        return self._is_short

    def let_go(self, process: BotProcess) -> None:
        """End a process that has played its only match, in the background."""
        leaving = asyncio.create_task(process.dismiss())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    def _end_unfit(self) -> None:
        """End idle processes that cannot play again, such as those that closed their stream but did not exit."""
        for process in self._idle:
            if not process.is_ready:
                process.kill()
        self._idle = [process for process in self._idle if process.is_ready]

    async def dismiss(self) -> None:
        """End the idle processes."""
        await asyncio.gather(*self._leaving, *(process.dismiss() for process in self._idle))
        self._idle.clear()


class ProcessSeat(Seat):
    """A seat played by a bot process. Call `release` after the match, however it ended."""

    def __init__(self, role: Role, clock: Clock, pool: Pool, lifetime: Lifetime = Lifetime.TOURNAMENT) -> None:
        super().__init__(clock)
        self._role = role
        self._lifetime = lifetime
        self._pool = pool
        self._process: BotProcess | None = None
        self._cpu_us = 0  # at the start of the match; after the process has ended, for the match
        self._stolen_us = 0  # at the start of the match
        self._last_words = ""  # of a bot that lost its seat

    async def start(self, start: MatchStart) -> None:
        """Seat a bot. A process that ended after an earlier match is replaced by a new one.

        Raises ArenaError for a bot that ends after the arena stood still while it started.
        """
        while True:
            try:
                return await super().start(start)
            except BotFault as fault:
                if fault.termination != Termination.TERMINATION_CRASH or not (process := self._process):
                    raise
                if process.stood_still_s and not process.has_played:
                    raise stood_still(process.stood_still_s) from fault
                if not process.has_played:
                    raise
                process.kill()

    async def connect(self) -> StreamSession:
        """Take a process and wait for its Hello."""
        bot, game = self._role.bot, self._role.game
        if bot.games and game.name not in bot.games:
            plays = ", ".join(bot.games)
            raise BotFault(
                Termination.TERMINATION_REFUSED, f"the bot.toml says that the bot plays {plays}, not {game.name}"
            )
        fresh = self._lifetime is Lifetime.MATCH
        self._process = self._pool.start(self._role) if fresh else self._pool.take(self._role)
        session = await self._process.session(self.clock.startup_ms)
        self._cpu_us, self._stolen_us = self._process.cpu_us(), self._process.stolen_us()
        return session

    async def vacate(self, cause: Termination) -> Evidence:
        """End the process and return what it shows about the fault."""
        process, self._process = self._process, None
        if not process:
            return Evidence()
        alive_us = process.cpu_us()  # a killed sandbox does not count all of it
        evidence = await process.end(cause)
        self._last_words = evidence.stderr_tail
        self._cpu_us = max(alive_us, process.cpu_us()) - self._cpu_us
        return evidence

    def stop(self) -> None:
        """Stop the process."""
        if self._process:
            self._process.freeze()

    def resume(self) -> None:
        """Let the process run. Raises BotFault if it has done so without being asked."""
        if not self._process:
            return
        self._process.thaw()
        stolen_us = self._process.stolen_us() - self._stolen_us
        if stolen_us > STOLEN_US:
            raise BotFault(
                Termination.TERMINATION_PROTOCOL_ERROR,
                f"the bot used {stolen_us // 1000} ms of CPU time while it was stopped for the others to think; a bot "
                "must not continue itself",
            )

    async def log(self) -> str:
        """Return what the bot has printed in this match, at most the end of it."""
        return await self._process.news() if self._process else self._last_words

    def cpu_us(self) -> int:
        """Return the CPU time of the process in this match, in microseconds."""
        return self._process.cpu_us() - self._cpu_us if self._process else self._cpu_us

    def release(self, *, finished: bool) -> None:
        """Give up the process: as its lifetime says after a finished match, at once after one that failed."""
        process, self._process = self._process, None
        if process is None:
            return
        if not finished:
            process.kill()
        elif self._lifetime is Lifetime.MATCH:
            self._pool.let_go(process)
        else:
            self._pool.give_back(process, may_ponder=self.clock.ponder)


class EmptySeat(Seat):
    """The seat of a bot that was put out: it has failed to start."""

    def __init__(self, clock: Clock, why: str) -> None:
        super().__init__(clock)
        self._why = why

    async def connect(self) -> StreamSession:
        """Raise BotFault."""
        raise _failed_to_start(self._why)

    async def vacate(self, cause: Termination) -> Evidence:
        """Do nothing: there is no process to end."""
        return Evidence()


def _failed_to_start(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_FAILED_TO_START, sentence)
