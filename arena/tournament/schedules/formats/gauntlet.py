"""Gauntlet: bots in focus meet all others; the others do not meet without one of them.

It shows how good one bot is, or a few. In each round every bot in focus meets each of the others
once, as nearly as the seats allow. Those who share a table with it are those who have met each other least.
"""

from collections.abc import Iterator
from dataclasses import replace

from ballcourt.arena.tournament.schedules.least_met import Group, Neighbours, least_met
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FixedSchedule,
    FormatOptions,
    Length,
    Schedule,
    ScheduleError,
)

OPTIONS = ("focus",)
KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, options: FormatOptions) -> Schedule:
    """Return the gauntlet of a field. Raises ScheduleError without a focus, or if the others cannot fill a table."""
    others = [entrant for entrant in range(field.entrants) if entrant not in options.focus]
    if not options.focus:
        raise ScheduleError('a gauntlet needs the bots that run it; give focus = ["NAME"]')
    field.require_opponents("a gauntlet needs")
    if len(others) < field.seats - 1:
        raise ScheduleError(
            f"a gauntlet at {field.seats} seats needs at least {field.seats - 1} bots that are not in focus; "
            f"there {'is' if len(others) == 1 else 'are'} {len(others)}"
        )
    round_size = len(options.focus) * -(-len(others) // (field.seats - 1))

    def endless() -> Iterator[Block]:
        neighbours = Neighbours()
        for index, group in enumerate(_tables(field, options.focus, others)):
            yield field.rotated(index, index // round_size, neighbours.arranged(group))

    return FixedSchedule(length, round_size, field.group_size, endless)


def _tables(field: Field, focus: tuple[int, ...], others: list[int]) -> Iterator[Group]:
    """Give each bot in focus a table in turn."""
    size = field.seats - 1
    related = replace(field, seats=size).among(others).related
    first_key = field.draw * field.entrants
    opponents = [least_met(len(others), size, first_key + entrant, related) for entrant in focus]
    while True:
        for entrant, groups in zip(focus, opponents, strict=True):
            yield (entrant, *(others[other] for other in next(groups)))
