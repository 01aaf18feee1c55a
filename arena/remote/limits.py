"""What strangers may do to a host: how much, how often, how long."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

MOST_KEYS: Final = 10_000  # addresses remembered at a time; there are more of them than memory


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a host. Bytes and counts are the most that is allowed."""

    hello_s: float = 10.0
    """From the connection to a Hello that is accepted."""
    first_message: int = 4096
    """Bytes of the Hello."""
    unproven_bytes: int = 64 * 1024
    """What a connection may send in all before one of its Hellos is accepted."""
    unproven: int = 64
    """Connections at the same time that have shown no good token yet."""
    streams_per_bot: int = 16
    window_s: float = 60.0
    """The time that the two numbers below are about."""
    connections: int = 120
    """New connections of one address."""
    failures: int = 10
    """Failed attempts of one address: bad handshakes, no token, a wrong one, another's name."""


class SlidingWindow:
    """Counts events by key over the last seconds."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._times: dict[str, deque[float]] = {}  # the key heard of last stands last

    def add(self, key: str) -> None:
        """Count an event."""
        times = self._times.pop(key, deque(maxlen=self._most))
        times.append(self._clock())
        self._times[key] = times
        if len(self._times) > MOST_KEYS:
            del self._times[next(iter(self._times))]

    def wait_s(self, key: str) -> float:
        """How long until another event would be within the limit: 0 when it is now."""
        times = self._times.get(key)
        if times is None or len(times) < self._most:
            return 0.0
        return max(0.0, times[0] + self._seconds - self._clock())
