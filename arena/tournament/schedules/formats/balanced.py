"""Balanced: entrants play with those whom they have met least; a round has enough blocks for all to play one.

The format for fields in which not every group of entrants can play: a block more for each costs
entrants / seats blocks, however large the field is. With one seat a round is one block.
"""

from collections.abc import Iterator

from ballcourt.arena.tournament.schedules.least_met import least_met
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FixedSchedule, FormatOptions, Length, Schedule

KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the balanced schedule of a field."""
    round_size = -(-field.entrants // field.group_size)

    def endless() -> Iterator[Block]:
        for index, group in enumerate(least_met(field.entrants, field.group_size, field.draw, field.related)):
            yield field.rotated(index, index // round_size, group)

    return FixedSchedule(length, round_size, field.group_size, endless)
