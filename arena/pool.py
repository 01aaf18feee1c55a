"""Bot processes that outlive a match: a seat takes one, plays, and gives it back unless its bot was at fault."""

import asyncio
import secrets

from arena.bots import Bot
from arena.faults import ArenaError, BotFault
from arena.match import Clock
from arena.processes import LauncherProcess
from arena.seats import Evidence, Seat
from arena.session import Server, StreamSession
from ballcourt.v1.protocol_pb2 import MatchStart, Termination
from engine.core import Game

IDLE_LIMIT = 16
LAST_WORDS_S = 1.0  # a process that breaks its stream has so long to show how it ends
KILL_S = 10.0


class BotProcess:
    """A running bot: a process and, from its Hello on, a session."""

    def __init__(self, bot: Bot, game: Game, launcher: LauncherProcess, server: Server) -> None:
        self.bot = bot
        self.game = game
        self._launcher = launcher
        self._server = server
        self._token = secrets.token_urlsafe(24)
        self._arrival = server.expect(self._token, game)
        environment = {"BALLCOURT_SOCKET": server.address, "BALLCOURT_TOKEN": self._token}
        self._process = launcher.spawn(bot, environment)
        self._session: StreamSession | None = None
        self.has_played = False

    async def session(self, budget_ms: int) -> StreamSession:
        """Wait for its Hello. Raises BotFault when it is refused, or ends, or takes longer than the budget."""
        if self._session is None:
            self._session = await self._hello(budget_ms)
        return self._session

    @property
    def is_ready(self) -> bool:
        """Whether it could play another match."""
        return not self._process.exited.done() and self._session is not None and not self._session.closed.is_set()

    async def end(self, cause: Termination) -> Evidence:
        """End the process and report how it ended by itself, if it did."""
        if cause == Termination.TERMINATION_CRASH:
            await asyncio.wait((self._process.exited,), timeout=LAST_WORDS_S)
        by_itself = self._process.exited.done()
        self.kill()
        try:
            end = await asyncio.wait_for(asyncio.shield(self._process.exited), KILL_S)
        except TimeoutError:
            raise ArenaError(f"the launcher did not end the process of {self.bot.name} in {KILL_S} s") from None
        return Evidence(end.code if by_itself else 0, end.tail)

    def kill(self) -> None:
        """End the process without waiting."""
        self._server.forget(self._token)
        self._launcher.kill(self._process)
        if self._session:
            self._session.closed.set()

    async def dismiss(self) -> None:
        """Say Goodbye, then end the process."""
        if self._session and self.is_ready:
            await self._session.farewell("no more matches")
        self.kill()

    async def _hello(self, budget_ms: int) -> StreamSession:
        arrival, exited = self._arrival, self._process.exited
        await asyncio.wait((arrival, exited), timeout=budget_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        if arrival.done():
            return arrival.result()
        if not exited.done():
            raise _failed_to_start(f"the bot did not say Hello within {budget_ms} ms")
        raise _failed_to_start(exited.result().failure or "the bot ended before it said Hello")


class Pool:
    """The bot processes of a worker."""

    def __init__(self, launcher: LauncherProcess, server: Server) -> None:
        self._launcher = launcher
        self._server = server
        self._idle: list[BotProcess] = []  # longest idle first

    def take(self, bot: Bot, game: Game) -> BotProcess:
        """Find an idle process of this bot, or start one."""
        self._idle = [process for process in self._idle if process.is_ready]
        for process in reversed(self._idle):
            if process.bot == bot and process.game is game:
                self._idle.remove(process)
                return process
        return BotProcess(bot, game, self._launcher, self._server)

    def give_back(self, process: BotProcess) -> None:
        """Keep a process for another match; the longest idle one goes when there are too many."""
        process.has_played = True
        self._idle.append(process)
        if len(self._idle) > IDLE_LIMIT:
            self._idle.pop(0).kill()

    async def dismiss(self) -> None:
        """End the idle processes."""
        await asyncio.gather(*(process.dismiss() for process in self._idle))
        self._idle.clear()


class ProcessSeat(Seat):
    """A seat played by a bot process. Call `release` when the match is over, however it went."""

    def __init__(self, bot: Bot, game: Game, clock: Clock, pool: Pool) -> None:
        super().__init__(clock)
        self._bot = bot
        self._game = game
        self._pool = pool
        self._process: BotProcess | None = None

    async def start(self, start: MatchStart) -> None:
        """Seat a bot. A process that ended after an earlier match, noticed or not, is replaced by a fresh one."""
        while True:
            try:
                return await super().start(start)
            except BotFault as fault:
                if fault.termination != Termination.TERMINATION_CRASH or not (process := self._process):
                    raise
                if not process.has_played:
                    raise
                process.kill()

    async def connect(self) -> StreamSession:
        """Take a process and wait until it said Hello."""
        if self._bot.games and self._game.name not in self._bot.games:
            plays = ", ".join(self._bot.games)
            raise BotFault(
                Termination.TERMINATION_REFUSED, f"the bot.toml says that the bot plays {plays}, not {self._game.name}"
            )
        self._process = self._pool.take(self._bot, self._game)
        return await self._process.session(self.clock.startup_ms)

    async def vacate(self, cause: Termination) -> Evidence:
        """End the process and learn what can be learned from it."""
        process, self._process = self._process, None
        return await process.end(cause) if process else Evidence()

    def release(self, *, finished: bool) -> None:
        """Give the process back after a finished match, end it after one that broke off."""
        process, self._process = self._process, None
        if process and finished:
            self._pool.give_back(process)
        elif process:
            process.kill()


def _failed_to_start(sentence: str) -> BotFault:
    return BotFault(Termination.TERMINATION_FAILED_TO_START, sentence)
