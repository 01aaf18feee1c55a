"""The groups of a round, in an order whose every prefix is as even as its length allows."""

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from typing import Final

from ballcourt.arena.tournament.even_order import Group, even_order

SMALL: Final = 5000
"""Rounds of at most this many groups are ordered in advance; longer ones group by group, as far as they are needed."""
TRIES: Final = 200


def groups(entrants: int, size: int) -> Iterator[Group]:
    """Yield every group of `size` entrants once; entrants' numbers of groups differ by at most 1 at any time.

    Near the end of a round of more than `SMALL` groups it may become 2, when the groups that are left leave no choice.
    """
    if comb(entrants, size) <= SMALL:
        yield from even_order(entrants, size)
    else:
        yield from _Choice(entrants, size).groups()


class _Choice:
    """Chooses one group after another: those with the fewest groups so far, then those who met least."""

    def __init__(self, entrants: int, size: int) -> None:
        self._entrants = range(entrants)
        self._size = size
        self._counts = [0] * entrants
        self._met = [[0] * entrants for _ in self._entrants]
        self._used: set[Group] = set()

    def groups(self) -> Iterator[Group]:
        """Yield groups as long as there are any."""
        while group := self._even_group():
            yield self._use(group)
        left = [group for group in combinations(self._entrants, self._size) if group not in self._used]
        while left:
            best = min(left, key=self._unevenness)
            left.remove(best)
            yield self._use(best)

    def _even_group(self) -> Group | None:
        """Find an unused group that keeps all numbers within 1; None if it would have to be searched for long."""
        fewest = min(self._counts)
        behind = [entrant for entrant in self._entrants if self._counts[entrant] == fewest]
        ahead = [entrant for entrant in self._entrants if self._counts[entrant] > fewest]
        unused = (group for group in islice(self._candidates((), behind, ahead), TRIES) if group not in self._used)
        return next((group for group in unused if self._leaves_a_choice(group, behind)), None)

    def _candidates(self, chosen: Group, behind: list[int], ahead: list[int]) -> Iterator[Group]:
        """Yield groups of those who are behind, filled up with others only when all of them are in; the best first."""
        if len(chosen) == self._size:
            yield tuple(sorted(chosen))
            return
        met = [self._met[member] for member in chosen]
        for entrant in sorted(behind or ahead, key=lambda entrant: sum(row[entrant] for row in met)):
            rest = [other for other in behind or ahead if other != entrant]
            yield from self._candidates((*chosen, entrant), *((rest, ahead) if behind else ([], rest)))

    def _leaves_a_choice(self, group: Group, behind: list[int]) -> bool:
        """Say whether those who are still behind after this group are not a group that was used before."""
        return tuple(entrant for entrant in behind if entrant not in group) not in self._used

    def _unevenness(self, group: Group) -> tuple[list[int], int]:
        counts = sorted((self._counts[entrant] for entrant in group), reverse=True)
        return counts, sum(self._met[one][other] for one, other in combinations(group, 2))

    def _use(self, group: Group) -> Group:
        self._used.add(group)
        for entrant in group:
            self._counts[entrant] += 1
            for other in group:
                self._met[entrant][other] += 1
        return group
