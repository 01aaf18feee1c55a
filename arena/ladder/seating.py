"""The tables of a stage: newcomers first, then neighbours in a draw of strengths, and some across the whole field.

- A version that has not played its provisional matches plays against bots drawn from the whole field.
- Everybody else plays those who are near in strengths drawn at random from what the results so far leave open (Thompson
  1933), within its division. So bots meet opponents of about their own strength, which says most about their order.
- At least a tenth of all tables are drawn across the field. Without them ratings shrink towards the middle, and their
  intervals hold the truth too seldom: nothing ties the ends of a long chain of neighbours together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from ballcourt.arena.tournament.event.stages import Divisions
from ballcourt.arena.tournament.schedules.strengths import Strengths
from ballcourt.engine.core.chance import stream

Table = tuple[int, ...]

FEWEST: Final = 8
"""A stage has at least this number of tables, so that few workers wait for its end."""
DRAWN: Final = 64
"""How many draws of the strengths are made at once."""
PROVISIONAL: Final = 2
"""How many tables of a stage a newcomer gets."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The players of a stage, and what is known about them; all by index of the entrant."""

    field: tuple[int, ...]
    """All who can play."""
    strengths: Strengths
    """Of all of them, and perhaps of others."""
    lacking: Mapping[int, int]
    """How many provisional matches newcomers have still to play."""
    divisions: Divisions
    """Of those who are not newcomers; may hold some who cannot play at the moment."""
    owners: Mapping[int, str]
    seats: int
    tables: int
    """How many there have been so far."""
    across: int
    """How many of these were drawn across the field."""


def choose_tables(situation: Situation, share: float, key: int) -> tuple[tuple[Table, ...], int]:
    """Return the tables of the next stage, and how many of them, the first ones, were drawn across the field.

    At least `share` of all tables so far are drawn across the field. The same situation and key give the same tables.
    """
    drawer = _Drawer(situation, key)
    others = [*drawer.provisional(), *drawer.near()]
    lacking = share * (situation.tables + len(others)) - situation.across
    across = [drawer.across() for _ in range(max(0, ceil(round(lacking / (1 - share), 9))))]
    return (*across, *others), len(across)


class _Drawer:
    def __init__(self, situation: Situation, key: int) -> None:
        self._situation = situation
        self._chance = stream(key, "tables of a ladder")
        self._seated: set[int] = set()
        self._place = {entrant: place for place, entrant in enumerate(situation.strengths.field)}
        self._playing = {*situation.field}
        self._draws = self._drawn(key)

    def provisional(self) -> Iterator[Table]:
        """Yield tables of newcomers and opponents from the whole field."""
        seats = self._situation.seats
        for entrant, matches in self._situation.lacking.items():
            for _ in range(min(PROVISIONAL, -(-matches // seats))):
                yield self._table([entrant, *(other for other in self._shuffled() if other != entrant)])

    def near(self) -> Iterator[Table]:
        """Yield tables of neighbours until all but the newcomers sit at one, and there are enough tables."""
        pools = [pool for pool in self._pools() if pool]
        tables = 0
        while pools and tables < FEWEST:
            for pool in pools:
                for entrant in self._chance.shuffled(pool):
                    if entrant not in self._seated:
                        yield self._neighbours(entrant, pool)
                        tables += 1
            self._seated.clear()

    def across(self) -> Table:
        """Return a table drawn from the whole field."""
        return self._table(self._shuffled())

    def _pools(self) -> Iterator[list[int]]:
        """Yield the members of each division who can play; where they do not fill a table, those of all divisions."""
        pools = [
            [entrant for entrant in division if entrant in self._playing] for division in self._situation.divisions
        ]
        if any(len(pool) < self._situation.seats for pool in pools):
            pools = [[entrant for pool in pools for entrant in pool]]
        yield from pools

    def _neighbours(self, entrant: int, pool: Sequence[int]) -> Table:
        """Draw the strengths; seat an entrant with its neighbours, at any place among them."""
        drawn = next(self._draws)
        order = sorted(pool, key=lambda other: (drawn[self._place[other]], other))
        begin = order.index(entrant) - self._chance.below(self._situation.seats)
        begin = max(0, min(begin, len(order) - self._situation.seats))
        middle = begin + (self._situation.seats - 1) / 2
        near = sorted(range(len(order)), key=lambda place: (abs(place - middle), place))
        rest = (order[place] for place in near if order[place] != entrant)
        return self._table([entrant, *rest, *self._shuffled()])

    def _table(self, wanted: Sequence[int]) -> Table:
        """Seat the first of these entrants; those with the same owner only where no other is left."""
        owners, chosen, related = self._situation.owners, dict[int, None](), []
        for entrant in wanted:
            if len(chosen) == self._situation.seats:
                break
            if any(owners.get(entrant, "") == owners.get(other) for other in chosen):
                related.append(entrant)
            else:
                chosen[entrant] = None
        chosen |= dict.fromkeys(related)
        table = tuple(self._chance.shuffled([*chosen][: self._situation.seats]))
        self._seated.update(table)
        return table

    def _shuffled(self) -> list[int]:
        return self._chance.shuffled([*self._situation.field])

    def _drawn(self, key: int) -> Iterator[list[float]]:
        """Yield draws of all strengths, without end."""
        while True:
            yield from self._situation.strengths.draws(key, DRAWN)
            key += 1
