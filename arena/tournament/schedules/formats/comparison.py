"""Comparison: copies of one version of a bot against copies of another, every block in opposite splits of the seats.

The first half of the entrants are copies of the one version, the second half of the other. With an even number of seats
a block is two matches: the versions take turns around the table, and the other way round. With an odd number it is all
splits that are as even as can be, and each the other way round.
"""

from itertools import chain, combinations, count
from math import comb
from typing import Final

from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FixedSchedule,
    FormatOptions,
    Length,
    Schedule,
    ScheduleError,
)

MOST_SPLITS: Final = 5000
"""Of the seats among two versions."""


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the comparison of two versions, whose rounds are one block each.

    Tests and ratings show which version is better. Raises ScheduleError unless each has the copies it needs.
    """
    if field.entrants != 2 * copies(field.seats):
        raise ScheduleError(
            f"{field.entrants} bots were named for a comparison with {field.seats} seats; name "
            f"{2 * copies(field.seats)}: {copies(field.seats)} of each version, those of one version first"
        )
    tables = _tables(field.seats)
    return FixedSchedule(length, 1, len(tables), lambda: (Block(index, index, tables) for index in count()))


def copies(seats: int) -> int:
    """Return how many copies of each version a table of this size needs."""
    return -(-seats // 2)


def matches_in_block(seats: int) -> int:
    """Return how many matches a block has at a table of this size."""
    return 2 * comb(seats, copies(seats)) if seats % 2 else 2


def _tables(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the tables of a block; the second of each two is the first with the versions exchanged."""
    if seats % 2:
        if comb(seats, copies(seats)) > MOST_SPLITS:
            raise ScheduleError(f"{seats} seats can be split in more than {MOST_SPLITS} ways; give an even number")
        firsts = [frozenset(chosen) for chosen in combinations(range(seats), copies(seats))]
    else:
        firsts = [frozenset(range(0, seats, 2))]
    return tuple(chain.from_iterable(_split(seats, first) for first in firsts))


def _split(seats: int, first: frozenset[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a table in which the one version has the seats `first`, and the same with the versions exchanged."""
    half = copies(seats)
    both = [[*range(half)], [*range(half, 2 * half)]]
    one, other = ((iter(both[turn]), iter(both[1 - turn])) for turn in (0, 1))
    return (
        tuple(next(one[0] if seat in first else one[1]) for seat in range(seats)),
        tuple(next(other[0] if seat in first else other[1]) for seat in range(seats)),
    )
