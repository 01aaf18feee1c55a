"""Limits on what strangers can do to a host."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

MOST_KEYS: Final = 10_000  # addresses remembered at a time, to bound memory


@dataclass(frozen=True, slots=True)
class HostLimits:
    """The limits of a host. Bytes and counts are maxima."""

    hello_s: float = 10.0
    """Seconds from the connection to an accepted Hello."""
    first_message: int = 4096
    """Bytes of the Hello."""
    unproven_bytes: int = 64 * 1024
    """What a connection may send before one of its Hellos is accepted."""
    unproven: int = 64
    """Simultaneous connections without an accepted Hello."""
    streams_per_bot: int = 16
    window_s: float = 60.0
    """Seconds that the two numbers below apply to."""
    connections: int = 120
    """New connections from one address."""
    failures: int = 10
    """Failed attempts from one address: bad handshakes, missing or wrong tokens, the name of another bot."""


class SlidingWindow:
    """Counts events by key over the last `seconds`."""

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

    def wait_s(self, key: str) -> float:
        """Return the seconds until another event is within the limit; 0 if it is now."""
        times = self._times.get(key)
        if times is None or len(times) < self._most:
            return 0.0
        return max(0.0, times[0] + self._seconds - self._clock())
