"""Groups, then a final: groups of entrants play among themselves, and the best of each meet in a final.

Entrants are put into groups in the order of the list, back and forth (the first and the last of 8 in the first of 4
groups), so that a list by strength gives equal groups. Group phase and final are balanced; each is as long as the
tournament's length says, counted in rounds. Places in a group are by the points of `standing.py`.

An entrant that has left when the final begins makes room for the next of its group. One that leaves later keeps what it
has achieved in the final, and its other blocks there are not played. So is the seat of a group in which too few are
left: it goes to the best of those who have left, and stays empty.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from ballcourt.arena.match.policy import counted
from ballcourt.arena.tournament.schedules.least_met import least_met
from ballcourt.arena.tournament.schedules.placing import POINTS, PlacedGroup, Placing, by_rules
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    Schedule,
    ScheduleError,
)
from ballcourt.arena.tournament.schedules.standing import achieved, dealt, ranked, rounds_of

OPTIONS = ("groups", "advance")
KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, options: FormatOptions) -> Schedule:
    """Return groups and a final. Raises ScheduleError if a group or the final could not fill a table."""
    groups, advance = options.groups or 2, options.advance or max(2, field.seats)
    smallest = field.entrants // groups
    field.require_opponents("groups and a final need")
    if smallest < field.seats:
        raise ScheduleError(
            f"{groups} groups of {field.entrants} bots have {smallest}, too few for {field.seats} seats; "
            f"give at most {counted(field.entrants // field.seats, 'group')}"
        )
    if not field.seats <= groups * advance or advance > smallest:
        raise ScheduleError(
            f"advance = {advance} does not fit {groups} groups of {smallest} at {field.seats} seats; "
            f"give from {-(-field.seats // groups)} to {smallest}"
        )
    return GroupsFinal(field, length, groups, advance)


class GroupsFinal(Schedule):
    """Two stages: all groups, then the final."""

    can_be_extended = False

    def __init__(self, field: Field, length: Length, groups: int, advance: int) -> None:
        self._field = field
        self._advance = advance
        self._groups = dealt(range(field.entrants), groups)
        self.block_size = field.group_size
        self.round_size = sum(self._round(len(group)) for group in self._groups)
        self._rounds = -(-length.blocks(self.round_size, self.block_size) // self.round_size)
        self.blocks = self._rounds * (self.round_size + self._round(groups * advance))

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the group phase, then the final."""
        in_groups = self._rounds * self.round_size
        if not results:
            return self._phase(self._groups, first_index=0, first_round=0)
        if len(results) == in_groups:
            return self._phase([self._finalists(results)], in_groups, self._rounds)
        return ()

    def placing(self, results: Sequence[PlayedBlock]) -> Placing:
        """Return the finalists as they stand in the final, then the others as they stand in their groups."""
        in_groups = results[: self._rounds * self.round_size]
        final = results[len(in_groups) :]
        finalists = self._finalists(in_groups)
        total = achieved(range(self._field.entrants), in_groups)
        groups = tuple(
            PlacedGroup(f"group {number}", by_rules(POINTS, {entrant: total[entrant] for entrant in group}))
            for number, group in enumerate(self._groups, start=1)
        )
        values = {entrant: (float(entrant in finalists), *own) for entrant, own in total.items()}
        if final:
            values |= {entrant: (1.0, *own) for entrant, own in achieved(finalists, final).items()}
        rounds = (
            *rounds_of("groups, ", in_groups, range(self._field.entrants)),
            *rounds_of("final, ", final, finalists),
        )
        return Placing(("final", *POINTS), by_rules(("final", *POINTS), values), rounds, groups)

    def _finalists(self, results: Sequence[PlayedBlock]) -> list[int]:
        """Return the best of each group by these results of the group phase, those who have left after the others."""
        gone = results[-1].gone if results else frozenset()
        orders = (sorted(ranked(group, results), key=gone.__contains__) for group in self._groups)
        return sorted(entrant for order in orders for entrant in order[: self._advance])

    def _phase(self, groups: list[list[int]], first_index: int, first_round: int) -> Iterable[Block]:
        """Yield balanced rounds within each of these groups."""
        index = first_index
        tables = [self._tables(group, place) for place, group in enumerate(groups)]
        for turn in range(self._rounds):
            for group, drawn in zip(groups, tables, strict=True):
                for table in islice(drawn, self._round(len(group))):
                    yield self._field.rotated(index, first_round + turn, table)
                    index += 1

    def _tables(self, group: list[int], place: int) -> Iterable[tuple[int, ...]]:
        key = self._field.draw * len(self._groups) + place
        drawn = least_met(len(group), self._field.seats, key, self._field.among(group).related)
        return (tuple(group[place] for place in table) for table in drawn)

    def _round(self, entrants: int) -> int:
        return -(-entrants // self._field.seats)
