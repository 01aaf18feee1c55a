"""How even a schedule is: what it gives each entrant, counted and not assumed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import inf
from statistics import fmean

from ballcourt.arena.tournament.schedules.schedule import Block


@dataclass(frozen=True, slots=True)
class Balance:
    """Counts over a schedule, entrants by index.

    Matches played, matches in each seat, matches of each pair, and for each ordered pair the matches in which the first
    sits right before the second, going round the table.
    """

    matches: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]
    pairs: dict[tuple[int, int], int]
    before: dict[tuple[int, int], int]

    @property
    def even(self) -> bool:
        """Whether all entrants have the same matches, seats and opponents."""
        return all(len(set(counts)) <= 1 for counts in (self.matches, self.pairs.values(), *self.seats))

    def times_before(self) -> list[int]:
        """Return for each ordered pair how often the first sits right before the second."""
        return [self.before.get(pair, 0) for pair in permutations(range(len(self.matches)), 2)]

    def variance_factor(self) -> float:
        """Return how much more rating differences vary than if the meetings were spread evenly over all pairs.

        Who has no match, such as a bot that was withdrawn before the start, has no rating and is left out. It is the
        mean variance of a difference over all pairs of the others, for results that depend on the difference of two
        ratings, as a multiple of that of a complete design with as many meetings: at least 1, infinity if they fall
        into parts that never meet. It follows from the eigenvalues of the Laplacian of the meetings (J. A. John
        and E. R. Williams, "Cyclic and Computer Generated Designs", 1995, section 2.2).
        """
        values = self._eigenvalues([entrant for entrant, matches in enumerate(self.matches) if matches])
        if len(values) == 0:
            return 1.0
        return inf if 0.0 in values else fmean(1 / value for value in values) * fmean(values)

    def rating_variance(self) -> float:
        """Return the mean variance of a rating relative to the field's, in units of what a single meeting leaves.

        Infinity if the entrants fall into parts that never meet.
        """
        values = self._eigenvalues(range(len(self.matches)))
        return inf if 0.0 in values else sum(1 / value for value in values) / len(self.matches)

    def _eigenvalues(self, among: Sequence[int]) -> list[float]:
        """Return the eigenvalues of the Laplacian of the meetings among some, in order, without the first, a 0."""
        import numpy as np  # slow to import, and only needed for these figures

        entrants = len(self.matches)
        laplacian = np.zeros((entrants, entrants))
        for (one, other), met in self.pairs.items():
            laplacian[one, other] = laplacian[other, one] = -met
        np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
        values = np.linalg.eigvalsh(laplacian[np.ix_(among, among)])[1:].tolist()
        return [value if value > 1e-9 * values[-1] else 0.0 for value in values]


def balances(entrants: int, setups: int, blocks: Iterable[Block]) -> tuple[Balance, ...]:
    """Count over blocks, for each of this number of set-ups."""
    tables: list[list[tuple[int, ...]]] = [[] for _ in range(setups)]
    for block in blocks:
        tables[block.setup] += block.tables
    return tuple(balance(entrants, own) for own in tables)


def balance(entrants: int, tables: Iterable[tuple[int, ...]]) -> Balance:
    """Count over tables, each of which lists who sits at seat 0, 1, ..."""
    sat: Counter[tuple[int, int]] = Counter()
    met = dict.fromkeys(combinations(range(entrants), 2), 0)
    before: Counter[tuple[int, int]] = Counter()
    widest = 0
    for table in tables:
        widest = max(widest, len(table))
        sat.update((entrant, seat) for seat, entrant in enumerate(table))
        before.update(zip(table, table[1:] + table[:1], strict=True))
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
    seats = tuple(tuple(sat[entrant, seat] for seat in range(widest)) for entrant in range(entrants))
    return Balance(tuple(sum(counts) for counts in seats), seats, met, dict(before))
