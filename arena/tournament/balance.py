"""How even a schedule is: what it gives each entrant, counted and not assumed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Balance:
    """Counts over a schedule, entrants by index: matches played, matches in each seat, matches of each pair."""

    matches: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]
    pairs: dict[tuple[int, int], int]

    @property
    def even(self) -> bool:
        """Whether all entrants have the same matches, seats and opponents."""
        return all(len(set(counts)) <= 1 for counts in (self.matches, self.pairs.values(), *self.seats))


def balance(entrants: int, tables: Iterable[tuple[int, ...]]) -> Balance:
    """Count over tables, each of which lists who sits at seat 0, 1, ..."""
    sat: Counter[tuple[int, int]] = Counter()
    met = dict.fromkeys(combinations(range(entrants), 2), 0)
    widest = 0
    for table in tables:
        widest = max(widest, len(table))
        sat.update((entrant, seat) for seat, entrant in enumerate(table))
        for pair in combinations(sorted(table), 2):
            met[pair] += 1
    seats = tuple(tuple(sat[entrant, seat] for seat in range(widest)) for entrant in range(entrants))
    return Balance(tuple(sum(counts) for counts in seats), seats, met)
