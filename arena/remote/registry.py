"""Which remote bots are connected, and which of them are playing.

A tournament names its bots. A ladder is open: it takes every bot that comes with a token, and begins without waiting.

A match reserves all the sessions it needs at once or none, so that no two matches wait for each other.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from math import inf
from time import monotonic
from types import MappingProxyType
from typing import Final

from ballcourt.arena.bots.entries import UNKNOWN
from ballcourt.arena.remote.board import StatusBoard
from ballcourt.arena.remote.sessions import LEAVE_S, LONGEST_FAREWELL_S, RemoteSession

ANY: Final[Mapping[str, str]] = MappingProxyType({})
"""The versions of bots that may have any."""


class SessionRegistry:
    """The sessions of remote bots, by name. With no names, it serves matches among local bots."""

    def __init__(
        self,
        names: Iterable[str] | None = (),
        versions: Mapping[str, str] | None = None,
        tables: int = sys.maxsize,
        patience_s: float = inf,
        start_at: str = "",
    ) -> None:
        """`names` are the bots that may come; None: all. `versions` are those that they must have, by name.

        `tables` is how many matches may run at a time. A match begins without a bot that has been away for `patience_s`
        seconds. `start_at` is for their owners.
        """
        self.board = StatusBoard(start_at, waits=names is not None)
        """What owners of bots are shown."""
        self._is_open = names is None
        self.names = frozenset(names or ())
        """The bots that may come; in an open registry, those that have come or were expected."""
        self._versions = dict(versions or {})
        self._tables = tables  # free ones
        self._sessions: dict[str, RemoteSession] = {}  # by id
        self._playing: set[str] = set()  # ids
        self._patience_s = patience_s
        self._away = dict.fromkeys(self.names, monotonic())
        """Since when bots are away, by name."""
        self.farewell = ""
        """The reason of the Goodbye that all bots get from now on; empty until `dismiss`."""
        self._waiting: list[asyncio.Future[None]] = []
        self._leaving: set[asyncio.Task[None]] = set()
        self.board.see(self.names)

    def may_come(self, name: str) -> bool:
        """Whether a bot may come; an open registry expects it from now on."""
        if self._is_open and name not in self.names:
            self.names |= {name}
            self.sessions_changed()
        return name in self.names

    def add(self, session: RemoteSession) -> None:
        """Add a session that can play matches, or that gets a Goodbye because there are no more."""
        self._sessions[session.id] = session
        self.may_come(session.hello.bot.name)
        if self.farewell:
            self._see_off(session)
        self.sessions_changed()

    def sessions_changed(self) -> None:
        """Forget lost sessions, and wake all that wait for a session or a table."""
        for session in [session for session in self._sessions.values() if session.lost]:
            del self._sessions[session.id]
        self._away = {name: self._away.get(name, monotonic()) for name in self.missing()}
        self.board.see(self._away)
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    def sessions_of(self, name: str) -> list[RemoteSession]:
        """List all sessions of a bot, including those that wait for it to reconnect."""
        return [session for session in self._sessions.values() if session.hello.bot.name == name]

    def version_of(self, name: str) -> str:
        """Return the version that a bot must have: the agreed one, else the one that is connected; empty for any."""
        return self._versions.get(name) or self.present().get(name, "")

    def present(self) -> dict[str, str]:
        """Return the versions of the bots that are connected, by name, in alphabetical order."""
        here = {session.hello.bot.name: session.hello.bot.version for session in self._connected()}
        return dict(sorted(here.items()))

    def missing(self) -> list[str]:
        """List the names of the bots that are not connected, in alphabetical order."""
        return sorted(self.names - self.present().keys())

    async def roll_call(self, wait_s: float) -> dict[str, str]:
        """Wait up to `wait_s` seconds until all bots are connected; return the versions of those that are, by name."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                while self.missing():
                    await self._next_change()
        return self.present()

    def agree(self, versions: Mapping[str, str]) -> None:
        """Hold bots to these versions from now on."""
        self._versions.update(versions)

    @asynccontextmanager
    async def reserve(
        self, names: Collection[str], versions: Mapping[str, str] = ANY
    ) -> AsyncIterator[dict[str, RemoteSession]]:
        """Wait for a free table and a free session of each bot; yield the sessions by name, reserved in the context.

        Bots that have been away for longer than the patience of the host have none, nor do those that have another
        version than the match is for.
        """
        wanted = {name: versions.get(name, UNKNOWN) for name in names if self.may_come(name)}
        while not self._tables or len(taken := self._free(wanted)) < len(self._awaited(wanted)):
            await self._next_change()
        ids = {session.id for session in taken.values()}
        self._playing |= ids
        self._tables -= 1
        try:
            yield taken
        finally:
            self._playing -= ids
            self._tables += 1
            self.sessions_changed()

    async def dismiss(self, reason: str) -> None:
        """Say Goodbye to all bots, and to each that connects from now on.

        Bots whose streams are broken are waited for, as long as they have time to dial again. That is the longest wait:
        bots that are started again whenever they end would keep it up forever.
        """
        self.farewell = reason
        for session in self._sessions.values():
            self._see_off(session)
        await self.board.close()
        now = asyncio.get_running_loop().time
        deadline = now() + LEAVE_S + LONGEST_FAREWELL_S
        while self._leaving and (left_s := deadline - now()) > 0:
            await asyncio.wait(self._leaving, timeout=left_s)

    def _awaited(self, wanted: Mapping[str, str]) -> list[str]:
        """Return the bots for which a match waits, given the version that it wants of each."""
        too_early = monotonic() - self._patience_s
        bots = [session.hello.bot for session in self._connected() if session.hello.bot.name in wanted]
        here = {bot.name: bot.version for bot in bots}
        return [
            name
            for name, version in wanted.items()
            if (version in (UNKNOWN, here[name]) if name in here else self._away.get(name, inf) > too_early)
        ]

    def _see_off(self, session: RemoteSession) -> None:
        leaving = asyncio.create_task(session.dismiss(self.farewell))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    def _connected(self) -> list[RemoteSession]:
        return [session for session in self._sessions.values() if session.is_attached]

    def _free(self, wanted: Mapping[str, str]) -> dict[str, RemoteSession]:
        free = [session for session in self._connected() if session.id not in self._playing]
        fitting = [
            session for session in free if wanted.get(session.hello.bot.name) in (UNKNOWN, session.hello.bot.version)
        ]
        return {session.hello.bot.name: session for session in fitting if session.answers()}

    async def _next_change(self) -> None:
        """Wait for a change. Waiters wake in the order in which they began, so the oldest match chooses first."""
        change = asyncio.get_running_loop().create_future()
        self._waiting.append(change)
        try:
            await change
        except asyncio.CancelledError:
            with suppress(ValueError):
                self._waiting.remove(change)
            raise
