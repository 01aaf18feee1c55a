"""What is noted about every request: a line of the log, and its time in the figures.

A line names the route and not the address, because addresses hold secrets: links that sign in, feeds, codes.
"""

from __future__ import annotations

from asyncio import CancelledError
from contextvars import ContextVar
from logging import Filter, LogRecord, getLogger
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Final

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from prometheus_client import Histogram
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUEST_ID: Final = "X-Request-Id"
LOG: Final = getLogger("ballcourt.requests")
REQUEST: ContextVar[str] = ContextVar("ballcourt-request", default="")
"""The id of the request that is being answered."""
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OTHER: Final = "other"
UNFORESEEN: Final = 500
CUT: Final = 499
"""What is noted as the status of a request whose connection was cut: no fault of ours (nginx has the same number)."""
LABELS: Final = ("method", "route", "status")


class OfRequest(Filter):
    """Adds the id of the request that is being answered to what is logged meanwhile."""

    def filter(self, record: LogRecord) -> bool:
        """Pass every entry."""
        if request := REQUEST.get():
            record.values = {**getattr(record, "values", {}), "request": request}
        return True


class Noted:
    """Middleware that gives each request an id, and notes what came of it. It passes streams on as they come."""

    def __init__(self, app: ASGIApp, times: Histogram | None = None) -> None:
        """`times` has the labels `LABELS`."""
        self._app = app
        self._times = times

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, began, status = token_hex(8), monotonic(), UNFORESEEN
        REQUEST.set(request)

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except CancelledError:
            status = CUT if status == UNFORESEEN else status
            raise
        finally:
            self._note(scope, status, monotonic() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else OTHER
        route = route_of(scope)
        if self._times:
            self._times.labels(method, route, str(status)).observe(seconds)
        values = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
        LOG.info("", extra={"event": "request", "values": values})


def route_of(scope: Scope) -> str:
    """Return the pattern of the address of a request that was answered, such as /feed/{secret}.atom."""
    path = getattr(scope.get("route"), "path", "")
    return str(path or scope.get("root_path") or OTHER)
