"""A tournament: from its settings to its matches, and from its matches to their records.

It is a pure function of game, options, entrants and seed, so that running it again plays exactly what is missing.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from ballcourt.arena.bots.bot import Bot, check_plays
from ballcourt.arena.bots.entries import Entry, resolve_entry
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.match.policy import FaultPolicy, parse_policy
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.processes.builds import ready_entries
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox, sandbox_of
from ballcourt.arena.tournament.balance import Balance, balance
from ballcourt.arena.tournament.formats.round_robin import blocks_for, round_robin
from ballcourt.arena.tournament.schedule import Block, Seating, block_size, keyed_seatings, seatings
from ballcourt.arena.tournament.settings import SEED_LIMIT, Settings, SettingsError
from ballcourt.arena.tournament.suspensions import rounds
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

DEFAULT_ROUNDS = 1
DEFAULT_LIFETIME = Lifetime.TOURNAMENT


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides which matches are played; `blocks` counts tables of one seed, not rounds."""

    game: Game
    seats: int
    options: Mapping[str, str]
    entrants: tuple[Entrant, ...]
    bots: Mapping[Entrant, Bot]
    """The bots of this machine; remote entrants have none."""
    blocks: int
    seed: int
    clock: Clock
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    sandbox: Sandbox = NO_SANDBOX
    lifetime: Lifetime = Lifetime.TOURNAMENT

    @property
    def matches(self) -> int:
        """How many matches the tournament has."""
        return self.blocks * self.block_size

    @property
    def block_size(self) -> int:
        """How many matches are played on each seed."""
        return block_size(len(self.entrants), self.seats)

    def specs(self) -> Iterator[MatchSpec]:
        """Yield the matches in order of their keys, whoever sits out."""
        for block in self._blocks():
            yield from (self._spec(block, seating) for seating in keyed_seatings(block))

    def playable(self, block: Block, matches: Iterable[Seating]) -> list[PlayableMatch]:
        """Make these matches of a block, ready to be played."""
        return [
            PlayableMatch(self._spec(block, seating), self.bots, self.sandbox, self.lifetime) for seating in matches
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

    def stages(self) -> Iterator[list[Block]]:
        """Yield the blocks in portions after which it is decided who sits out: rounds, or all at once."""
        if self.policy.judges:
            return rounds(self._blocks(), len(self.entrants), self.seats)
        return iter([list(self._blocks())])

    def balance(self) -> Balance:
        """Count what the schedule gives each entrant."""
        return balance(len(self.entrants), (table for block in self._blocks() for table in seatings(block)))

    def _blocks(self) -> Iterator[Block]:
        return islice(round_robin(len(self.entrants), self.seats, self.seed), self.blocks)


def plan(settings: Settings, resolve: Callable[[str], Entry] = resolve_entry) -> Tournament:
    """Check settings against the games and bots there are, fill in defaults, draw a seed if none is given, build.

    `resolve` returns the entry that a name in the settings means. Raises SettingsError, BotError, SandboxError or
    EngineError, each with one sentence, and whatever `resolve` raises.
    """
    if settings.game is None:
        raise SettingsError('no game is named; give game = "..." in the tournament file, or --game')
    if settings.bots is None:
        raise SettingsError("no bots are named; give bots = [...] in the tournament file, or --bot for each")
    game = find_game(settings.game)
    entries = tuple(resolve(name) for name in settings.bots)
    _check_entries(game, entries)
    entrants = tuple(entry.entrant for entry in entries)
    seats = _seats(game, settings.seats, len(entrants))
    options = game.check(seats, settings.options)
    rounds = None if settings.matches else settings.blocks or DEFAULT_ROUNDS
    blocks = blocks_for(len(entrants), seats, rounds=rounds, matches=settings.matches)
    seed = secrets.randbelow(SEED_LIMIT) if settings.seed is None else settings.seed
    clock, policy, sandbox = clock_of(settings.clock), parse_policy(settings.faults), sandbox_of(settings.sandbox)
    lifetime = Lifetime(settings.lifetime or DEFAULT_LIFETIME)
    bots = ready_entries(entries, sandbox)
    return Tournament(game, seats, options, entrants, bots, blocks, seed, clock, policy, sandbox, lifetime)


def clock_of(values: Mapping[str, int]) -> Clock:
    """Set a clock: the defaults, changed by the values. Raises SettingsError."""
    try:
        return replace(Clock(), **values)  # type: ignore[arg-type]  # the clock checks them
    except ValueError as error:
        raise SettingsError(f"clock: {error}") from error


def _seats(game: Game, asked: int | None, entrants: int) -> int:
    fitting = [count for count in game.seat_counts if count <= entrants]
    seats = asked if asked is not None else max(fitting, default=min(game.seat_counts))
    if seats > entrants:
        raise SettingsError(
            f"{seats} seats cannot be filled by {entrants} different {'bot' if entrants == 1 else 'bots'}; "
            f"name at least {seats} bots, or give fewer seats"
        )
    return seats


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
