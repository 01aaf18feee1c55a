"""Tables of entrants that stand alike and have not met.

Between two seats a search finds such tables if there are any, as long as it is short. At larger tables, where even the
best search may take forever, exchanges between tables remove the repetitions that a simple division leaves.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from ballcourt.arena.tournament.schedules.least_met import Group

Met = Counter[tuple[int, int]]
"""How often pairs met; the smaller entrant comes first."""
STEPS: Final = 2_000
"""How many tables the search tries."""


def tables_of_strangers(order: list[int], seats: int, met: Met) -> list[Group]:
    """Divide entrants, best first, into tables of neighbours with as few repeated pairs as can be found.

    `seats` divides their number.
    """
    return _searched(order, seats, met) or _exchanged(order, seats, met)


def _searched(order: list[int], seats: int, met: Met) -> list[Group]:
    """Return tables in which no pair meets again, those of the best first; an empty list if none were found."""
    tables: list[Group] = []
    searches = [_strangers((), order, seats, met)]
    for _ in range(STEPS):
        if table := next(searches[-1], None):
            tables.append(table)
            seated = {entrant for table in tables for entrant in table}
            left = [entrant for entrant in order if entrant not in seated]
            if not left:
                return tables
            searches.append(_strangers((), left, seats, met))
        elif tables:  # the tables so far leave no choice, so try another for the last of them
            searches.pop()
            tables.pop()
        else:
            break
    return []


def _strangers(table: Group, left: list[int], seats: int, met: Met) -> Iterator[Group]:
    """Yield tables of those who have not met, with the best that is left at each; the nearest opponents first."""
    if len(table) == seats:
        yield table
        return
    for place, entrant in enumerate(left):
        if not _meetings(entrant, table, met):
            yield from _strangers((*table, entrant), left[place + 1 :], seats, met)
        if not table:
            return  # who stands best has to sit somewhere


def _exchanged(order: list[int], seats: int, met: Met) -> list[Group]:
    """Return tables of neighbours in which exchanging two entrants removes no more repetitions."""
    tables = _Tables(order, seats, met)
    while tables.exchange():
        pass
    return [tuple(table) for table in tables.held]


class _Tables:
    """A division into tables: each takes those next in order who met its members least."""

    def __init__(self, order: list[int], seats: int, met: Met) -> None:
        self._rank = {entrant: rank for rank, entrant in enumerate(order)}
        self._met = met
        self.held: list[list[int]] = []
        left = order[:]
        while left:
            table = [left.pop(0)]
            while len(table) < seats:
                table.append(min(left, key=lambda entrant: _meetings(entrant, table, met)))
                left.remove(table[-1])
            self.held.append(table)

    def exchange(self) -> bool:
        """Make the exchange that removes most repetitions of a table, if one does; return whether it was made."""
        for table in reversed(self.held):
            if any(_meetings(entrant, table, self._met) for entrant in table):
                gain, _, here, there, other = max(self._exchanges(table), default=(0, 0, 0, 0, 0))
                if gain > 0:
                    mine, theirs = table[here], self.held[other][there]
                    table[here], self.held[other][there] = theirs, mine
                    return True
        return False

    def _exchanges(self, table: list[int]) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield what exchanges gain, how far apart in rank the two are (negative), and where they sit."""
        for other, held in enumerate(self.held):
            if held is table:
                continue
            for here, mine in enumerate(table):
                for there, theirs in enumerate(held):
                    before = _meetings(mine, table, self._met) + _meetings(theirs, held, self._met)
                    after = _meetings(theirs, table, self._met, mine) + _meetings(mine, held, self._met, theirs)
                    yield before - after, -abs(self._rank[mine] - self._rank[theirs]), here, there, other


def _meetings(entrant: int, table: Group | list[int], met: Met, without: int = -1) -> int:
    """Count how often an entrant met the others of a table, without one of them."""
    return sum(met[min(entrant, member), max(entrant, member)] for member in table if member not in (entrant, without))
