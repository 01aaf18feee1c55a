"""What checks run a bot with: a launcher and a server as in a tournament, and processes of the bot."""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.checks.check import tail
from ballcourt.arena.faults import BotFault, describe_exit
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.scripted_seats import ScriptedSeat, SessionSeat
from ballcourt.arena.match.seats import Answer, Evidence, Seat
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.stream.session import BotServer, StreamSession, open_server
from ballcourt.arena.processes.bot_process import BUSY_S, BotProcess, Role
from ballcourt.arena.processes.memory import resident
from ballcourt.arena.processes.plain import open_starter
from ballcourt.arena.processes.starter import Exit, Starter
from ballcourt.arena.processes.tree import children_of, token_of
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.workers.capacity import require_files
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault

SEED = 20
RANDOM: Final = Entrant(BotVersion("random", "1"))
"""Who sits at the table besides the bot that is checked."""


class CheckedProcess(BotProcess):
    """A process of the checked bot, which the checks can examine."""

    def pids(self) -> list[int]:
        """List the pids of the bot's processes, which have its token in their environment; none but on Linux."""
        if sys.platform != "linux":
            return []
        found = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
        return [pid for pid in found if token_of(pid) == self.token]

    def detached(self) -> int:
        """Count the processes that detached themselves from their parents, as daemons do."""
        pids = self.pids()
        below = {child for pid in pids for child in children_of(pid)}
        return max(0, len(set(pids) - below) - 1)

    def memory(self) -> int:
        """Return the resident memory of its processes, in bytes."""
        return sum(resident(pid) for pid in self.pids())

    def ask_to_end(self) -> None:
        """Send SIGTERM; SIGKILL follows only when `exit` has given up."""
        self._launcher.kill(self._process, BUSY_S)

    async def exit(self, seconds: float) -> Exit | None:
        """Wait for the process to end; return None if it took `seconds` of its own time instead.

        Raises TimeoutError if the machine kept it waiting for `BUSY_S`.
        """
        await self.within(seconds, self.exited)
        return self.exited.result() if self.exited.done() else None


class CheckedSeat(SessionSeat):
    """A seat for a checked process, which is ended after a fault so that its output can be quoted."""

    def __init__(self, process: CheckedProcess, session: StreamSession, clock: Clock) -> None:
        super().__init__(session, clock)
        self._process = process

    async def vacate(self, cause: Termination) -> Evidence:
        """End the process and return what it shows about the fault."""
        return await self._process.end(cause)

    async def put(self, message: ArenaMessage) -> Answer | None:
        """Send a message of a script; return the answer if one is due. Raises BotFault, also for an illegal action."""
        answer = await super().put(message)
        if answer and answer.action not in message.decide.legal:
            offered = ", ".join(map(str, message.decide.legal))
            sentence = f"the bot answered with action {answer.action}; legal were {offered}"
            raise BotFault(Termination.TERMINATION_ILLEGAL, sentence)
        return answer


@dataclass(frozen=True)
class Harness:
    """Starts a bot and plays with it."""

    bot: Bot
    clock: Clock
    sandbox: Sandbox
    starter: Starter
    server: BotServer
    setups: Sequence[SetUp] = ()
    """In what the bot is to play; by default at every table size of a game, with the game's own options."""

    def tables(self, game: Game) -> Sequence[SetUp]:
        """Return the set-ups of a game in which the bot is to play."""
        own = [one for one in self.setups if one.game == game.name]
        return own or [SetUp(game=game.name, seats=n, rules_version=game.rules_version) for n in game.seat_counts]

    def sizes(self, game: Game) -> list[SetUp]:
        """Return a set-up for each table size at which the bot is to play, the smallest one first."""
        by_size = {one.seats: one for one in reversed(self.tables(game))}
        return [by_size[seats] for seats in sorted(by_size)]

    async def start(self, game: Game) -> tuple[CheckedProcess, CheckedSeat]:
        """Start the bot and wait for its Hello. Raises BotFault, whose sentence quotes what the bot wrote."""
        process = CheckedProcess(Role(self.bot, game, self.sandbox), self.starter, self.server)
        try:
            session = await process.session(self.clock.startup_ms)
        except BotFault as fault:
            evidence = await process.end(Termination.TERMINATION_CRASH)
            ended = f": {describe_exit(evidence.exit_code)}" if evidence.exit_code is not None else ""
            raise BotFault(fault.termination, fault.sentence + ended + tail(evidence.stderr_tail)) from None
        return process, CheckedSeat(process, session, self.clock)

    async def play(self, game: Game, seat: Seat, setup: SetUp, place: int) -> MatchRecord:
        """Play a match with a seat at a place of the table, among seats that choose at random."""
        table: list[Seat] = [_random_seat(SEED + number) for number in range(setup.seats)]
        table[place] = seat
        entrants = [self.bot.entrant if number == place else RANDOM for number in range(setup.seats)]
        return await self._match(game, setup, table, SEED, entrants)

    async def scripts(self, game: Game, number: int, *, observes: bool) -> list[list[ArenaMessage]]:
        """Play match `number` among seats that choose at random; return what each seat was sent."""
        tables = self.tables(game)
        setup = tables[number % len(tables)]
        seed = SEED + setup.seats * number
        table = [_random_seat(seed + seat, observes=observes) for seat in range(setup.seats)]
        await self._match(game, setup, table, seed, [RANDOM] * setup.seats)
        return [seat.sent for seat in table]

    async def _match(
        self, game: Game, setup: SetUp, table: Sequence[Seat], seed: int, entrants: Sequence[Entrant]
    ) -> MatchRecord:
        key = f"check-{game.name}-{setup.seats}"
        spec = MatchSpec(key, game.name, setup.options, seed, tuple(entrants), self.clock)
        return await play_match(game, spec, table)


@asynccontextmanager
async def open_harness(
    bot: Bot, clock: Clock, sandbox: Sandbox = NO_SANDBOX, setups: Sequence[SetUp] = ()
) -> AsyncIterator[Harness]:
    """Start a launcher and a server; on leaving, end all processes of the bot.

    Raises CapacityError if this process may not have enough open files.
    """
    require_files()
    async with open_starter() as starter, open_server(starter.socket_folder) as server:
        yield Harness(bot, clock, sandbox, starter, server, setups)


def _random_seat(seed: int, *, observes: bool = False) -> ScriptedSeat:
    """Return a seat that chooses at random, always the same way for a seed."""
    chance = Random(seed)
    return ScriptedSeat(lambda decide: Answer(chance.choice(decide.legal)), observes=observes)


def fault_of(record: MatchRecord, seat: int) -> SeatFault | None:
    """Return the fault that vacated a seat; None if its bot kept it."""
    return next((fault for fault in record.faults if fault.seat == seat), None)
