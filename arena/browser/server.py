"""The server of every web application: how many connections it has, and how long it waits for a browser.

It listens on this machine alone, so all visitors have the same address, also those that a reverse proxy brings: there
is no limit per address, and who must leave is whoever keeps the server waiting longest.
"""

import asyncio
from math import inf
from typing import Final, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS: Final = 256
"""For another one, the connection leaves whose browser is awaited longest."""
PATIENCE_S: Final = 20.0
"""How long a browser may take to send a whole request, or to read what was sent."""
MOST_UNREAD: Final = 16 << 20
"""How many bytes of answers may wait for browsers that do not read them, unless one answer alone is larger."""
READ_BYTES: Final = 16 * 1024
"""How much of a connection is read at a time."""
BACKLOG: Final = 64
"""How many connections are accepted at a time."""
LEAVE_S: Final = 5
"""How long answers may take to end when the server is stopped."""
LOOK_S: Final = 1


def web_server(app: FastAPI) -> uvicorn.Server:
    """Return a server for an application; it prints what goes wrong in the application, and nothing about browsers."""

    async def look() -> None:
        _cut_the_late(cast("set[_Connection]", server.server_state.connections))

    config = uvicorn.Config(
        app,
        http=_Connection,
        ws="none",
        backlog=BACKLOG,
        log_level="error",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=LEAVE_S,
        callback_notify=look,
        timeout_notify=LOOK_S,
    )
    server = uvicorn.Server(config)
    return server


class _Connection(H11Protocol, asyncio.BufferedProtocol):
    """A connection that knows since when its browser is awaited, and of which little is read at a time."""

    connections: "set[_Connection]"  # type: ignore[assignment]
    since_s = inf
    """When its browser began to keep the server waiting, on the loop's clock; infinite if the server has to act."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in; if there are too many, cut one off."""
        self._space = memoryview(bytearray(READ_BYTES))
        super().connection_made(cast("asyncio.Transport", transport))
        self._note()
        if len(self.connections) > MOST_CONNECTIONS:
            min(self.connections, key=_since).cut()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where the next bytes go."""
        return self._space

    def buffer_updated(self, nbytes: int) -> None:
        """Take bytes that have come."""
        self.data_received(bytes(self._space[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Take bytes of requests."""
        super().data_received(data)
        self._note()

    def on_response_complete(self) -> None:
        """Go on with the next request."""
        super().on_response_complete()
        self._note()

    def pause_writing(self) -> None:
        """Wait until the browser reads; cut off others if too much is unread."""
        super().pause_writing()
        self._note()
        waiting = sorted((one for one in self.connections if one.flow.write_paused), key=_since)
        unread = sum(one.unread for one in waiting)
        for one in waiting[:-1]:
            if unread > MOST_UNREAD:
                unread -= one.unread
                one.cut()

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        self._note()

    @property
    def unread(self) -> int:
        """The bytes that wait to be sent."""
        return self.transport.get_write_buffer_size()

    def cut(self) -> None:
        """Break the connection."""
        self.connections.discard(self)
        self.transport.abort()

    def _note(self) -> None:
        """Note since when the browser is awaited."""
        is_answered = self.cycle is None or self.cycle.response_complete
        if not (is_answered or self.cycle.more_body or self.flow.write_paused):
            self.since_s = inf
        elif self.since_s == inf:
            self.since_s = self.loop.time()


def _since(connection: _Connection) -> float:
    return connection.since_s


def _cut_the_late(connections: set[_Connection]) -> None:
    """Cut off all whose browsers have been awaited for too long."""
    now = asyncio.get_running_loop().time()
    for connection in [one for one in connections if now - one.since_s > PATIENCE_S]:
        connection.cut()
