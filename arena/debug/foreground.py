"""A bot that runs in the terminal of the command, so that its author can watch it and use breakpoints."""

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.faults import BotFault, describe_exit
from ballcourt.arena.match.stream.session import StreamSession, open_server
from ballcourt.arena.temporary import private_folder
from ballcourt.arena.workers.capacity import require_files
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import Termination

Announce = Callable[[Mapping[str, str]], None]
"""Shows a person the environment that a bot needs."""

LEAVE_S = 5.0
"""How long a bot may take to exit after Goodbye."""


@dataclass(frozen=True, slots=True)
class ForegroundBot:
    """A bot that has sent Hello, and its process unless it was started by hand."""

    session: StreamSession
    process: asyncio.subprocess.Process | None

    async def end(self) -> str:
        """Wait for the process to end; return how it ended, in brackets, or an empty string."""
        if not self.process or not await _ended(self.process):
            return ""
        return f" ({describe_exit(self.process.returncode or 0)})"


@asynccontextmanager
async def bot_in_foreground(game: Game, bot: Bot, attach: Announce | None) -> AsyncIterator[ForegroundBot]:
    """Start a bot, or with `attach` wait for one that is started by hand. On leaving, say Goodbye to it.

    Raises BotError when it cannot be started, BotFault when it is refused or ends before its Hello, and CapacityError
    if this process may not have enough open files.
    """
    require_files()
    with private_folder() as folder:
        async with open_server(Path(folder)) as server:
            token = secrets.token_urlsafe(24)
            arrival = server.expect(token, game)
            environment = bot.environment(server.way(token), token)
            if attach:
                attach(environment)
                running = ForegroundBot(await arrival, None)
            else:
                running = await _started(bot, environment, arrival)
            try:
                yield running
            finally:
                await _dismiss(running)


async def _started(bot: Bot, environment: Mapping[str, str], arrival: asyncio.Future[StreamSession]) -> ForegroundBot:
    process = await _spawn(bot, environment)
    ended = asyncio.create_task(process.wait())
    try:
        await asyncio.wait((arrival, ended), return_when=asyncio.FIRST_COMPLETED)
        if not arrival.done():
            sentence = f"the bot ended before it sent Hello ({describe_exit(ended.result())})"
            raise BotFault(Termination.TERMINATION_FAILED_TO_START, sentence)
        return ForegroundBot(arrival.result(), process)
    except BaseException:
        await _stop(process)
        raise
    finally:
        ended.cancel()


async def _spawn(bot: Bot, environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    """Start the bot with our standard input; all its output goes to our standard error.

    Our standard output is for the result. Without a preexec_fn this is a vfork, which is safe with gRPC's threads.
    """
    sys.stderr.flush()
    try:
        return await asyncio.create_subprocess_exec(
            *bot.command, cwd=bot.directory, env={**os.environ, **environment}, stdout=2
        )
    except OSError as error:
        raise BotError(f"could not start '{' '.join(bot.command)}' in {bot.directory}: {error}") from error


async def _dismiss(running: ForegroundBot) -> None:
    await running.session.farewell("that was all")
    if running.process:
        await _ended(running.process)
        await _stop(running.process)


async def _ended(process: asyncio.subprocess.Process) -> bool:
    try:
        async with asyncio.timeout(LEAVE_S):
            await process.wait()
    except TimeoutError:
        return False
    return True


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
