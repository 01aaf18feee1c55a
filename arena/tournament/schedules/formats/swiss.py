"""Swiss: in each round those who stand alike play each other, and no pair meets twice while that can be avoided.

Every entrant plays one block a round. If the seats do not divide the number of entrants, some are left over: the last
of those who were left over least often. They play at smaller tables, if the event has such a set-up of the same game;
their points count as much more as their block has fewer matches. Who finds no seat there has a bye, which is worth half
the points of a block. So is a block that is not played, to all but those who sit it out. Entrants stand by their points
(`standing.py`), then by score, then by fewer faults; those who are equal in all of these share a place.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from ballcourt.arena.tournament.schedules.least_met import RELATED, Neighbours
from ballcourt.arena.tournament.schedules.pairing import tables_of_strangers
from ballcourt.arena.tournament.schedules.placing import POINTS, Placed, Placing, by_rules
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, PlayedBlock, Schedule
from ballcourt.arena.tournament.schedules.standing import DIGITS, achieved, rounds_of

KEEPS_OWNERS_APART = True


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the Swiss tournament of a field. Raises ScheduleError for one seat."""
    field.require_opponents("a Swiss tournament needs")
    return Swiss(field, length)


class Swiss(Schedule):
    """A stage is a round."""

    def __init__(self, field: Field, length: Length) -> None:
        self._field = field
        self.block_size = field.group_size
        self._whole = field.entrants // field.seats
        self._small = _filling(field.entrants % field.seats, field.smaller)
        self.round_size = self._whole + len(self._small)
        if length.unit == "matches":
            rounds = -(-length.number // self.matches_in(self.round_size))
        else:
            rounds = -(-length.blocks(self.round_size, self.block_size) // self.round_size)
        self.blocks = rounds * self.round_size

    def matches_in(self, blocks: int) -> int:
        """Return the number of matches in its first blocks."""
        rounds, left = divmod(blocks, self.round_size)
        sizes = [self._field.seats] * self._whole + [seats for seats, _ in self._small]
        return rounds * sum(sizes) + sum(sizes[:left])

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next round."""
        if len(results) >= self.blocks:
            return
        order = [placed.entrant for placed in self._places(results)]
        resting = _left_over(order, results, self._field)
        neighbours = Neighbours()
        for block in results:
            neighbours.count(block.block.tables[0])
        playing = [entrant for entrant in order if entrant not in resting]
        met = Counter(dict.fromkeys(self._field.related, RELATED))
        met.update(pair for block in results for pair in combinations(sorted(block.block.tables[0]), 2))
        tables = tables_of_strangers(playing, self._field.seats, met)
        for place, table in enumerate(tables):
            index = len(results) + place
            yield self._field.rotated(index, index // self.round_size, neighbours.arranged(table))
        played = _blocks(order, results)
        waiting = sorted((entrant for entrant in order if entrant in resting), key=played.__getitem__)
        for place, (seats, setup) in enumerate(self._small, start=self._whole):
            table, waiting = neighbours.arranged(tuple(waiting[:seats])), waiting[seats:]
            index = len(results) + place
            filling = replace(self._field, seats=seats).rotated(index, index // self.round_size, table)
            yield replace(filling, setup=setup, gap=self._field.draw)

    def placing(self, results: Sequence[PlayedBlock]) -> Placing:
        """Return the entrants by their points, then by score and faults."""
        rounds = rounds_of("", results, range(self._field.entrants))
        return Placing(POINTS, self._places(results), tuple(rounds))

    def _places(self, results: Sequence[PlayedBlock]) -> tuple[Placed, ...]:
        entrants = range(self._field.entrants)
        rounds = len(results) // self.round_size
        byes = {entrant: rounds - blocks for entrant, blocks in _blocks(entrants, results).items()}
        bye = self._field.seats / 2
        values = {entrant: (bye * byes[entrant], 0.0, 0) for entrant in entrants}
        for seats in {len(block.block.tables[0]) for block in results}:
            worth = self._field.seats / seats
            found = achieved(entrants, [block for block in results if len(block.block.tables[0]) == seats])
            for entrant, (points, score, faults) in found.items():
                before = values[entrant]
                values[entrant] = (before[0] + points * worth, before[1] + score * worth, before[2] + faults)
        rounded = {entrant: (*(round(part, DIGITS) for part in own),) for entrant, own in values.items()}
        return by_rules(POINTS, rounded, byes)


def _blocks(entrants: Iterable[int], results: Sequence[PlayedBlock]) -> dict[int, int]:
    """Count the blocks of each entrant, without those that were not played through no fault of its own."""
    counted = Counter(
        entrant for block in results for entrant in block.block.tables[0] if block.matches or entrant in block.absent
    )
    return {entrant: counted[entrant] for entrant in entrants}


def _filling(left: int, smaller: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the smaller tables at which most of those who are left over play; of equals the fewest, then the first."""
    best: dict[int, tuple[tuple[int, int], ...]] = {0: ()}  # by how many play
    for count in range(1, left + 1):
        found = [(table, *best[count - table[0]]) for table in smaller if count - table[0] in best]
        if found:
            best[count] = max((tuple(sorted(one, reverse=True)) for one in found), key=lambda one: (-len(one), one))
    return best[max(best)]


def _left_over(order: list[int], results: Sequence[PlayedBlock], field: Field) -> set[int]:
    """Return who plays at no table of whole size."""
    played = _blocks(order, [block for block in results if block.block.gap is None])
    place = {entrant: place for place, entrant in enumerate(order)}
    last_first = sorted(order, key=lambda entrant: (-played[entrant], -place[entrant]))
    return set(last_first[: field.entrants % field.seats])
