"""Round robin: every group of entrants that fits a table plays one block in each round.

Within a round the groups come in an order that is even wherever the tournament ends. With one seat a round is one
block, in which every entrant plays the same deal alone.
"""

from collections.abc import Iterator
from itertools import count
from math import comb, factorial
from typing import Final

from ballcourt.arena.tournament.schedules.even_order import even_order
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FixedSchedule,
    FormatOptions,
    Length,
    Schedule,
    ScheduleError,
)

MOST_GROUPS: Final = 5000


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the round robin of a field. Raises ScheduleError if a round is longer than MOST_GROUPS."""
    groups = comb(field.entrants, field.group_size)
    if groups > MOST_GROUPS:
        raise ScheduleError(
            f"round-robin of {field.entrants} bots at {field.seats} seats has {groups:,} blocks in a round, more than "
            f'{MOST_GROUPS:,}; use the format "balanced"'
        )
    return FixedSchedule(length, groups, field.group_size, lambda: _rounds(field, groups))


def _rounds(field: Field, blocks: int) -> Iterator[Block]:
    """Yield rounds of this number of blocks without end; who sits before whom changes from block to block."""
    index, everyone = count(), tuple(range(field.entrants))
    groups = even_order(field.entrants, field.group_size) if blocks > 1 else (everyone,)
    for turn in count():
        for place, group in enumerate(groups):
            order = group if field.seats == 1 else (group[0], *_permuted(group[1:], turn + place))
            yield field.rotated(next(index), turn, order)


def _permuted(members: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the permutation of this number, in lexicographic order; after the last, the first comes again."""
    left, found = [*members], []
    for remaining in range(len(left), 0, -1):
        place = number % factorial(remaining) // factorial(remaining - 1)
        found.append(left.pop(place))
    return tuple(found)
