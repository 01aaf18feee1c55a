"""Set-ups: what may be played at the tables of an event, each a game with its options and a number of seats.

An event has one or several. All entrants play in each of them, and each has a table of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from pydantic import Field

from ballcourt.arena.models import Model, Text
from ballcourt.arena.tournament.event.tables import Seats, SetUpTable
from ballcourt.arena.tournament.schedules.schedule import Design, FormatOptions, Length, ScheduleError
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game

MOST: Final = 1000
FULL: Final = 64
"""A number of entrants that fills the largest table of every game."""


class SetUp(Model):
    """What is played at a table."""

    game: Text
    seats: Seats
    options: dict[str, str] = Field(default_factory=dict)
    """All of the game's."""
    rules_version: str
    after: str = ""
    """The version of the rules before, with whose ratings it begins; empty unless a ladder went on under new rules."""

    @property
    def rules(self) -> Game:
        """The game. Raises UnknownGame if it is not installed."""
        return find_game(self.game)

    def is_newer(self, other: "SetUp") -> bool:
        """Whether it differs from another by its rules alone, and by options that only one of the two rules know."""
        same = (self.game, self.seats) == (other.game, other.seats) and self.rules_version != other.rules_version
        return same and all(other.options.get(name, value) == value for name, value in self.options.items())


def set_up(game: Game, seats: int, options: Mapping[str, str]) -> SetUp:
    """Return what is played with these options, and the game's own for those that are left out.

    Raises InvalidOption.
    """
    checked = dict(game.check(seats, options))
    return SetUp(game=game.name, seats=seats, options=checked, rules_version=game.rules_version)


def setups_of(tables: Iterable[SetUpTable], entrants: int = FULL) -> tuple[SetUp, ...]:
    """Return the set-ups that tables ask for. Raises ScheduleError, UnknownGame or InvalidOption."""
    found: list[SetUp] = []
    for setup in (setup for table in tables for setup in _combinations(table, entrants)):
        if setup in found:
            raise ScheduleError(f"the set-up '{in_words(setup)}' is asked for twice; name it once")
        found.append(setup)
        if len(found) > MOST:
            raise ScheduleError(f"there are more than {MOST} set-ups; give fewer games, seats or options")
    sizes = sorted({setup.seats for setup in found})
    if len(sizes) > 1 and sizes[0] == 1:
        raise ScheduleError(
            f"tables of 1 seat and of {sizes[1]} seats do not go together, as results of 1 seat are compared deal by "
            "deal; play two events, which may share a database"
        )
    return tuple(found)


def open_setups(setups: Sequence[SetUp]) -> list[int]:
    """Return the indices of the set-ups that are still played: all but those that newer rules have replaced."""
    return [
        index
        for index, setup in enumerate(setups)
        if not any(newer.after == setup.rules_version and newer.is_newer(setup) for newer in setups[index + 1 :])
    ]


def renewed(before: Sequence[SetUp], now: Sequence[SetUp]) -> tuple[SetUp, ...]:
    """Return what a ladder has played and plays now, given what it has played and what is asked for.

    Set-ups keep their indices; each with other rules comes after its predecessor.
    """
    played = [before[index] for index in open_setups(before)]
    newer: list[SetUp] = []
    for setup in now:
        if older := next((one for one in played if setup.is_newer(one)), None):
            newer.append(setup.replaced(after=older.rules_version))
    return (*before, *newer)


def design_of(format: str, length: Length, options: FormatOptions, setups: Sequence[SetUp]) -> Design:
    """Return what decides, together with the field, which blocks of these set-ups are played."""
    if len(setups) == 1:
        return Design(format, length, options)

    def is_alike(one: SetUp, other: SetUp) -> bool:  # apart from their seats
        return (one.game, one.rules_version, one.options) == (other.game, other.rules_version, other.options)

    smaller = (
        tuple(index for index, other in enumerate(setups) if other.seats < one.seats and is_alike(one, other))
        for one in setups
    )
    return Design(format, length, options, tuple(setup.seats for setup in setups), tuple(smaller))


def in_words(setup: SetUp, among: Sequence[SetUp] = ()) -> str:
    """Return a set-up such as "maya, 2 seats, area = delta"; only the options in which it differs from others."""
    seats = f"{setup.seats} {'seat' if setup.seats == 1 else 'seats'}"
    alike = [other for other in among if other.game == setup.game]
    differing = [
        name for name in setup.options if any(other.options.get(name) != setup.options[name] for other in alike)
    ]
    return ", ".join((setup.game, seats, *(f"{name} = {setup.options[name]}" for name in differing)))


def _combinations(table: SetUpTable, entrants: int) -> Iterator[SetUp]:
    """Yield the set-ups of an event with this number of entrants. Raises UnknownGame or InvalidOption."""
    for name in table.game or ():
        game = find_game(name)
        most = max((count for count in game.seat_counts if count <= entrants), default=min(game.seat_counts))
        sizes = table.seats or (most,)
        for seats, values in product(sizes, product(*table.options.values())):
            yield set_up(game, seats, dict(zip(table.options, values, strict=True)))
