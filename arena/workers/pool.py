"""Bot processes that outlive a match. A seat takes one, plays, and returns it unless its bot was at fault."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from ballcourt.arena.faults import BotFault
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.gate import Gate
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.match.stream.session import SOCKETS, BotServer, StreamSession
from ballcourt.arena.match.watchdog import stood_still
from ballcourt.arena.processes.bot_process import BotProcess, Role, failed_to_start
from ballcourt.arena.processes.memory import spare_share
from ballcourt.arena.processes.starter import Starter
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.v1.protocol_pb2 import MatchStart, Termination

IDLE_LIMIT = SOCKETS
"""How many idle processes a worker keeps at most: one for each of the server's sockets."""
IDLE_LEAST = 16
"""How many it keeps even when memory is short."""
SPARE = 0.25
"""Memory is short when less than this share of it is available."""
LOOK_S = 1.0  # between two looks at it, each of which takes a millisecond
STOLEN_US = 250_000  # how much CPU time a bot that is stopped may use in a match, in long system calls for example


class Pool:
    """The bot processes of a worker."""

    def __init__(self, launcher: Starter, server: BotServer) -> None:
        self.gate = Gate()
        """What the bots pass to think, if several matches are played at once and their clocks must not overlap."""
        self._launcher = launcher
        self._server = server
        self._kept: list[BotProcess] = []  # those that have room for another match, longest idle first
        self._leaving: set[asyncio.Task[None]] = set()
        self._proven: set[Role] = set()
        self._next_look = 0.0
        self._is_short = False

    def take(self, role: Role, streams: int = 1) -> tuple[BotProcess, int]:
        """Return a process for this role that has room, and the stream for the match; start one if there is none.

        A process that is started has this number of streams.
        """
        self._end_unfit()
        kept = next((process for process in reversed(self._kept) if process.role == role), None)
        process = kept or self.start(role, streams)
        stream = process.occupy()
        if kept and not kept.has_room:
            self._kept.remove(kept)
        elif not kept and process.has_room:
            self._kept.append(process)
        return process, stream

    def start(self, role: Role, streams: int = 1) -> BotProcess:
        """Return a new process for this role, which has seen no match."""
        return BotProcess(role, self._launcher, self._server, self._proven, streams)

    def give_back(self, process: BotProcess, stream: int = 0, *, freezes: bool) -> None:
        """Keep a process for another match; end the longest idle one if there are too many or memory is short.

        It is stopped meanwhile if it `freezes`.
        """
        process.vacate(stream)
        if process in self._kept:
            self._kept.remove(process)
        if process.is_retired and not process.playing:
            process.kill()
        elif process.has_room or not process.playing:  # what cannot play again may still be ending by itself
            self._kept.append(process)
            if freezes and not process.playing:
                process.freeze_soon(stream)
        idle = [process for process in self._kept if not process.playing]
        if len(idle) > IDLE_LIMIT or (len(idle) > IDLE_LEAST and self._memory_is_short()):
            self._kept.remove(idle[0])
            idle[0].kill()

    def give_up(self, process: BotProcess, stream: int) -> None:
        """End a process whose match broke off for no fault of its bot, once it plays no other match."""
        process.close(stream)
        self.give_back(process, stream, freezes=False)

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
        for process in self._kept:
            if not (process.playing or process.has_room):
                process.kill()
        self._kept = [process for process in self._kept if process.has_room]

    async def dismiss(self) -> None:
        """End the processes that play no match."""
        idle = [process for process in self._kept if not process.playing]
        self._kept.clear()
        await asyncio.gather(*self._leaving, *(process.dismiss() for process in idle))


