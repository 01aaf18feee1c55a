"""Checks a bot before it enters a tournament: the same processes, clocks and matches, and advice where it fails."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from arena.bots import BOT_FILE, Bot, BotError, load_bot, resolve_bot
from arena.faults import BotFault, describe_exit
from arena.match import Clock, MatchSpec
from arena.processes import Exit, LauncherProcess, Process
from arena.runner import Runner
from arena.session import Server, StreamSession
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault
from engine.core import Game
from engine.registry import find_game, games

OPPONENTS = ("random", "first-legal")
SEED = 20
LEAVE_S = 3.0
"""So long a bot may take to end after Goodbye."""
SIGKILL = -9
TAIL_LINES = 12

START_ADVICE = (
    "see that the command of bot.toml works in the bot's folder, and that the program dials the socket "
    "BALLCOURT_SOCKET and sends Hello before it does anything slow"
)
ADVICE = {
    Termination.TERMINATION_ILLEGAL: "answer with one of the numbers in Decide.legal, nothing else",
    Termination.TERMINATION_TIMEOUT: "answer within Decide.limit_ms; leave some of it for the way",
    Termination.TERMINATION_CRASH: "the lines above are the last the bot wrote; repair that and check again",
    Termination.TERMINATION_PROTOCOL_ERROR: "compare what the bot sends with protocol.proto",
    Termination.TERMINATION_FAILED_TO_START: START_ADVICE,
    Termination.TERMINATION_REFUSED: "say in bot.toml and Hello only what is true: protocol, games, rules versions",
}


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: what came out, and for a failure what to do about it."""

    title: str
    passed: bool
    detail: str
    advice: str = ""


@dataclass
class BotCheck:
    """The checks of one bot. Iterate once over `run()`; afterwards `think_us` holds all its thinking times."""

    folder: Path
    game: str = ""
    """Empty: the first installed game that the bot plays."""
    clock: Clock = field(default_factory=Clock)
    think_us: list[int] = field(default_factory=list)

    def run(self) -> Iterator[Check]:
        """Check one thing after the other; what needs an earlier check to have passed is left out when it has not.

        Raises BotError when there is no bot.toml to check or no opponent, UnknownGame for a game not installed.
        """
        opponents = [resolve_bot(name) for name in OPPONENTS]
        if self.game:
            find_game(self.game)
        file = self.folder / BOT_FILE if self.folder.is_dir() else self.folder
        if not file.exists():
            raise BotError(f"{file} does not exist; a bot is a folder with a {BOT_FILE}")
        try:
            bot = load_bot(file)
        except BotError as error:
            yield Check(BOT_FILE, False, str(error), "correct the file")
            return
        yield Check(BOT_FILE, True, f"{bot.name} {bot.version}")
        game = find_game(self.game or first_game(bot))
        checks = asyncio.run(_manners(bot, game, self.clock))
        yield from checks
        if checks[0].passed:
            yield from self._matches(bot, game, opponents)

    def _matches(self, bot: Bot, game: Game, opponents: Sequence[Bot]) -> Iterator[Check]:
        """Play at every seat count, then once more: by then the same process has played on the same stream before."""
        specs = [_spec(bot, game, opponents, seats, self.clock) for seats in (*game.seat_counts, game.seat_counts[0])]
        with Runner(workers=1) as runner:
            for number, spec in enumerate(specs):
                (record,) = runner.run([spec])
                again = number == len(game.seat_counts)
                yield self._judged(record, "once more on the same stream" if again else f"a match of {game.name}")
        if self.think_us:
            yield Check("thinking time", True, self._latency())

    def _judged(self, record: MatchRecord, title: str) -> Check:
        seat = len(record.entrants) - 1
        seats, thinking = record.decisions.seats, record.decisions.think_us
        times = [think for owner, think in zip(seats, thinking, strict=True) if owner == seat and think]
        self.think_us += times
        title = f"{title}, table of {seat + 1}"
        fault = next((fault for fault in record.faults if fault.seat == seat), None)
        if fault is None:
            result = record.results[seat]
            return Check(title, True, f"{len(times)} decisions; placed {result.placement}, {result.score:g} points")
        return Check(title, False, _account(fault), ADVICE.get(fault.termination, START_ADVICE))

    def _latency(self) -> str:
        half, nearly_all = (percentile(self.think_us, share) / 1000 for share in (50, 99))
        return f"median {half:.1f} ms, 99th percentile {nearly_all:.1f} ms, longest {max(self.think_us) / 1000:.1f} ms"


