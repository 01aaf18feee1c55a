"""Adaptive: a balanced round, then half of the blocks are balanced, half are played by those who may be the best.

It is for finding the winner in fields of more than about 20 entrants. Once all have played a block, every second block
seats those who come out on top when strengths are drawn at random from what the results so far leave open (Thompson
1933, "On the likelihood that one unknown probability exceeds another"). So the likely best meet often, and no entrant
that may still be among them is forgotten. The other blocks are those of the balanced format: they keep all entrants on
one scale.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from ballcourt.arena.tournament.schedules.least_met import Group, least_met
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, PlayedBlock, Schedule
from ballcourt.engine.core.chance import stream

KEEPS_OWNERS_APART = True

if TYPE_CHECKING:
    from ballcourt.arena.tournament.schedules.strengths import Strengths

PART: Final = 20
"""A stage is 1/PART of what has been played, in whole rounds: strengths hardly change meanwhile."""
CONSIDERED: Final = 4
"""How many leaders are considered for a seat, so that one is found who is not related to the others."""


def schedule(field: Field, length: Length, _options: FormatOptions) -> Schedule:
    """Return the adaptive schedule of a field. Raises ScheduleError for one seat."""
    field.require_opponents("an adaptive tournament needs")
    return Adaptive(field, length)


class Adaptive(Schedule):
    """A stage is a round or several, each with enough blocks for all to play one."""

    can_be_joined = True

    def __init__(self, field: Field, length: Length) -> None:
        self._field = field
        self.block_size = field.group_size
        self.round_size = -(-field.entrants // field.seats)
        self.blocks = length.blocks(self.round_size, self.block_size)
        self._related = field.related
        self._across = least_met(field.entrants, field.seats, field.draw, field.related)
        self._balanced: list[Group] = []
        self._strengths: Strengths | None = None
        self._counted: PlayedBlock | None = None
        """The last block whose results the strengths contain; they also contain all before it."""

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next rounds: blocks of those who met least, and of likely leaders, in turns."""
        begin = len(results)
        end = min(self.blocks, begin + self.round_size * max(1, begin // self.round_size // PART))
        considered = min(self._field.entrants, CONSIDERED * self._field.seats)
        late = [index for index in range(begin, end) if self._is_for_leaders(index)]
        leaders = iter(self._known(results).leaders(begin, len(late), considered) if late else ())
        for index in range(begin, end):
            if self._is_for_leaders(index):
                group = self._table(index, next(leaders))
            else:
                group = self._least_met(index - max(0, index - self.round_size + 1) // 2)
            yield self._field.rotated(index, index // self.round_size, group)

    def _is_for_leaders(self, index: int) -> bool:
        """Whether a block is for likely leaders: every second one, once all have had one."""
        return index >= self.round_size and (index - self.round_size) % 2 == 1

    def _least_met(self, number: int) -> Group:
        self._balanced += islice(self._across, max(0, number + 1 - len(self._balanced)))
        return self._balanced[number]

    def _table(self, key: int, leaders: list[int]) -> Group:
        """Seat the first leaders, in a random order; those related to one of them only where no other is left."""
        seated: list[int] = []
        for entrant in leaders:
            if len(seated) == self._field.seats:
                break
            if not any((min(entrant, other), max(entrant, other)) in self._related for other in seated):
                seated.append(entrant)
        seated += [entrant for entrant in leaders if entrant not in seated]
        return tuple(stream(key, "order at the table").shuffled(seated[: self._field.seats]))

    def _known(self, results: Sequence[PlayedBlock]) -> "Strengths":
        """Return the strengths that follow from the results; where these only grew, the new ones are added."""
        from ballcourt.arena.tournament.schedules.strengths import (
            Strengths,  # imports NumPy, which other formats do without
        )

        known = self._strengths
        if known is None or not (known.blocks <= len(results) and self._counted is _at(results, known.blocks)):
            known = Strengths(self._field.entrants)
        known.add(results[known.blocks :])
        self._strengths, self._counted = known, _at(results, len(results))
        return known


def _at(results: Sequence[PlayedBlock], number: int) -> PlayedBlock | None:
    return results[number - 1] if number else None
