"""The tables of a stage: newcomers first, then neighbours in a draw of strengths, and some across the whole field.

- A version that has not played its provisional matches plays against bots drawn from the whole field.
- Everybody else plays those who are near in strengths drawn at random from what the results so far leave open (Thompson
  1933), within its division. So bots meet opponents of about their own strength, which says most about their order.
- At least a tenth of all tables are drawn across the field. Without them ratings shrink towards the middle, and their
  intervals hold the truth too seldom: nothing ties the ends of a long chain of neighbours together.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, cycle
from math import ceil, floor
from typing import Final

from ballcourt.arena.tournament.event.stages import Divisions
from ballcourt.arena.tournament.schedules.strengths import Strengths
from ballcourt.engine.core.chance import stream

Table = tuple[int, ...]

FEWEST: Final = 8
"""A stage has at least this number of tables, so that few workers wait for its end."""
DRAWN: Final = 64
"""How many draws of the strengths a stage has at most; its tables take turns with them."""
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
    waiting: Collection[int] = ()
    """Those of them who are seated first, as they missed their tables in an earlier stage."""


def choose_tables(situation: Situation, share: float, key: int) -> tuple[tuple[Table, ...], int]:
    """Return the tables of the next stage, and how many of them, the first ones, were drawn across the field.

    At least `share` of all tables so far are drawn across the field. The same situation and key give the same tables.
    """
    drawer = _Drawer(situation, key)
    others = [*drawer.provisional(), *drawer.near()]
    lacking = share * (situation.tables + len(others)) - situation.across
    across = [drawer.across() for _ in range(max(0, ceil(round(lacking / (1 - share), 9))))]
    return (*across, *others), len(across)


def first_tables(situation: Situation, key: int) -> tuple[Table, ...]:
    """Return the tables of a short stage, in which only newcomers get tables."""
    return tuple(_Drawer(situation, key).provisional())


class _Drawer:
    def __init__(self, situation: Situation, key: int) -> None:
        self._situation = situation
        self._chance = stream(key, "tables of a ladder")
        self._seated: set[int] = set()
        self._playing = {*situation.field}
        self._draws = situation.strengths.orders(key, DRAWN)

    def provisional(self) -> Iterator[Table]:
        """Yield tables of newcomers and opponents from the whole field."""
        seats = self._situation.seats
        for number in range(PROVISIONAL):
            for entrant in [one for one, matches in self._situation.lacking.items() if matches > number * seats]:
                yield self._table(chain([entrant], self._anyone()))

    def near(self) -> Iterator[Table]:
        """Yield tables of neighbours until all but the newcomers sit at one, and there are enough tables."""
        pools = [(pool, self._ranked(pool)) for pool in self._pools() if pool]
        tables = 0
        while pools and tables < FEWEST:
            for pool, draws in pools:
                for entrant in sorted(self._chance.shuffled(pool), key=lambda one: one not in self._situation.waiting):
                    if entrant not in self._seated:
                        yield self._neighbours(entrant, *next(draws))
                        tables += 1
            self._seated.clear()

    def across(self) -> Table:
        """Return a table drawn from the whole field."""
        return self._table(self._anyone())

    def _pools(self) -> Iterator[list[int]]:
        """Yield the members of each division who can play; where they do not fill a table, those of all divisions."""
        pools = [
            [entrant for entrant in division if entrant in self._playing] for division in self._situation.divisions
        ]
        if any(len(pool) < self._situation.seats for pool in pools):
            pools = [[entrant for pool in pools for entrant in pool]]
        yield from pools

    def _ranked(self, pool: Collection[int]) -> Iterator[tuple[list[int], dict[int, int]]]:
        """Yield one draw after another, without end: the members of a pool in its order, and the place of each."""
        members, ranked = {*pool}, []
        for draw in self._draws:
            order = [entrant for entrant in draw if entrant in members]
            ranked.append((order, {entrant: place for place, entrant in enumerate(order)}))
            yield ranked[-1]
        yield from cycle(ranked)

    def _neighbours(self, entrant: int, order: Sequence[int], places: Mapping[int, int]) -> Table:
        """Seat an entrant with its neighbours in a draw of the strengths, at any place among them."""
        seats = self._situation.seats
        begin = places[entrant] - self._chance.below(seats)
        begin = max(0, min(begin, len(order) - seats))
        middle = min(begin + (seats - 1) / 2, len(order) - 1)  # fewer than a table while nearly all are newcomers
        return self._table(chain([entrant], _outwards(order, middle), self._anyone()))

    def _table(self, wanted: Iterable[int]) -> Table:
        """Seat the first of these entrants; those with the same owner only where no other is left."""
        owners, chosen, related = self._situation.owners, dict[int, None](), dict[int, None]()
        for entrant in wanted:
            if len(chosen) == self._situation.seats:
                break
            if any(owners.get(entrant, "") == owners.get(other) for other in chosen):
                related[entrant] = None
            else:
                chosen[entrant] = None
        chosen |= related
        table = tuple(self._chance.shuffled([*chosen][: self._situation.seats]))
        self._seated.update(table)
        return table

    def _anyone(self) -> Iterator[int]:
        """Yield all who can play in random order, at no cost for those who are not asked for."""
        field, moved = self._situation.field, dict[int, int]()
        for place in range(len(field)):
            drawn = place + self._chance.below(len(field) - place)
            yield field[moved.get(drawn, drawn)]
            moved[drawn] = moved.get(place, place)


def _outwards(order: Sequence[int], middle: float) -> Iterator[int]:
    """Yield entrants from the middle outwards, the nearest first."""
    left = floor(middle)
    right = left + 1
    while left >= 0 or right < len(order):
        if right == len(order) or (left >= 0 and middle - left <= right - middle):
            yield order[left]
            left -= 1
        else:
            yield order[right]
            right += 1
