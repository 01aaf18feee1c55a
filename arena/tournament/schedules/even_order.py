"""An order of all groups of a small field in which no entrant is ever two blocks ahead of another.

Baranyai proved by flows in networks that all groups of `size` out of n entrants can be sorted into even classes (Z.
Baranyai, "On the factorization of the complete uniform hypergraph", 1975). The construction here is his, with every
prefix of the order as a class. Entrants join one after another. At each step, every place of the order holds the part
of its group that is known so far; if each part may grow into all its groups, the new entrant has to join a known number
of the places that hold equal parts. A fractional solution is to join every place by (missing members) / (entrants to
come). It gives each prefix of the order its fair share, so a whole one exists that gives each prefix its share rounded
up or down: the t-th place that the entrant joins lies in the t-th window of the order. Augmenting paths find it.
"""

from collections import Counter, defaultdict, deque
from functools import cache
from itertools import combinations
from math import comb, gcd

Group = tuple[int, ...]


@cache
def even_order(entrants: int, size: int) -> tuple[Group, ...]:
    """Return every group of `size` entrants once; in each prefix, entrants' numbers of groups differ by at most 1.

    Pairs of entrants meet about as evenly. Takes about 1 s for 5,000 groups.
    """
    parts: list[Group] = [()] * comb(entrants, size)
    for entrant in range(entrants):
        for place in _Joining(parts, size, entrants - entrant).places():
            parts[place] += (entrant,)
    return tuple(_mix_pairs(parts, entrants // gcd(entrants, size)))


class _Joining:
    """One step: which places of the order the next entrant joins."""

    def __init__(self, parts: list[Group], size: int, to_come: int) -> None:
        """`to_come` counts the entrants that have not joined any place yet, the next one included."""
        self._parts = parts
        self._room = {part: _quota(size - len(part) - 1, to_come - 1) for part in parts}
        self._windows = _windows([size - len(part) for part in parts], to_come)
        self._places: list[int] = [-1] * len(self._windows)  # by window
        self._taken: dict[int, int] = {}  # by place: its window
        self._holders: dict[Group, set[int]] = defaultdict(set)  # the windows that hold a place with this part
        self._met: Counter[int] = Counter()

    def places(self) -> list[int]:
        """Choose a place in each window; where there is a choice, the part whose members were met least."""
        for window, places in enumerate(self._windows):
            free = [place for place in places if self._is_free(place)]
            if free:
                self._hold(window, min(free, key=self._meetings))
            else:
                self._augment(window)
            self._met.update(self._parts[self._places[window]])
        return self._places

    def _is_free(self, place: int) -> bool:
        return place not in self._taken and self._room[self._parts[place]] > 0

    def _meetings(self, place: int) -> int:
        return sum(self._met[member] for member in self._parts[place])

    def _hold(self, window: int, place: int) -> None:
        self._places[window] = place
        self._taken[place] = window
        self._holders[self._parts[place]].add(window)
        self._room[self._parts[place]] -= 1

    def _release(self, window: int) -> None:
        place = self._places[window]
        if place >= 0:
            del self._taken[place]
            self._holders[self._parts[place]].remove(window)
            self._room[self._parts[place]] += 1

    def _augment(self, window: int) -> None:
        """Find a place for a window by moving others, along a shortest augmenting path."""
        moves: dict[int, tuple[int, int]] = {}  # by window that must move: the window that takes over, and with what
        full: set[Group] = set()  # parts whose holders are all in the queue
        queue = deque([window])
        while True:
            asking = queue.popleft()
            for place in self._windows[asking]:
                if self._is_free(place):
                    return self._shift(asking, place, moves)
                for holder in self._in_the_way(place, full):
                    if holder != window and holder not in moves:
                        moves[holder] = (asking, place)
                        queue.append(holder)

    def _in_the_way(self, place: int, full: set[Group]) -> list[int]:
        """Return the windows of which one has to move if the place is to be free, without those in the queue."""
        if place in self._taken:
            return [self._taken[place]]
        part = self._parts[place]
        if part in full:
            return []
        full.add(part)
        return sorted(self._holders[part])

    def _shift(self, window: int, place: int, moves: dict[int, tuple[int, int]]) -> None:
        path = [(window, place)]
        while window in moves:
            window, place = moves[window]
            path.append((window, place))
        for window, _ in path:
            self._release(window)
        for window, place in path:
            self._hold(window, place)


def _quota(missing: int, to_come: int) -> int:
    """Count the groups that a part can still grow into when the next entrant has joined it."""
    return comb(to_come, missing) if missing >= 0 else 0


def _windows(missing: list[int], to_come: int) -> list[list[int]]:
    """List for each join the places it may fall on, from the numbers of members that the places lack."""
    windows: list[list[int]] = [[] for _ in range(sum(missing) // to_come)]
    before = 0
    for place, lacking in enumerate(missing):
        if lacking:
            for window in range(before // to_come, (before + lacking - 1) // to_come + 1):
                windows[window].append(place)
        before += lacking
    return windows


def _mix_pairs(groups: list[Group], layer: int) -> list[Group]:
    """Put layers of `layer` groups, in each of which all play equally often, in the best order for the pairs."""
    layers = [groups[start : start + layer] for start in range(0, len(groups), layer)]
    pairs = {id(held): [pair for group in held for pair in combinations(group, 2)] for held in layers}
    met: Counter[tuple[int, int]] = Counter()
    mixed: list[Group] = []
    while layers:
        best = min(layers, key=lambda held: sum(map(met.__getitem__, pairs[id(held)])))
        layers.remove(best)
        met.update(pairs[id(best)])
        mixed += best
    return mixed
