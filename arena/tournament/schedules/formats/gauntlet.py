"""Gauntlet: bots in focus meet all others; the others do not meet without one of them.

It shows how good one bot is, or a few. In each round every bot in focus meets each of the others
once, as nearly as the seats allow. Those who share a table with it are those who have met each other least.
"""

from collections.abc import Iterator
from dataclasses import replace

from ballcourt.arena.tournament.schedules.fixed import FixedSchedule
from ballcourt.arena.tournament.schedules.least_met import Group, Neighbours, least_met
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, Schedule, ScheduleError

OPTIONS = ("focus",)
KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, options: FormatOptions) -> Schedule:
    """Return the gauntlet of a field. Raises ScheduleError without a focus, or if the others cannot fill a table."""
    others = field.entrants - len(options.focus)
    if not options.focus:
        raise ScheduleError('a gauntlet needs the bots that run it; give focus = ["NAME"]')
    field.require_opponents("a gauntlet needs")
    if others < field.seats - 1:
        raise ScheduleError(
            f"a gauntlet at {field.seats} seats needs at least {field.seats - 1} bots that are not in focus; "
            f"there {'is' if others == 1 else 'are'} {others}"
        )
    return Gauntlet(field, length, options.focus)


class Gauntlet(FixedSchedule):
    """The schedule of a field with these entrants in focus."""

    def __init__(self, field: Field, length: Length, focus: tuple[int, ...]) -> None:
        self._field = field
        self._focus = focus
        self._others = [entrant for entrant in range(field.entrants) if entrant not in focus]
        super().__init__(length, len(focus) * -(-len(self._others) // (field.seats - 1)), field.group_size)

    def _endless(self) -> Iterator[Block]:
        neighbours = Neighbours()
        for index, group in enumerate(self._tables()):
            yield self._field.rotated(index, index // self.round_size, neighbours.arranged(group))

    def _tables(self) -> Iterator[Group]:
        """Give each bot in focus a table in turn."""
        related = replace(self._field, seats=self._field.seats - 1).among(self._others).related
        first_key = self._field.draw * self._field.entrants
        opponents = [
            least_met(len(self._others), self._field.seats - 1, first_key + entrant, related) for entrant in self._focus
        ]
        while True:
            for entrant, groups in zip(self._focus, opponents, strict=True):
                yield (entrant, *(self._others[other] for other in next(groups)))