def first_game(bot: Bot) -> str:
    """Choose a game to check a bot with: the first installed one that it plays. Raises BotError when there is none."""
    playable = [name for name in games() if not bot.games or name in bot.games]
    if not playable:
        raise BotError(f"{bot.name} plays {', '.join(bot.games)}, but installed are only {', '.join(games())}")
    return playable[0]


def percentile(values: Sequence[int], share: int) -> int:
    """Return the smallest value that at least `share` percent of the values do not exceed."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def _spec(bot: Bot, game: Game, opponents: Sequence[Bot], seats: int, clock: Clock) -> MatchSpec:
    """Seat the bot last, so that it meets all kinds of beginnings; the opponents take turns before it."""
    others = [opponents[seat % len(opponents)] for seat in range(seats - 1)]
    return MatchSpec(f"check-{seats}", game.name, game.check(seats, {}), SEED, (*others, bot), clock)


def _account(fault: SeatFault) -> str:
    """Tell what happened at which decision, how the process ended and what it wrote last."""
    kind = Termination.Name(fault.termination).removeprefix("TERMINATION_").lower().replace("_", " ")
    ended = f"; the process ended: {describe_exit(fault.exit_code)}" if fault.exit_code else ""
    return f"{kind} at decision {fault.decision}: {fault.detail}{ended}" + _tail(fault.stderr_tail)


def _tail(written: str) -> str:
    return "".join(f"\n| {line}" for line in written.splitlines()[-TAIL_LINES:])


async def _manners(bot: Bot, game: Game, clock: Clock) -> list[Check]:
    """Check how the process begins and ends; the first of the checks says whether it begins at all."""
    checks = []
    async with LauncherProcess(lambda: None) as launcher, Server(launcher.folder / "arena.sock") as server:
        try:
            begun = perf_counter()
            process, session = await _started(bot, game, clock, launcher, server)
            took = (perf_counter() - begun) * 1000
            checks += [
                Check("start and Hello", True, f"{took:.0f} ms with {session.hello.sdk or 'no SDK'}"),
                _identity(bot, session),
                await _leaves(process, session),
            ]
            process, _ = await _started(bot, game, clock, launcher, server)
            launcher.kill(process)
            checks.append(_terminates(await process.exited))
        except BotFault as fault:
            checks.append(Check("start and Hello", False, fault.sentence, ADVICE[fault.termination]))
    return checks


async def _started(
    bot: Bot, game: Game, clock: Clock, launcher: LauncherProcess, server: Server
) -> tuple[Process, StreamSession]:
    """Start a process and wait for its Hello. Raises BotFault."""
    token = secrets.token_urlsafe(24)
    arrival = server.expect(token, game)
    process = launcher.spawn(bot, {"BALLCOURT_SOCKET": server.address, "BALLCOURT_TOKEN": token})
    await asyncio.wait((arrival, process.exited), timeout=clock.startup_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
    if arrival.done():
        return process, arrival.result()
    late = f"no Hello within {clock.startup_ms} ms"
    if process.exited.done():
        end = process.exited.result()
        late = end.failure or f"the process ended before its Hello: {describe_exit(end.code)}{_tail(end.tail)}"
    raise BotFault(Termination.TERMINATION_FAILED_TO_START, late)


def _identity(bot: Bot, session: StreamSession) -> Check:
    """Compare what Hello and bot.toml call the bot."""
    told = session.hello.bot
    title, wanted = "name and version", f"{bot.name} {bot.version}"
    if (told.name, told.version) == (bot.name, bot.version):
        return Check(title, True, f"{wanted} in both Hello and {BOT_FILE}")
    said = f"Hello says {told.name or 'no name'} {told.version or 'without version'}, {BOT_FILE} says {wanted}"
    return Check(title, False, said, f"say the same in both; the Python SDK takes them from {BOT_FILE}")


async def _leaves(process: Process, session: StreamSession) -> Check:
    """Say Goodbye and see the process end."""
    title = "end after Goodbye"
    await session.farewell("this was only a check")
    await asyncio.wait((process.exited,), timeout=LEAVE_S)
    if not process.exited.done():
        return Check(title, False, f"still running after {LEAVE_S:g} s", "close the stream and exit on Goodbye")
    end: Exit = process.exited.result()
    if end.code:
        return Check(title, False, describe_exit(end.code) + _tail(end.tail), "exit with code 0 on Goodbye")
    return Check(title, True, "exit code 0")


def _terminates(end: Exit) -> Check:
    """Judge how a process that was waiting took a SIGTERM."""
    title = "end on SIGTERM"
    if end.code == SIGKILL:
        return Check(title, False, "it had to be killed", "do not ignore SIGTERM, or pass it on to the bot you wrap")
    return Check(title, True, describe_exit(end.code))
