"""The guard of every web application: which requests it takes, and how its answers keep a browser safe.

Applications listen on this machine alone, but any page that is open in a browser here can send them requests.
"""

from collections.abc import Sequence
from typing import Final

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS: Final = ["127.0.0.1", "localhost", "[::1]"]
"""The host names that a browser may use: any other name that leads here is an attack by DNS rebinding."""
MOST_BYTES: Final = 1000
"""The size of the largest body of a request."""
READ: Final = ("GET", "HEAD")
OWN: Final = ("same-origin", "none")
"""What a browser says of a request by one of our pages, or by its user (https://www.w3.org/TR/fetch-metadata)."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Refusal = tuple[int, str, str]
"""The status, a word for programs and a sentence with which a request is refused."""


def guard(app: FastAPI, hosts: Sequence[str] = ()) -> None:
    """Refuse requests by other sites and those that are too large, and add the headers that keep a browser safe.

    `hosts` are the names of this machine at which a proxy offers the application to others.
    """
    app.add_middleware(Guard)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*HOSTS, *hosts])
    app.add_middleware(SafeHeaders)


class Guard:
    """Middleware that refuses a request before any of its body is read."""

    way_back = "open the address that ballcourt printed"
    """What to do instead of a request by another site."""
    limit = "a request has at most {} bytes"

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it and close its connection."""
        found = self.refusal(scope["method"], scope["path"], Headers(scope=scope)) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        answer = await self.answer(Request(scope), *found)
        answer.headers["connection"] = "close"
        await answer(scope, receive, send)

    def refusal(self, method: str, path: str, headers: Headers) -> Refusal | None:
        """Return how a request is refused; None if it is not."""
        if method not in READ and self.is_foreign(path, headers):
            return 403, "foreign", f"a page of another site sent this request; {self.way_back}"
        if "transfer-encoding" in headers:
            return 411, "length", "a request says in Content-Length how long it is"
        length, most = headers.get("content-length", "0"), self.most_bytes(method, path)
        if not (length.isascii() and length.isdecimal()) or len(length) > 12 or int(length) > most:
            return 413, "too_large", self.limit.format(most)
        return None

    def is_foreign(self, path: str, headers: Headers) -> bool:
        """Whether another site may have sent a request that changes something."""
        origin = headers.get("origin", "")
        is_other = bool(origin) and origin != f"http://{headers.get('host', '')}"
        return is_other or headers.get("sec-fetch-site", "none") not in OWN

    def most_bytes(self, method: str, path: str) -> int:
        """Return how many bytes a request may have."""
        return MOST_BYTES

    async def answer(self, request: Request, status: int, word: str, sentence: str) -> Response:
        """Return the answer to a request that is refused: in JSON to programs, to people as their pages have it."""
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": word, "detail": sentence}, status)
        return await run_in_threadpool(self.page, request, status, sentence)

    def page(self, request: Request, status: int, sentence: str) -> Response:
        """Return what a person reads whose request is refused."""
        return PlainTextResponse(sentence, status)


class SafeHeaders:
    """Middleware that adds the headers that keep a browser safe. It passes streams on as they come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for header, value in HEADERS.items():
                    headers.setdefault(header, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
