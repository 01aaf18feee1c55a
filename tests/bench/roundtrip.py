"""Decisions through the real referee compared with a bare grpc.aio echo stream that carries messages of the same sizes.

Each side is a process with one event loop, over Unix sockets, with two client processes at every table: the referee
with bots that take the first legal action, `echo_server` with `echo_client`, which it asks in turn.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from subprocess import PIPE
from time import perf_counter, process_time

from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.seats import Evidence, Seat
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.stream.session import Server, StreamSession
from ballcourt.arena.processes.bot_process import BotProcess, Role
from ballcourt.arena.processes.handles import LauncherProcess
from ballcourt.arena.processes.memory import set_up_memory
from ballcourt.arena.workers.process import environment
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Action, ArenaMessage, BotMessage, Decide, Event, Termination
from ballcourt.v1.record_pb2 import DecidedBy
from tests.bench.measure import COMPILED, Line, compare

BUDGETS = {1: 1.4, 8: None, 32: 1.5} if COMPILED else {1: 1.5, 8: None, 32: 2.0}
"""By matches at a time: the largest ratio of a decision's wall time to an echo's."""
SEATS = 2
STARTUP_MS = 300_000
LEAST_MATCHES = 8
"""The matches of a round, in turns with the echo. One at a time, these are eight short pairs of measurements, which a
busy machine disturbs less than one long pair."""

GAME = find_game("tzolkin")


def lines(rounds: int) -> list[Line]:
    """Measure with 1, 8 and 32 matches at the same time, in a process that is set up like a worker."""
    command = [sys.executable, "-m", "tests.bench.roundtrip", str(rounds)]
    found = json.loads(subprocess.run(command, env=environment(), check=True, stdout=PIPE).stdout)
    return [Line(**line) for line in found]


async def _lines(rounds: int) -> list[Line]:
    async with _Referee.running(max(BUDGETS)) as referee:
        with _Echo.running(max(BUDGETS)) as echo:
            return [line for matches in BUDGETS for line in await _compare(referee, echo, matches, rounds)]


async def _compare(referee: "_Referee", echo: "_Echo", matches: int, rounds: int) -> list[Line]:
    await referee.measure(matches)
    ours, theirs = [], []
    for _ in range(rounds * max(1, LEAST_MATCHES // matches)):
        ours.append(await referee.measure(matches))
        theirs.append(echo.measure(matches, ours[-1].decisions))
    name = f"decision, {matches} at a time, against an echo:"
    return [
        compare(f"{name} wall", [one.wall_us for one in ours], [one.wall_us for one in theirs], BUDGETS[matches]),
        compare(f"{name} CPU of the arena", [one.cpu_us for one in ours], [one.cpu_us for one in theirs]),
    ]


@dataclass(frozen=True, slots=True)
class Cost:
    """The average cost of decisions: wall time, and CPU time of this process."""

    decisions: int
    wall_us: float
    cpu_us: float


class _Watch:
    """Measures the time since it was created."""

    def __init__(self) -> None:
        self._wall, self._cpu = perf_counter(), process_time()

    def cost(self, decisions: int) -> Cost:
        wall, cpu = perf_counter() - self._wall, process_time() - self._cpu
        return Cost(decisions, wall / decisions * 1e6, cpu / decisions * 1e6)


class _Referee:
    """The arena's own server and referee, with bots that have sent Hello."""

    def __init__(self, processes: list[BotProcess], sessions: list[StreamSession]) -> None:
        self._entrants = [process.role.bot.entrant for process in processes]
        self._sessions = sessions
        self._seed = 0

    @classmethod
    @asynccontextmanager
    async def running(cls, tables: int) -> AsyncIterator["_Referee"]:
        bot = find_bots().bots["first-legal"]
        async with (
            LauncherProcess(lambda: None) as launcher,
            Server(launcher.socket_folder) as server,
        ):
            processes = [BotProcess(Role(bot, GAME), launcher, server) for _ in range(SEATS * tables)]
            yield cls(processes, [await process.session(STARTUP_MS) for process in processes])
            await asyncio.gather(*(process.dismiss() for process in processes))

    async def measure(self, matches: int) -> Cost:
        """Play this many matches at a time; return the cost of a decision."""
        watch = _Watch()
        return watch.cost(sum(await asyncio.gather(*(self._play(table) for table in range(matches)))))

    async def _play(self, table: int) -> int:
        self._seed += 1
        seated = slice(SEATS * table, SEATS * (table + 1))
        spec = MatchSpec(f"bench-{self._seed}", GAME.name, {}, self._seed, tuple(self._entrants[seated]))
        record = await play_match(GAME, spec, [_Held(spec.clock, session) for session in self._sessions[seated]])
        if record.faults:
            raise SystemExit(f"a bot failed: {record.faults[0].detail}")
        return sum(by == DecidedBy.DECIDED_BY_BOT for by in record.decisions.decided_by)


class _Held(Seat):
    """A seat whose bot is already connected."""

    def __init__(self, clock: Clock, session: StreamSession) -> None:
        super().__init__(clock)
        self._held = session

    async def connect(self) -> StreamSession:
        return self._held

    async def vacate(self, cause: Termination) -> Evidence:
        return Evidence()


class _Echo:
    """A bare grpc.aio server in a process of its own, set up as gRPC is by default."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    @classmethod
    @contextmanager
    def running(cls, tables: int) -> Iterator["_Echo"]:
        question, reply = _sizes()
        command = [sys.executable, "-m", "tests.bench.echo_server", *map(str, (SEATS * tables, question, reply))]
        plain = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
        with subprocess.Popen(command, env=plain, stdin=PIPE, stdout=PIPE, text=True) as process:
            yield cls(process)
            assert process.stdin
            process.stdin.close()

    def measure(self, tables: int, decisions: int) -> Cost:
        """Exchange about `decisions` messages, spread over the tables; return the cost of one."""
        assert self._process.stdin
        assert self._process.stdout
        print(tables * SEATS, decisions, file=self._process.stdin, flush=True)
        return Cost(decisions, *map(float, self._process.stdout.readline().split()))


def _sizes() -> tuple[int, int]:
    """Return the average sizes in bytes of a question and an answer."""
    state, encoder = GAME.initial_state(SEATS, 1), Encoder(GAME.wire())
    questions: list[int] = []
    while pending := state.pending_seats():
        seat = pending[0]
        legal = state.legal_actions(seat)
        events = [Event(seat=seat, action=legal[0])] * SEATS
        decide = Decide(
            decision_id=len(questions) + 1,
            observation=encoder.encode(state, seat),
            legal=legal,
            events=events,
            bank_ms=60_000,
            limit_ms=10_000,
        )
        if len(legal) > 1:
            questions.append(ArenaMessage(decide=decide).ByteSize())
        state.apply(seat, legal[0])
    reply = BotMessage(action=Action(decision_id=len(questions), action=legal[0])).ByteSize()
    return sum(questions) // len(questions), reply


if __name__ == "__main__":
    set_up_memory()
    sys.stdout.write(json.dumps([asdict(line) for line in asyncio.run(_lines(int(sys.argv[1])))]))
