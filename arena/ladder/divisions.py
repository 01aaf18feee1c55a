"""Divisions: in a large field, bots play mostly against those of their own division.

With `divisions = { size = 50, moves = 3, season = 20 }` the field is divided by strength into as many divisions of
about 50 bots as it fills, the strongest first. After each season of 20 stages the best 3 of each division change places
with the worst 3 of the division above, each pair only if the one below is rated higher. A new version gets into the
division that fits its rating once its provisional matches have been played. Without a rule there is one division.
"""

from bisect import insort
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from ballcourt.arena.models import Model
from ballcourt.arena.tournament.event.stages import Divisions


class DivisionRule(Model):
    """How a field is divided; without a size there is one division."""

    size: Annotated[int, Field(ge=2, le=10_000)] | None = None
    """About this number of bots."""
    moves: Annotated[int, Field(ge=1, le=10_000)] = 3
    """The most bots that go up at the end of a season; the same number goes down."""
    season: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    """Stages."""

    def divided(self, before: Divisions, order: Sequence[int], stage: int) -> Divisions:
        """Return the divisions when a stage begins, given those before it.

        `order` lists all members from the strongest to the weakest, as far as is known.
        """
        rank = {entrant: place for place, entrant in enumerate(order)}
        divisions = [sorted(rank.keys() & {*division}, key=rank.__getitem__) for division in before] or [[]]
        if stage and stage % self.season == 0:
            self._promote(divisions, rank)
        placed = {entrant for division in divisions for entrant in division}
        for entrant in (entrant for entrant in order if entrant not in placed):
            _place(entrant, divisions, rank)
        return _evened(divisions, self._sizes(len(order)), rank)

    def _promote(self, divisions: list[list[int]], rank: Mapping[int, int]) -> None:
        """Exchange the best of each division for the worst of the one above, if they are rated higher."""
        for upper, lower in pairwise(divisions):
            pairs = list(zip(reversed(upper[-self.moves :]), lower[: self.moves], strict=False))
            for above, below in pairs:
                if rank[below] < rank[above]:
                    upper[upper.index(above)], lower[lower.index(below)] = below, above
            upper.sort(key=rank.__getitem__)
            lower.sort(key=rank.__getitem__)

    def _sizes(self, members: int) -> list[int]:
        """Return the sizes of the divisions, which differ by one at most."""
        count = max(1, round(members / self.size)) if self.size else 1
        return [members // count + (number < members % count) for number in range(count)]


def _place(entrant: int, divisions: list[list[int]], rank: Mapping[int, int]) -> None:
    """Put an entrant into the first division with a member that is rated lower, or else into the last one."""
    fitting = (division for division in divisions if division and rank[division[-1]] > rank[entrant])
    insort(next(fitting, divisions[-1]), entrant, key=rank.__getitem__)


def _evened(divisions: list[list[int]], sizes: Sequence[int], rank: Mapping[int, int]) -> Divisions:
    """Move the weakest of each division down, or the strongest below up, until the sizes are right."""
    for _ in range(len(sizes) - len(divisions)):
        divisions.append([])
    while len(divisions) > len(sizes):
        last = divisions.pop()
        divisions[-1] = sorted(divisions[-1] + last, key=rank.__getitem__)
    for number, size in enumerate(sizes):
        below = divisions[number + 1 :]
        while len(divisions[number]) > size:
            below[0].insert(0, divisions[number].pop())
        while len(divisions[number]) < size:
            divisions[number].append(next(division for division in below if division).pop(0))
        for division in below[:1]:
            division.sort(key=rank.__getitem__)
    return tuple(tuple(sorted(division)) for division in divisions)


def moved(before: Divisions, after: Divisions) -> dict[int, tuple[int, int]]:
    """Return who went from one division to another, by index; divisions are counted from 1."""
    old = {entrant: number for number, division in enumerate(before, start=1) for entrant in division}
    new = {entrant: number for number, division in enumerate(after, start=1) for entrant in division}
    return {entrant: (old[entrant], number) for entrant, number in new.items() if old.get(entrant, number) != number}
