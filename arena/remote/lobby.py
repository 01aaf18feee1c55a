"""Who of the remote bots is there, and who of them plays.

A match takes all the streams it needs at once or none, so that no two matches wait for each other.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager

from ballcourt.arena.remote.sessions import RemoteSession


class Lobby:
    """The sessions of the remote bots with these names; a lobby of none serves matches among local bots alone."""

    def __init__(
        self, names: Iterable[str] = (), versions: Mapping[str, str] | None = None, tables: int = sys.maxsize
    ) -> None:
        """`versions` are those agreed upon so far, by name; `tables` is how many matches may be played at a time."""
        self.names = frozenset(names)
        self._versions = dict(versions or {})
        self._tables = tables  # free ones
        self._sessions: dict[str, RemoteSession] = {}  # by id
        self._playing: set[str] = set()  # ids
        self.farewell = ""
        """Why nobody plays here any more; empty as long as they do."""
        self._waiting: list[asyncio.Future[None]] = []

    def enter(self, session: RemoteSession) -> None:
        """Let a session wait for matches."""
        self._sessions[session.id] = session
        self.change()

    def change(self) -> None:
        """Hear that something is different; sessions that were lost are forgotten."""
        for session in [session for session in self._sessions.values() if session.lost]:
            del self._sessions[session.id]
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    def find(self, session_id: str) -> RemoteSession | None:
        """Look a session up that could be resumed."""
        return self._sessions.get(session_id)

    def sessions_of(self, name: str) -> list[RemoteSession]:
        """All sessions of a bot, those that wait for its return too."""
        return [session for session in self._sessions.values() if session.hello.bot.name == name]

    def version_of(self, name: str) -> str:
        """The version a bot has to have: the one agreed upon, else the one it is here with; empty for any."""
        here = next((session.hello.bot.version for session in self.sessions_of(name)), "")
        return self._versions.get(name, here)

    def missing(self) -> list[str]:
        """The names of those that are not here, in order."""
        return sorted(self.names - {session.hello.bot.name for session in self._here()})

    async def roll_call(self) -> dict[str, str]:
        """Wait until all are here at once; return their versions by name, which hold from then on."""
        while self.missing():
            await self._next_change()
        self._versions = {name: self.version_of(name) for name in sorted(self.names)}
        return dict(self._versions)

    @asynccontextmanager
    async def table(self, names: list[str]) -> AsyncIterator[dict[str, RemoteSession]]:
        """Take a free table and a session of each bot, by name, as soon as all of them have one that is free."""
        while not self._tables or len(taken := self._free(names)) < len(names):
            await self._next_change()
        ids = {session.id for session in taken.values()}
        self._playing |= ids
        self._tables -= 1
        try:
            yield taken
        finally:
            self._playing -= ids
            self._tables += 1
            self.change()

    async def dismiss(self, reason: str) -> None:
        """Say Goodbye to all, and from now on to whoever comes."""
        self.farewell = reason
        await asyncio.gather(*(session.farewell(reason) for session in [*self._sessions.values()]))

    def _here(self) -> list[RemoteSession]:
        return [session for session in self._sessions.values() if session.is_attached]

    def _free(self, names: list[str]) -> dict[str, RemoteSession]:
        free = [session for session in self._here() if session.id not in self._playing]
        return {session.hello.bot.name: session for session in free if session.hello.bot.name in names}

    async def _next_change(self) -> None:
        """Wait. All that wait are woken in the order in which they began, so the oldest match gets the first choice."""
        change = asyncio.get_running_loop().create_future()
        self._waiting.append(change)
        await change
