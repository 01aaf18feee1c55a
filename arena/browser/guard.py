"""What stands before every web application of the project: which requests it takes, and how its answers keep safe.

Applications listen on this machine alone, but any page that is open in a browser here can send them requests.
"""

from collections.abc import Sequence
from typing import Final

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
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
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def guard(app: FastAPI, hosts: Sequence[str] = ()) -> None:
    """Refuse requests by other sites and those that are too large, and add the headers that keep a browser safe.

    `hosts` are the names of this machine at which a proxy offers the application to others.
    """
    app.add_middleware(_Door)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*HOSTS, *hosts])
    app.add_middleware(SafeHeaders)


class _Door:
    """Middleware that refuses a request before any of its body is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it and close its connection."""
        status, sentence = _refusal(scope["method"], Headers(scope=scope)) if scope["type"] == "http" else (0, "")
        if not sentence:
            await self._app(scope, receive, send)
            return
        await PlainTextResponse(sentence, status, {"Connection": "close"})(scope, receive, send)


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


def _refusal(method: str, headers: Headers) -> tuple[int, str]:
    """Return the status and the sentence with which a request is refused; 0 and an empty one for one that is not."""
    origin = headers.get("origin", "")
    is_foreign = headers.get("sec-fetch-site", "none") not in OWN or (
        origin and origin != f"http://{headers.get('host', '')}"
    )
    if method not in READ and is_foreign:
        return 403, "a page of another site sent this request; open the address that ballcourt printed"
    if "transfer-encoding" in headers:
        return 411, "a request says in Content-Length how long it is"
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()) or len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
        return 413, f"a request has at most {MOST_BYTES} bytes"
    return 0, ""
