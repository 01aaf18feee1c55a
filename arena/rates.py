"""How often something may happen: counts over the last seconds, and amounts that grow with time."""

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

MOST_KEYS: Final = 10_000  # keys remembered at a time, to bound memory


class SlidingWindow:
    """Counts events by key over the last `seconds`, up to `most`."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._times: dict[str, deque[float]] = {}  # the most recent key is last

    def add(self, key: str) -> None:
        """Count an event."""
        times = self._times.pop(key, deque(maxlen=self._most))
        times.append(self._clock())
        self._times[key] = times
        if len(self._times) > MOST_KEYS:
            del self._times[next(iter(self._times))]

    def count(self, key: str) -> int:
        """Return how many events are in the window; `most` if there are more."""
        times = self._times.get(key, ())
        since = self._clock() - self._seconds
        return sum(time > since for time in times)

    def is_full(self, key: str) -> bool:
        """Return whether there are `most` events in the window."""
        return self.count(key) >= self._most


class Allowance:
    """An amount that grows by `per_s` a second, up to that of `at_once`."""

    def __init__(self, per_s: float, at_once: float, clock: Callable[[], float] = monotonic) -> None:
        self._per_s = per_s
        self._at_once = at_once
        self._clock = clock
        self._left = at_once
        self._counted_s = clock()

    def take(self, amount: float = 1.0) -> float:
        """Take an amount, which may be more than is left; return for how many seconds to pause for it."""
        now = self._clock()
        self._left = min(self._at_once, self._left + self._per_s * (now - self._counted_s)) - amount
        self._counted_s = now
        return max(0.0, -self._left / self._per_s)
