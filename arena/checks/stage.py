"""Where a bot is met to be checked: a launcher and a server as in a tournament, and processes of the bot."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.checks.check import tail
from ballcourt.arena.faults import BotFault, describe_exit
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.scripted_seats import ScriptedSeat, SessionSeat
from ballcourt.arena.match.seats import Answer, Evidence, Seat
from ballcourt.arena.match.session import Server, StreamSession
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.processes.handles import Exit, LauncherProcess
from ballcourt.arena.processes.memory import resident
from ballcourt.arena.processes.tree import children_of, token_of
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.workers.pool import BotProcess, Role
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault

SEED = 20


class Guest(BotProcess):
    """A process of the bot, which can be looked at from outside."""

    def pids(self) -> list[int]:
        """List the processes that carry the bot's token: its own and what it started."""
        found = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
        return [pid for pid in found if token_of(pid) == self.token]

    def detached(self) -> int:
        """Count the processes it started that left its family, as daemons do."""
        pids = self.pids()
        below = {child for pid in pids for child in children_of(pid)}
        return max(0, len(set(pids) - below) - 1)

    def memory(self) -> int:
        """Add up the resident memory of its processes, in bytes."""
        return sum(resident(pid) for pid in self.pids())

    async def exit(self, seconds: float) -> Exit | None:
        """Wait so long for the end of the process."""
        await asyncio.wait((self.exited,), timeout=seconds)
        return self.exited.result() if self.exited.done() else None


class GuestSeat(SessionSeat):
    """A seat for a guest; one at fault is ended, so that what it wrote can be told."""

    def __init__(self, guest: Guest, session: StreamSession, clock: Clock) -> None:
        super().__init__(session, clock)
        self._guest = guest

    async def vacate(self, cause: Termination) -> Evidence:
        """End the process and learn what can be learned from it."""
        return await self._guest.end(cause)

    async def put(self, message: ArenaMessage) -> Answer | None:
        """Send a message of a script; an answer that was not offered is a fault too."""
        answer = await super().put(message)
        if answer and answer.action not in message.decide.legal:
            offered = ", ".join(map(str, message.decide.legal))
            sentence = f"the bot answered with action {answer.action}; offered were {offered}"
            raise BotFault(Termination.TERMINATION_ILLEGAL, sentence)
        return answer


@dataclass(frozen=True)
class Stage:
    """What the checks need to start a bot and to play with it."""

    bot: Bot
    clock: Clock
    sandbox: Sandbox
    launcher: LauncherProcess
    server: Server

    async def guest(self, game: Game) -> tuple[Guest, GuestSeat]:
        """Start the bot and wait for its Hello. Raises BotFault, whose sentence quotes what the bot wrote."""
        guest = Guest(Role(self.bot, game, self.sandbox), self.launcher, self.server)
        try:
            session = await guest.session(self.clock.startup_ms)
        except BotFault as fault:
            evidence = await guest.end(Termination.TERMINATION_CRASH)
            ended = f": {describe_exit(evidence.exit_code)}" if evidence.exit_code else ""
            raise BotFault(fault.termination, fault.sentence + ended + tail(evidence.stderr_tail)) from None
        return guest, GuestSeat(guest, session, self.clock)

    async def play(self, game: Game, seat: Seat, seats: int, place: int) -> MatchRecord:
        """Play a match with a seat at a place of the table among bots that choose at random."""
        table: list[Seat] = [_stranger(SEED + number) for number in range(seats)]
        table[place] = seat
        return await self._match(game, table, SEED)

    async def scripts(self, game: Game, number: int, *, observes: bool) -> list[list[ArenaMessage]]:
        """Let strangers play match `number` of all there could be; return what each of them was sent."""
        seats = game.seat_counts[number % len(game.seat_counts)]
        seed = SEED + seats * number
        table = [_stranger(seed + seat, observes=observes) for seat in range(seats)]
        await self._match(game, table, seed)
        return [stranger.sent for stranger in table]

    async def _match(self, game: Game, table: Sequence[Seat], seed: int) -> MatchRecord:
        # the record is not kept, so it does not matter who it says sat where
        spec = MatchSpec("check", game.name, {}, seed, (self.bot.entrant,) * len(table), self.clock)
        return await play_match(game, spec, table)


@asynccontextmanager
async def open_stage(bot: Bot, clock: Clock, sandbox: Sandbox = NO_SANDBOX) -> AsyncIterator[Stage]:
    """Start a launcher and a server; leaving ends every process of the bot."""
    async with (
        LauncherProcess(lambda: None, own_session=True) as launcher,
        Server(launcher.socket_folder) as server,
    ):
        yield Stage(bot, clock, sandbox, launcher, server)


def _stranger(seed: int, *, observes: bool = False) -> ScriptedSeat:
    """Seat somebody who chooses at random, always in the same way."""
    chance = Random(seed)
    return ScriptedSeat(lambda decide: Answer(chance.choice(decide.legal)), observes=observes)


def fault_of(record: MatchRecord, seat: int) -> SeatFault | None:
    """Return the fault of a seat, if it was lost."""
    return next((fault for fault in record.faults if fault.seat == seat), None)
