"""The plan of a tournament: from its settings to its schedule and its matches.

It follows from game, options, entrants, seed and results alone, so a second run plays exactly the remaining matches.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ballcourt.arena.bots.bot import Bot, check_plays
from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.processes.builds import ready_entries
from ballcourt.arena.sandbox.tiers import Sandbox, sandbox_of
from ballcourt.arena.tournament.balance import Balance, balance
from ballcourt.arena.tournament.course import Course, DueBlock
from ballcourt.arena.tournament.formats import find_format
from ballcourt.arena.tournament.schedule import Block, Field, Length, Schedule, Seating, seatings
from ballcourt.arena.tournament.settings import SEED_LIMIT, Settings, SettingsError
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

DEFAULT_FORMAT = "round-robin"
DEFAULT_LENGTH = Length("rounds", 1)
DEFAULT_LIFETIME = Lifetime.TOURNAMENT
MOST_COUNTED = 1_000_000
"""Blocks times entrants up to which the balance of a schedule is counted: about a second."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides which matches are played, and how."""

    game: Game
    seats: int
    options: Mapping[str, str]
    entrants: tuple[Entrant, ...]
    bots: Mapping[Entrant, Bot]
    """The bots of this machine; remote entrants have none."""
    format: str
    schedule: Schedule
    seed: int
    clock: Clock
    policy: FaultPolicy
    sandbox: Sandbox
    lifetime: Lifetime

    @property
    def field(self) -> Field:
        """What the schedule was made for."""
        return Field(len(self.entrants), self.seats, self.seed)

    @property
    def matches(self) -> int:
        """The number of matches, or the most that there can be if that depends on results."""
        return self.schedule.blocks * self.field.block_size

    def course(self) -> Course:
        """Return the course of the tournament, at its beginning."""
        return Course(self.schedule, self.policy, len(self.entrants))

    def playable(self, due: DueBlock) -> list[PlayableMatch]:
        """Return the matches of a block that are to be played."""
        return [
            PlayableMatch(self._spec(due.block, seating), self.bots, self.sandbox, self.lifetime)
            for seating in due.matches
        ]

    def _spec(self, block: Block, seating: Seating) -> MatchSpec:
        key, table = seating
        return MatchSpec(
            key=key,
            game=self.game.name,
            options=dict(self.options),
            seed=block.seed,
            entrants=tuple(self.entrants[entrant] for entrant in table),
            clock=self.clock,
            policy=self.policy,
        )

    def balance(self) -> Balance | None:
        """Count what the schedule gives each entrant; None if that depends on results or takes too long."""
        if self.schedule.blocks * len(self.entrants) > MOST_COUNTED:
            return None
        blocks = list(self.schedule.stage(()))
        if len(blocks) < self.schedule.blocks:
            return None
        return balance(len(self.entrants), (table for block in blocks for table in seatings(block)))


def plan(settings: Settings, resolve: Callable[[str], Entry] = resolve_entry) -> Tournament:
    """Check settings against the known games and bots, fill in defaults, draw a seed if none is given, build the bots.

    `resolve` returns the entry that a name in the settings means. Raises SettingsError, ScheduleError, BotError,
    SandboxError or EngineError, each with one sentence, and whatever `resolve` raises.
    """
    if settings.game is None:
        raise SettingsError('no game is named; give game = "..." in the tournament file, or --game')
    if settings.bots is None:
        raise SettingsError("no bots are named; give bots = [...] in the tournament file, or --bot for each")
    game = find_game(settings.game)
    entries = tuple(resolve(name) for name in settings.bots)
    _check_entries(game, entries)
    entrants = tuple(entry.entrant for entry in entries)
    seats = settings.seats or _seats(game, len(entrants))
    seed = secrets.randbelow(SEED_LIMIT) if settings.seed is None else settings.seed
    field = Field(len(entrants), seats, seed)
    options = game.check(seats, settings.options)
    clock, policy, sandbox = clock_of(settings.clock), parse_policy(settings.faults), sandbox_of(settings.sandbox)
    lifetime = Lifetime(settings.lifetime or DEFAULT_LIFETIME)
    name = settings.format or DEFAULT_FORMAT
    schedule = find_format(name)(field, settings.length or DEFAULT_LENGTH)
    bots = ready_entries(entries, sandbox)
    return Tournament(game, seats, options, entrants, bots, name, schedule, seed, clock, policy, sandbox, lifetime)


def clock_of(values: Mapping[str, int]) -> Clock:
    """Return the default clock with these values replaced. Raises SettingsError."""
    try:
        return replace(Clock(), **values)  # type: ignore[arg-type]  # the clock checks them
    except ValueError as error:
        raise SettingsError(f"clock: {error}") from error


def _seats(game: Game, entrants: int) -> int:
    """Return the largest number of seats that these entrants can fill."""
    return max((count for count in game.seat_counts if count <= entrants), default=min(game.seat_counts))


def _check_entries(game: Game, entries: tuple[Entry, ...]) -> None:
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        name, version = entry.entrant.name, entry.entrant.version
        if (name, version) in seen:
            raise SettingsError(
                f"bot {name} {version} is named twice; an entrant plays once at a table, so name it once "
                f'or give the copy a label: "twin={name}"'
            )
        seen.add((name, version))
        if entry.bot:
            check_plays(entry.bot, game)
