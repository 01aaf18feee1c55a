"""The connections from outside: which of them have shown a token, who waits to be served, and who must make room."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final

from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.remote.port import prefix_of


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


MOST_RECENT: Final = 100
"""The largest number of recent connections by which prefixes are compared."""


class Refusal(Exception):
    """A refused Hello or call: `reason` is for the journal, `sentence` for the bot's author."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence


class Crowded(Refusal):
    """A refusal because other programs have the places of the token."""


class Visitor:
    """A connection from outside. It is proven while a stream of it is open whose Hello was accepted."""

    def __init__(self, address: str, port: int) -> None:
        self.address = address
        self.port = port
        self.prefix = prefix_of(address)
        self.pulse = Pulse()
        self.is_encrypted = True
        """Whether its bytes come over TLS, if the host asks for that."""
        self.began_s = monotonic()
        """When it began to be served, in seconds on the monotonic clock."""
        self.received = 0
        """How many bytes it has sent while it was not proven."""
        self.refusals = 0
        """How many of its Hellos were refused."""
        self.is_leaving = False
        """Whether its connection is being broken."""
        self.hang_up: Callable[[], object] = lambda: None
        self._streams = 0
        self._proof = asyncio.Event()
        self._doubt = asyncio.Event()
        self._doubt.set()

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"

    @property
    def is_proven(self) -> bool:
        """Whether it has an accepted stream."""
        return self._streams > 0

    def cut(self) -> None:
        """Break the connection."""
        self.is_leaving = True
        self.hang_up()

    def stream_opened(self) -> None:
        """Note that a Hello of this connection was accepted."""
        self._streams += 1
        self._proof.set()
        self._doubt.clear()

    def stream_ended(self) -> None:
        """Note that a stream ended whose Hello had been accepted."""
        self._streams -= 1
        if not self._streams:
            self.received = 0
            self._proof.clear()
            self._doubt.set()

    async def unproven_for(self, seconds: float) -> None:
        """Return when it has not been proven for this time at a stretch."""
        while True:
            await self._doubt.wait()
            try:
                async with asyncio.timeout(seconds):
                    await self._proof.wait()
            except TimeoutError:
                return


def to_make_room(visitors: Iterable[Visitor], most: int) -> Visitor | None:
    """Return who must leave if there are `most` unproven visitors: the first one of the prefix that has most of them.

    `visitors` begins with the oldest.
    """
    unproven = [visitor for visitor in visitors if not (visitor.is_proven or visitor.is_leaving)]
    if len(unproven) < most:
        return None
    crowd = Counter(visitor.prefix for visitor in unproven)
    return max(unproven, key=lambda visitor: crowd[visitor.prefix])  # the first of several


class WaitingRoom:
    """Accepted connections that are not served yet: the next one is the newest of the prefix that came least often.

    So no one waits behind a flood, and good clients within one have a chance.
    """

    def __init__(self, most: int, window_s: float) -> None:
        """At most `most` wait; prefixes are compared by their connections in the last `window_s` seconds."""
        self._most = most
        self._recent = SlidingWindow(MOST_RECENT, window_s)
        self._waiting: list[tuple[socket.socket, Visitor]] = []  # the oldest first
        self._arrival = asyncio.Event()

    def enter(self, connection: socket.socket, visitor: Visitor) -> Visitor | None:
        """Let a connection wait; return one that had to leave for it and was closed, if any."""
        left = self._leave() if len(self._waiting) >= self._most else None
        self._recent.add(visitor.prefix)
        self._waiting.append((connection, visitor))
        self._arrival.set()
        return left

    def _leave(self) -> Visitor | None:
        left = to_make_room((visitor for _, visitor in self._waiting), self._most)
        for pair in [pair for pair in self._waiting if pair[1] is left]:
            self._waiting.remove(pair)
            pair[0].close()
        return left

    async def arrival(self) -> None:
        """Wait until a connection waits."""
        while not self._waiting:
            self._arrival.clear()
            await self._arrival.wait()

    def take(self) -> tuple[socket.socket, Visitor]:
        """Take the next connection out."""
        often = {prefix: self._recent.count(prefix) for prefix in {visitor.prefix for _, visitor in self._waiting}}
        chosen = min(reversed(self._waiting), key=lambda pair: often[pair[1].prefix])
        self._waiting.remove(chosen)
        return chosen

    def close(self) -> None:
        """Close all that wait."""
        for connection, _ in self._waiting:
            connection.close()
        self._waiting.clear()
