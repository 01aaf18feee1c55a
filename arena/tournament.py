"""A tournament: from its settings to its matches, and from its matches to their records.

It is a pure function of game, options, entrants and seed, so that running it again plays exactly what is missing.
"""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from arena.bots import Bot, resolve_bot
from arena.match import Clock, MatchSpec
from arena.schedule import Balance, Block, balance, blocks_for, round_robin, seatings
from arena.settings import SEED_LIMIT, Settings, SettingsError
from engine.core import Game
from engine.registry import find_game

DEFAULT_ROUNDS = 1


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides which matches are played; `blocks` counts tables of one seed, not rounds."""

    game: Game
    seats: int
    options: Mapping[str, str]
    entrants: tuple[Bot, ...]
    blocks: int
    seed: int
    clock: Clock

    @property
    def matches(self) -> int:
        """How many matches the tournament has."""
        return self.blocks * self.seats

    def specs(self) -> Iterator[MatchSpec]:
        """Yield the matches in order of their keys, which tell block and rotation and nothing of the seed."""
        for block in self._blocks():
            for rotation, table in enumerate(seatings(block)):
                yield MatchSpec(
                    key=f"b{block.index:06d}-r{rotation}",
                    game=self.game.name,
                    options=dict(self.options),
                    seed=block.seed,
                    entrants=tuple(self.entrants[entrant] for entrant in table),
                    clock=self.clock,
                )

    def balance(self) -> Balance:
        """Count what the schedule gives each entrant."""
        return balance(len(self.entrants), (table for block in self._blocks() for table in seatings(block)))

    def _blocks(self) -> Iterator[Block]:
        return islice(round_robin(len(self.entrants), self.seats, self.seed), self.blocks)


def plan(settings: Settings) -> Tournament:
    """Check settings against the games and bots there are, fill in defaults, and draw a seed if none is given.

    Raises SettingsError, BotError or EngineError, each with one sentence.
    """
    if settings.game is None:
        raise SettingsError('no game is named; give game = "..." in the tournament file, or --game')
    if settings.bots is None:
        raise SettingsError("no bots are named; give bots = [...] in the tournament file, or --bot for each")
    game = find_game(settings.game)
    entrants = tuple(resolve_bot(name) for name in settings.bots)
    _check_entrants(game, entrants)
    seats = _seats(game, settings.seats, len(entrants))
    options = game.check(seats, settings.options)
    rounds = None if settings.matches else settings.blocks or DEFAULT_ROUNDS
    blocks = blocks_for(len(entrants), seats, rounds=rounds, matches=settings.matches)
    seed = secrets.randbelow(SEED_LIMIT) if settings.seed is None else settings.seed
    return Tournament(game, seats, options, entrants, blocks, seed, clock_of(settings.clock))


def clock_of(values: Mapping[str, int]) -> Clock:
    """Set a clock: the defaults, changed by the values. Raises SettingsError."""
    try:
        return replace(Clock(), **values)
    except ValueError as error:
        raise SettingsError(f"clock: {error}") from error


def check_plays(bot: Bot, game: Game) -> None:
    """Refuse a bot that says it does not play the game, with a SettingsError."""
    if bot.games and game.name not in bot.games:
        raise SettingsError(f"bot {bot.name} does not play {game.name}; it plays {', '.join(bot.games)}")


def _seats(game: Game, asked: int | None, entrants: int) -> int:
    fitting = [count for count in game.seat_counts if count <= entrants]
    seats = asked if asked is not None else max(fitting, default=min(game.seat_counts))
    if seats > entrants:
        raise SettingsError(
            f"{seats} seats cannot be filled by {entrants} different {'bot' if entrants == 1 else 'bots'}; "
            f"name at least {seats} bots, or give fewer seats"
        )
    return seats


def _check_entrants(game: Game, entrants: tuple[Bot, ...]) -> None:
    seen: set[tuple[str, str]] = set()
    for bot in entrants:
        if (bot.name, bot.version) in seen:
            raise SettingsError(
                f"bot {bot.name} {bot.version} is named twice; an entrant plays once at a table, so name it once "
                "or give the copy another version"
            )
        seen.add((bot.name, bot.version))
        check_plays(bot, game)