class ProcessSeat(Seat):
    """A seat played by a bot process. Call `release` after the match, however it ended."""

    def __init__(
        self,
        role: Role,
        clock: Clock,
        pool: Pool,
        lifetime: Lifetime = Lifetime.TOURNAMENT,
        *,
        takes_turns: bool = False,
    ) -> None:
        """With `takes_turns`, the bots of the pool think one after the other, see `PlayableMatch.takes_turns`."""
        super().__init__(clock)
        self._role = role
        self._lifetime = lifetime
        self._pool = pool
        self._takes_turns = takes_turns
        self._process: BotProcess | None = None
        self._stream = 0
        self._cpu_us = 0  # at the start of the match; after the process has ended, for the match
        self._own_cpu_us = 0  # in its turns
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
        if self._lifetime is Lifetime.MATCH:
            self._process = self._pool.start(self._role)
            self._stream = self._process.occupy()
        else:
            self._process, self._stream = self._pool.take(self._role, bot.matches if self._takes_turns else 1)
        session = await self._process.session(self.clock.startup_ms, self._stream)
        self._cpu_us, self._stolen_us = self._process.cpu_us(), self._process.stolen_us()
        if self._takes_turns:
            self.freeze()
        return session

    def turn(self, *, is_asked: bool = False) -> AbstractAsyncContextManager[int]:
        """Return a context that begins when no other bot of the pool thinks, if they take turns."""
        process = self._process
        return self._turn(process, is_asked) if self._takes_turns and process else super().turn(is_asked=is_asked)

    @asynccontextmanager
    async def _turn(self, process: BotProcess, is_asked: bool) -> AsyncIterator[int]:
        batches = is_asked and self.session.hello.capabilities.batches
        async with self._pool.gate.admit(process, batches=batches) as together:
            self.beside = max(self.beside, len(process.playing) - 1)
            before_us = process.cpu_us()
            try:
                yield together
            except BotFault as fault:
                if process.is_condemned:
                    why = "the bot's process plays several matches at once, and was ended for a fault in another one"
                    raise BotFault(Termination.TERMINATION_CRASH, why) from fault
                raise
            finally:
                self._own_cpu_us += (process.cpu_us() - before_us) // together
                self.freeze()

    async def vacate(self, cause: Termination) -> Evidence:
        """End the process and return what it shows about the fault."""
        process, self._process = self._process, None
        if not process:
            return Evidence()
        alive_us = process.cpu_us()  # a killed sandbox does not count all of it
        evidence = await process.end(cause)
        self._last_words = self._from_its_folder(evidence.stderr_tail)
        self._cpu_us = max(alive_us, process.cpu_us()) - self._cpu_us
        return replace(evidence, stderr_tail=self._last_words)

    def stop(self) -> None:
        """Stop the process."""
        if self._process:
            self._process.freeze(self._stream)

    def resume(self) -> None:
        """Resume the process. Raises BotFault if it has run without being asked."""
        if not self._process:
            return
        self._process.thaw(self._stream)
        stolen_us = self._process.stolen_us() - self._stolen_us
        if stolen_us > STOLEN_US:
            raise BotFault(
                Termination.TERMINATION_PROTOCOL_ERROR,
                f"the bot used {stolen_us // 1000} ms of CPU time while it was stopped for the others to think; a bot "
                "must not continue itself",
            )

    async def log(self) -> str:
        """Return what the bot has printed in this match, at most the end of it.

        Of several matches that a process plays at once, the one that ends first has it.
        """
        return self._from_its_folder(await self._process.news()) if self._process else self._last_words

    def _from_its_folder(self, printed: str) -> str:
        """Return what a bot printed without the paths of its folder and of our code: they are for the organiser."""
        home = str(self._role.bot.home)
        return printed.replace(f"{home}/", "").replace(home, ".").replace(f"{PACKAGE.parent}/", "")

    def cpu_us(self) -> int:
        """Return the CPU time of the process in this match, in microseconds; in its turns, if bots take turns."""
        if self._takes_turns:
            return self._own_cpu_us
        return self._process.cpu_us() - self._cpu_us if self._process else self._cpu_us

    def release(self, *, finished: bool) -> None:
        """Give up the process: as its lifetime says after a finished match, at once after one that failed."""
        process, self._process = self._process, None
        if process is None:
            return
        if not finished:
            self._pool.give_up(process, self._stream)
        elif self._lifetime is Lifetime.MATCH:
            process.vacate(self._stream)
            self._pool.let_go(process)
        else:
            self._pool.give_back(process, self._stream, freezes=self.clock.in_turns)


class EmptySeat(Seat):
    """The seat of a bot that was put out: it has failed to start."""

    def __init__(self, clock: Clock, why: str) -> None:
        super().__init__(clock)
        self._why = why

    async def connect(self) -> StreamSession:
        """Raise BotFault."""
        raise failed_to_start(self._why)

    async def vacate(self, cause: Termination) -> Evidence:
        """Do nothing: there is no process to end."""
        return Evidence()
