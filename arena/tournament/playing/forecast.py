"""What a tournament will take, known before it is played: time, processes and memory."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.workers.capacity import BOT_MB, WORKER_MB
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.arena.workers.pool import IDLE_LIMIT
from ballcourt.engine.core.playout import playout

MOST_READ: Final = 300
"""The most records that are read to learn how long matches take; more would hardly change the answer."""
WORKER_PROCESSES: Final = 3
"""The worker, its keeper and its launcher."""
PLAYOUTS: Final = 3
"""Random matches from which the number of decisions is estimated where there are no records."""

Name = tuple[str, str]
"""Name and version of an entrant."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long recorded matches took."""

    matches: int
    thinking_s: Mapping[Name, float]
    """Mean think time of an entrant in a match, in seconds."""
    own_s: float
    """Mean time of the arena itself in a match, in seconds."""

    def match_s(self, entrants: Iterable[Name], seats: int) -> float:
        """Return the mean length of a match at a table of `seats`, in seconds.

        An entrant without records is taken to be a typical one.
        """
        typical = fmean(self.thinking_s.values())
        return seats * fmean(self.thinking_s.get(entrant, typical) for entrant in entrants) + self.own_s


@dataclass(frozen=True, slots=True)
class Load:
    """What runs at the same time."""

    workers: int
    """Each plays a match at a time."""
    bots: int
    """The most bot processes on this machine, idle ones included, if each bot is one process."""
    memory_mb: int
    """An estimate for the workers and for small bots, without the memory that processes of one program share."""
    limit_mb: int
    """The most that the sandbox allows them; 0: it sets no limit."""

    @property
    def processes(self) -> int:
        """All processes that the arena starts, with the runner."""
        return 1 + self.workers * WORKER_PROCESSES + self.bots


def recorded_pace(folder: Path, game: str, seats: int) -> Pace | None:
    """Learn from the records in an output folder how long matches of a game take; None if it has none of them.

    Raises FolderError if the folder cannot be read.
    """
    files = record_files(folder)
    records = []
    for file in files[:: max(1, len(files) // MOST_READ)]:
        try:
            record = read_record(file)
        except RecordError:  # the tournament plays it again
            continue
        if record.game == game and len(record.entrants) == seats:
            records.append(record)
    if not records:
        return None
    thinking: defaultdict[Name, list[float]] = defaultdict(list)
    for record in records:
        spent = [0] * len(record.entrants)
        for seat, think_us in zip(record.decisions.seats, record.decisions.think_us, strict=True):
            spent[seat] += think_us
        for entrant, think_us in zip(record.entrants, spent, strict=True):
            thinking[entrant.name, entrant.version].append(think_us / 1e6)
    own = fmean(record.overhead_p50_us * len(record.decisions.seats) / 1e6 for record in records)
    return Pace(len(records), {entrant: fmean(times) for entrant, times in thinking.items()}, own)


def match_s(tournament: Plan, folder: Path) -> tuple[float, int] | None:
    """Learn from the records in a folder how long a match takes, on average over the set-ups, and from how many.

    In seconds; None if there are no records of one of them. Raises FolderError if the folder cannot be read.
    """
    paces = {(setup.game, setup.seats): recorded_pace(folder, setup.game, setup.seats) for setup in tournament.setups}
    entrants = [(bot.bot.name, bot.bot.version) for bot in tournament.entrants]
    seconds = 0.0
    for share, setup in zip(tournament.shares(), tournament.setups, strict=True):
        pace = paces[setup.game, setup.seats]
        if pace is None:
            return None
        seconds += share * pace.match_s(entrants, setup.seats)
    return seconds, sum(pace.matches for pace in paces.values() if pace)


def longest_match_s(tournament: Plan) -> float:
    """Return how long a match takes if all bots use up their clocks, on average over the set-ups.

    In seconds, with as many decisions as in matches that are played at random. Set-ups that differ only in their
    options are taken to have the same number.
    """
    decisions: dict[tuple[str, int], float] = {}
    for setup in tournament.setups:
        if (setup.game, setup.seats) not in decisions:
            decisions[setup.game, setup.seats] = _decisions(setup)
    return sum(
        share * setup.seats * _longest_seat_s(tournament.clock, decisions[setup.game, setup.seats] / setup.seats)
        for share, setup in zip(tournament.shares(), tournament.setups, strict=True)
    )


def load(tournament: Plan, workers: int) -> Load:
    """Return what runs at the same time with this number of workers."""
    used = max(1, min(workers, tournament.matches))
    most = IDLE_LIMIT + tournament.seats if tournament.lifetime is Lifetime.TOURNAMENT else tournament.seats
    local = sum(not entrant.remote for entrant in tournament.entrants)
    bots = used * min(local, most)
    limit = tournament.sandbox.limits.memory_mb
    return Load(used, bots, used * WORKER_MB + bots * BOT_MB, used * WORKER_MB + bots * limit if limit else 0)


def _decisions(setup: SetUp) -> float:
    """Return the mean number of decisions of a match, played at random in this process."""
    return fmean(
        playout(setup.rules.initial_state(setup.seats, seed, setup.options), Random(seed).choice)
        for seed in range(PLAYOUTS)
    )


def _longest_seat_s(clock: Clock, decisions: float) -> float:
    """Return how long a bot may think in a match, in seconds; the bank does not run for bots that count their work."""
    by_cap = clock.cap_ms * decisions
    by_bank = clock.bank_ms + clock.increment_ms * decisions
    return (by_cap if clock.work else min(by_cap, by_bank)) / 1000
