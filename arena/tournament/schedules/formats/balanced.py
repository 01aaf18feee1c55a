"""Balanced: entrants play with those whom they have met least; a round has enough blocks for all to play one.

The format for fields in which not every group of entrants can play: a block more for each costs
entrants / seats blocks, however large the field is. With one seat a round is one block.
"""

from collections.abc import Iterator

from ballcourt.arena.tournament.schedules.fixed import FixedSchedule
from ballcourt.arena.tournament.schedules.least_met import least_met
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, Schedule

KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the balanced schedule of a field."""
    return Balanced(field, length)


class Balanced(FixedSchedule):
    """The schedule of a field."""

    def __init__(self, field: Field, length: Length) -> None:
        super().__init__(length, -(-field.entrants // field.group_size), field.group_size)
        self._field = field

    def _endless(self) -> Iterator[Block]:
        field = self._field
        for index, group in enumerate(least_met(field.entrants, field.group_size, field.draw, field.related)):
            yield self._field.rotated(index, index // self.round_size, group)
