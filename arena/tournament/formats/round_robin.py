"""Round robin: every group of entrants that fits a table plays one block in each round.

Within a round the groups come in an order that is as even as possible wherever the tournament ends. With one seat a
round is one block, in which every entrant plays the same seed alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice, permutations
from math import comb

from ballcourt.arena.tournament.groups import groups
from ballcourt.arena.tournament.schedule import Block, Field, Length, PlayedBlock, Schedule


def schedule(field: Field, length: Length) -> Schedule:
    """Return the round robin of a field."""
    return RoundRobin(field, length)


class RoundRobin:
    """All blocks are known in advance, so all are given at once."""

    def __init__(self, field: Field, length: Length) -> None:
        self._field = field
        self.round_size = comb(field.entrants, field.block_size)
        self.blocks = length.blocks(field, self.round_size)
        self.is_exact = True

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks, or none once there are results."""
        return () if results else islice(self._rounds(), self.blocks)

    def _rounds(self) -> Iterator[Block]:
        """Yield blocks round after round without end; who sits before whom changes from block to block."""
        index = count()
        for turn in count():
            for place, group in enumerate(groups(self._field.entrants, self._field.block_size)):
                yield self._field.block(next(index), turn, self._arranged(group, turn + place))

    def _arranged(self, group: tuple[int, ...], number: int) -> tuple[int, ...]:
        if self._field.seats == 1:
            return group
        arrangements = list(permutations(group[1:]))
        return (group[0], *arrangements[number % len(arrangements)])
