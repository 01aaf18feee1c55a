"""What a host tells the owners of remote bots about its event, and who listens.

The runner says how the event stands for each bot, and the registry who is connected. A listener always gets the latest
status: what changes while it reads is left out, so neither 300 bots that arrive one by one nor a slow reader add up.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final

from ballcourt.v1.following_pb2 import EventStatus

PACE_S: Final = 1.0
"""The least time between two statuses of a listener."""
LEAVE_S: Final = 2.0
"""How long listeners may take to get their last status."""
MOST_NAMED: Final = 20
"""How many of the bots are named that are waited for."""


class StatusBoard:
    """The latest status of each remote bot."""

    def __init__(self, start_at: str = "", *, waits: bool = True) -> None:
        """`start_at` is when play begins without the bots that are missing, in RFC 3339; empty: when all are there.

        Where play `waits` for no one, it has begun.
        """
        self._start_at = start_at
        self._waits = waits
        self._statuses: dict[str, EventStatus] = {}  # by name
        self._absent: frozenset[str] = frozenset()
        self._out: frozenset[str] = frozenset()
        self._missing: list[str] = []
        self._change = asyncio.Event()
        self._closed = asyncio.Event()
        self._listeners: Counter[str] = Counter()
        self._silence = asyncio.Event()  # when no one listens

    def tell(self, statuses: Mapping[str, bytes], out: Collection[str]) -> None:
        """Update the serialised statuses of bots, by name, and the names of all bots that are not waited for."""
        self._statuses |= {name: EventStatus.FromString(status) for name, status in statuses.items()}
        self._out = frozenset(out)
        self._changed()

    def see(self, absent: Iterable[str]) -> None:
        """Update which bots are not connected."""
        if (now := frozenset(absent)) != self._absent:
            self._absent = now
            self._changed()

    def listeners(self, name: str) -> int:
        """Return how many listen for a bot."""
        return self._listeners[name]

    def status(self, name: str) -> EventStatus:
        """Return the status of a bot."""
        found = EventStatus(begun=not self._waits)
        found.CopyFrom(self._statuses.get(name, found))
        found.connected = name not in self._absent
        if not found.over:
            others = [one for one in self._missing if one != name]
            found.missing[:] = others[:MOST_NAMED]
            found.missing_count = len(others)
        if not found.begun:
            found.start_at = self._start_at
        return found

    async def follow(self, name: str) -> AsyncGenerator[EventStatus]:
        """Yield the status of a bot now and whenever it has changed, until the event is over or the board closes."""
        last = None
        self._listeners[name] += 1
        try:
            while True:
                change = self._change
                if (status := self.status(name)) != last:
                    last = status
                    yield status
                if status.over or self._closed.is_set():
                    return
                await change.wait()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closed.wait(), PACE_S)
        finally:
            self._listeners -= Counter([name])  # which forgets those of none
            if not self._listeners:
                self._silence.set()

    async def close(self) -> None:
        """Give the listeners their last status, and let them go."""
        self._closed.set()
        self._changed()
        self._silence.clear()
        if self._listeners:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._silence.wait(), LEAVE_S)

    def _changed(self) -> None:
        self._missing = sorted(self._absent - self._out) if self._waits else []
        self._change.set()
        self._change = asyncio.Event()
