"""Groups of entrants, chosen one after another so that those meet who have met least.

However long the sequence is, entrants' numbers of groups differ by at most 1, or by a few where entrants of one owner
are kept apart. Meetings are spread at least as evenly as in a random design: after n groups of four, the mean variance
of a rating difference is at most 1.15 times that of a design in which all met each other equally often.
"""

from collections.abc import Collection, Iterator
from itertools import combinations, islice, permutations
from typing import Final

from ballcourt.engine.core.chance import Stream, stream

Group = tuple[int, ...]
Pair = tuple[int, int]
Meetings = dict[int, int]
"""How often an entrant has met others. Those that it has not met are left out: in a large field, nearly all."""
MOST_COMPARED: Final = 40_320
"""How many seats of orders of a table are compared: all of up to 8 seats, of larger tables the first ones."""
LOOKED_AT: Final = 24
"""How many entrants are considered for a place: looking at more finds no better groups and costs more."""
RELATED: Final = 1_000_000
"""Two entrants of one owner count as having met this often: more often than any others ever do."""


class LeastMet:
    """Chooses groups without end.

    Entrants are drawn in shuffled turns. The next one of a turn opens a group; each further place goes to the one of
    the next few who met those in the group least often.
    """

    def __init__(self, entrants: int, size: int, chance: Stream, related: Collection[Pair] = ()) -> None:
        """`size` is at most `entrants`. Pairs that are `related` meet only where no other is left."""
        self._entrants = list(range(entrants))
        self._size = size
        self._chance = chance
        self._met: list[Meetings] = [{} for _ in self._entrants]
        self._turn: list[int] = []
        for one, other in related:
            self._met[one][other] = self._met[other][one] = RELATED

    def groups(self) -> Iterator[Group]:
        """Yield groups without end; the members of each in the order in which they were chosen."""
        while True:
            group = [self._first()]
            while len(group) < self._size:
                group.append(self._next(group))
            for one, other in combinations(group, 2):
                self._met[one][other] = self._met[other][one] = self._met[one].get(other, 0) + 1
            yield tuple(group)

    def _first(self) -> int:
        if not self._turn:
            self._turn = self._chance.shuffled(self._entrants)
        return self._turn.pop()

    def _next(self, group: list[int]) -> int:
        """Take the entrant out of the turn that met the group least.

        Another turn begins when one is over, or when its last entrants are all related to the group: then an entrant
        plays early.
        """
        rows = [self._met[member] for member in group]
        place = self._place(group, rows)
        if place is None or (len(self._turn) < len(self._entrants) and _is_related(rows, self._turn[place])):
            # an entrant in the group already plays in the next turn too, but not in this group
            fresh = self._chance.shuffled(self._entrants)
            self._turn = [
                *(entrant for entrant in fresh if entrant in group),
                *(entrant for entrant in fresh if entrant not in group),
                *self._turn,
            ]
            place = self._place(group, rows)
        assert place is not None, "a group is smaller than a turn"
        turn = self._turn
        turn[place], turn[-1] = turn[-1], turn[place]
        return turn.pop()

    def _place(self, group: list[int], rows: list[Meetings]) -> int | None:
        """Return the place in the turn of who met the group least; None if none is left."""
        turn = self._turn
        end = len(turn)
        places = [place for place in range(max(0, end - LOOKED_AT), end) if turn[place] not in group]
        if not places:
            return None
        met = _squares(rows, [turn[place] for place in places])
        return places[met.index(min(met))]


class Neighbours:
    """Seats groups around their tables so that entrants sit before each other about equally often."""

    def __init__(self) -> None:
        self._before: dict[tuple[int, int], int] = {}

    def arranged(self, group: Group) -> Group:
        """Return the group in the order around the table that gives the rarest neighbours, and count them.

        The rotations of a block move all on by one seat, so who sits before whom is the same in all of them.
        """
        first, rest = min(group), sorted(group)[1:]
        orders = islice(permutations(rest), MOST_COMPARED // len(group))
        best = min(((first, *order) for order in orders), key=self._often)
        self.count(best)
        return best

    def count(self, order: Group) -> None:
        """Count a group that sits in this order."""
        for pair in _neighbours(order):
            self._before[pair] = self._before.get(pair, 0) + 1

    def _often(self, order: Group) -> int:
        return sum(self._before.get(pair, 0) ** 2 for pair in _neighbours(order))


def _squares(rows: list[Meetings], entrants: list[int]) -> list[int]:
    """Return each one's sum of squared meetings, with which one pair that met twice is worse than two that met once."""
    sums = [0] * len(entrants)
    for row in rows:  # a list at a time: this is what a large field costs
        sums = [so_far + row.get(entrant, 0) ** 2 for so_far, entrant in zip(sums, entrants, strict=True)]
    return sums


def _is_related(rows: list[Meetings], entrant: int) -> bool:
    return any(row.get(entrant, 0) >= RELATED for row in rows)


def _neighbours(order: Group) -> Iterator[tuple[int, int]]:
    return zip(order, order[1:] + order[:1], strict=True)


def least_met(entrants: int, size: int, key: int = 0, related: Collection[Pair] = ()) -> Iterator[Group]:
    """Yield groups of `size` entrants without end, each in its order around the table; another key gives others.

    Pairs that are `related` meet only where no other is left.
    """
    neighbours = Neighbours()
    return map(neighbours.arranged, LeastMet(entrants, size, stream(key, "least met"), related).groups())
