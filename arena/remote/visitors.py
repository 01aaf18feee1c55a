"""The connections from outside: which of them have shown a token, who waits to be served, and who must make room."""

import asyncio
import random
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.remote.ends import End
from ballcourt.arena.remote.port import prefix_of

MOST_RECENT: Final = 100
"""The largest number of recent connections by which prefixes are compared."""
TLS_RECORD: Final = b"\x16"
"""The first byte of a TLS handshake."""
HEAD: Final = 5
"""Bytes of the head of a TLS record; the first words in any other protocol have as many, too."""
RECORD: Final = 1 << 14
"""The most bytes of a TLS record after its head (RFC 8446, section 5.1)."""
AS_IT_COMES: Final = 1
"""Bytes for which a socket that is served wakes its reader."""
GONE: Final = "closed by the other side"


class Pulse:
    """When bytes last came over a connection.

    gRPC's keepalive asks for some at least every few seconds, so a connection that stays silent for longer is dead.
    """

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []
        self.last_s = monotonic()
        """The time of the last bytes, on the monotonic clock."""

    def beat(self) -> None:
        """Note that bytes came, and call those who wait for them."""
        self.last_s = monotonic()
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def silent_s(self) -> float:
        """Return for how many seconds nothing has come."""
        return monotonic() - self.last_s

    def call_at_next(self, call: Callable[[], None]) -> None:
        """Call a function when bytes come the next time."""
        self._waiting.append(call)


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


@dataclass(eq=False, slots=True)
class Guest:
    """An accepted connection whose first words have not come, or that waits to be served since they have."""

    end: End
    visitor: Visitor
    timer: asyncio.TimerHandle
    expected: int = HEAD
    """How many bytes its first words have, as far as is known."""

    def wake_at(self, count: int) -> None:
        """Make the connection readable only once `count` bytes have arrived or the peer has closed it."""
        self.end.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)


class WaitingRoom:
    """Accepted connections that are not served yet: the next one is of the prefix that came least often.

    Only those are served whose first words have come, whole: what says nothing, says it byte by byte or leaves at once
    keeps no other waiting, and costs no state of TLS. Of several of one prefix any is next, by chance: if it were the
    newest or the oldest, those that come again and again could keep the others waiting for ever.
    """

    def __init__(
        self,
        most: int,
        window_s: float,
        words_s: float,
        complain: Callable[[str, Visitor, str], object],
        choose: Callable[[Sequence[Guest]], Guest] = random.choice,
    ) -> None:
        """At most `most` wait, for `words_s` until their first words; prefixes are compared by the last `window_s`.

        `complain` is called with an event, a visitor and a reason when one is closed.
        """
        self._most = most
        self._words_s = words_s
        self._complain = complain
        self._choose = choose
        self._recent = SlidingWindow(MOST_RECENT, window_s)
        self._guests: dict[Visitor, Guest] = {}  # the oldest first
        self._ready: list[Guest] = []
        self._arrival = asyncio.Event()

    def enter(self, end: End, visitor: Visitor) -> None:
        """Queue a connection, which is closed if its first words do not come in time. Another may have to leave."""
        if left := to_make_room(self._guests, self._most):
            self._close(self._guests[left], "turned away", f"more than {self._most} connections wait to be let in")
        self._recent.add(visitor.prefix)
        loop = asyncio.get_running_loop()
        guest = Guest(end, visitor, loop.call_later(self._words_s, self._be_late, visitor))
        self._guests[visitor] = guest
        guest.wake_at(HEAD)
        loop.add_reader(end.connection, self._listen, guest)

    def _listen(self, guest: Guest) -> None:
        """Look at what has come of the first words of a connection."""
        try:
            first = guest.end.connection.recv(guest.expected, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            first = b""
        if len(first) < guest.expected:
            self._close(guest, "bad handshake", GONE)
        elif (expected := length_of(first)) > guest.expected:
            guest.expected = expected
            guest.wake_at(expected)
        else:
            self._stop_listening(guest)
            self._ready.append(guest)
            self._arrival.set()

    def _be_late(self, visitor: Visitor) -> None:
        self._close(self._guests[visitor], "bad handshake", f"no handshake within {self._words_s:g} s")

    def _stop_listening(self, guest: Guest) -> None:
        guest.timer.cancel()
        asyncio.get_running_loop().remove_reader(guest.end.connection)

    def _close(self, guest: Guest, event: str, reason: str) -> None:
        self._forget(guest)
        guest.end.connection.close()
        self._complain(event, guest.visitor, reason)

    def _forget(self, guest: Guest) -> None:
        del self._guests[guest.visitor]
        if guest in self._ready:
            self._ready.remove(guest)
        else:
            self._stop_listening(guest)

    async def arrival(self) -> None:
        """Wait until a connection may be served."""
        while not self._ready:
            self._arrival.clear()
            await self._arrival.wait()

    async def take(self) -> tuple[End, Visitor]:
        """Wait until a connection may be served, and take out the one that is next."""
        await self.arrival()
        often = {prefix: self._recent.count(prefix) for prefix in {guest.visitor.prefix for guest in self._ready}}
        least = min(often.values())
        guest = self._choose([guest for guest in self._ready if often[guest.visitor.prefix] == least])
        self._forget(guest)
        guest.wake_at(AS_IT_COMES)
        return guest.end, guest.visitor

    def close(self) -> None:
        """Close all that wait."""
        for guest in list(self._guests.values()):
            self._forget(guest)
            guest.end.connection.close()


def length_of(first: bytes) -> int:
    """Return how many bytes the first words of a connection have, by its first ones: in TLS, a record."""
    length = int.from_bytes(first[3:HEAD])
    is_record = first[:1] == TLS_RECORD and length <= RECORD  # a longer one is refused at once when it is served
    return HEAD + length if is_record else HEAD
