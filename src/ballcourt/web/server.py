"""The server of every web application: how many connections it has, and how long it waits for a browser.

It listens on this machine alone, so all visitors have the same address, also those that a reverse proxy brings:
no limit is set per address, and the connection that keeps the server waiting longest is closed. While it waits for none
of them, those that send a request before they have their answer go, as no browser does so, and then the newest.
"""

import asyncio
from math import inf
from typing import Any, Final, cast

import uvicorn
from anyio import CancelScope
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS: Final = 256
"""For another one, a connection has to leave."""
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


def web_server(app: ASGIApp, patience_s: float = PATIENCE_S) -> uvicorn.Server:
    """Return a server for an application; it prints what goes wrong in the application, and nothing about browsers."""

    async def look() -> None:
        _cut_the_late(cast("set[_Connection]", server.server_state.connections), patience_s)

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
    asks_ahead = False
    """Whether its browser has sent more than what is answered."""
    _answering: CancelScope | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in; if there are too many, cut one off."""
        self._space = memoryview(bytearray(READ_BYTES))
        self._application, self.app = self.app, self._answer
        self.made_s = self.loop.time()
        super().connection_made(cast("asyncio.Transport", transport))
        # the browser is awaited only when what it has sent already was read: after the loop's next look at its sockets
        self.loop.call_soon(self.loop.call_soon, self._note)
        if len(self.connections) > MOST_CONNECTIONS:
            min(self.connections, key=_by_leave).cut()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the references to this connection, which frees it at once."""
        super().connection_lost(exc)
        self.app = self._application

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
        """Break the connection, and end its request; only what a thread has begun goes on."""
        self.connections.discard(self)
        self.transport.abort()
        if self.cycle is not None:
            self.cycle.disconnected = True
        if self._answering:
            self._answering.cancel()

    async def _answer(self, *request: Any) -> None:  # noqa: ANN401
        """Have the application answer a request, unless the connection was cut meanwhile."""
        if not self.transport.is_closing():
            with CancelScope() as self._answering:
                await self._application(*request)
            self._answering = None

    def _note(self) -> None:
        """Note since when the browser is awaited, and whether it has sent more."""
        self.asks_ahead = bool(self.conn.trailing_data[0])
        is_answered = self.cycle is None or self.cycle.response_complete
        if not (is_answered or self.cycle.more_body or self.flow.write_paused):
            self.since_s = inf
        elif self.since_s == inf:
            self.since_s = self.loop.time()


def _since(connection: _Connection) -> float:
    return connection.since_s


def _by_leave(connection: _Connection) -> tuple[float, bool, float]:
    """Return what puts connections in the order in which they have to leave."""
    return connection.since_s, not connection.asks_ahead, -connection.made_s


def _cut_the_late(connections: set[_Connection], patience_s: float) -> None:
    """Cut off all whose browsers have been awaited for too long."""
    now = asyncio.get_running_loop().time()
    for connection in [one for one in connections if now - one.since_s > patience_s]:
        connection.cut()
