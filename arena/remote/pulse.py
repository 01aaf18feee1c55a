"""Signs of life of a connection: a bot on a silent link must not be given another match."""

from collections.abc import Callable
from time import monotonic


class Pulse:
    """When bytes last came over a connection.

    gRPC's keepalive asks for some at least every few seconds, so a connection that stays silent for longer is dead.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._waiting: list[Callable[[], None]] = []
        self.last_s = clock()
        """The time of the last bytes, on the clock that was given."""

    def beat(self) -> None:
        """Note that bytes came, and call those who wait for them."""
        self.last_s = self._clock()
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def silent_s(self) -> float:
        """Return for how many seconds nothing has come."""
        return self._clock() - self.last_s

    def call_at_next(self, call: Callable[[], None]) -> None:
        """Call a function when bytes come the next time."""
        self._waiting.append(call)
