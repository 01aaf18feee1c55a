"""Swiss: in each round those who stand alike play each other, and no pair meets twice while that can be avoided.

Every entrant plays one block a round. If the seats do not divide the number of entrants, those left over have a bye:
the last of those who had the fewest so far, so no one has a second before all had one. A bye is worth half the
points of a block. So is a block that is not played, to all but those who sit it out. Entrants stand by their points
(`standing.py`), then by score, then by fewer faults; those who are equal in all of these share a place.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby

from ballcourt.arena.tournament.schedules.least_met import RELATED, Neighbours
from ballcourt.arena.tournament.schedules.pairing import tables_of_strangers
from ballcourt.arena.tournament.schedules.placing import POINTS, Placed, Placing, by_rules
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, PlayedBlock, Schedule
from ballcourt.arena.tournament.schedules.standing import achieved, round_of

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
        self.round_size = field.entrants // field.seats
        rounds = -(-length.blocks(self.round_size, self.block_size) // self.round_size)
        self.blocks = rounds * self.round_size

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next round."""
        if len(results) >= self.blocks:
            return
        order = [placed.entrant for placed in self._places(results)]
        resting = _resting(order, results, self._field)
        neighbours = Neighbours()
        for block in results:
            neighbours.count(block.block.tables[0])
        playing = [entrant for entrant in order if entrant not in resting]
        met = _met(results) + Counter(dict.fromkeys(self._field.related, RELATED))
        tables = tables_of_strangers(playing, self._field.seats, met)
        for place, table in enumerate(tables):
            index = len(results) + place
            yield self._field.rotated(index, index // self.round_size, neighbours.arranged(table))

    def placing(self, results: Sequence[PlayedBlock]) -> Placing:
        """Return the entrants by their points, then by score and faults."""
        entrants = range(self._field.entrants)
        rounds = tuple(
            round_of(f"round {number + 1}", list(played), entrants)
            for number, played in groupby(results, key=lambda result: result.block.round)
        )
        return Placing(POINTS, self._places(results), rounds)

    def _places(self, results: Sequence[PlayedBlock]) -> tuple[Placed, ...]:
        entrants = range(self._field.entrants)
        rounds = len(results) // self.round_size
        byes = {entrant: rounds - blocks for entrant, blocks in _blocks(entrants, results).items()}
        bye = self._field.seats / 2
        values = {
            entrant: (points + bye * byes[entrant], score, faults)
            for entrant, (points, score, faults) in achieved(entrants, results).items()
        }
        return by_rules(POINTS, values, byes)


def _blocks(entrants: Iterable[int], results: Sequence[PlayedBlock]) -> dict[int, int]:
    """Count the blocks of each entrant, without those that were not played through no fault of its own."""
    counted = Counter(
        entrant for block in results for entrant in block.block.tables[0] if block.matches or entrant in block.absent
    )
    return {entrant: counted[entrant] for entrant in entrants}


def _resting(order: list[int], results: Sequence[PlayedBlock], field: Field) -> set[int]:
    """Return who has a bye."""
    played = _blocks(order, results)
    place = {entrant: place for place, entrant in enumerate(order)}
    last_first = sorted(order, key=lambda entrant: (-played[entrant], -place[entrant]))
    return set(last_first[: field.entrants % field.seats])


def _met(results: Sequence[PlayedBlock]) -> Counter[tuple[int, int]]:
    return Counter(pair for block in results for pair in combinations(sorted(block.block.tables[0]), 2))
