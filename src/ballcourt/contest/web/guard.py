"""The guard of a contest's application: which requests it takes, before any of their bodies is read."""

from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ballcourt.arena.browser.guard import HOSTS, OWN, READ
from ballcourt.contest.settings import ContestFile
from ballcourt.contest.submissions.allowance import MB
from ballcourt.contest.submissions.uploads import PART

API: Final = "/api/v1"
FORM: Final = 64 << 10
"""The largest body of a form, and of what programs send besides archives."""


class Body(BaseModel):
    """What a program sends as JSON: nothing that is not asked for, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ContestGuard:
    """Middleware that refuses requests to other hosts, those that other sites sent, and those that are too large."""

    def __init__(self, app: ASGIApp, settings: ContestFile) -> None:
        self._app = app
        self._settings = settings
        self._hosts = {settings.host.lower(), *HOSTS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it and close its connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, word, sentence = self._refusal(scope["method"], scope["path"], Headers(scope=scope))
        if not sentence:
            await self._app(scope, receive, send)
            return
        answer = JSONResponse({"error": word, "detail": sentence}, status, {"Connection": "close"})
        await answer(scope, receive, send)

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str, str]:
        """Return status, word and sentence with which a request is refused; an empty sentence for one that is not."""
        if _named(headers.get("host", "")) not in self._hosts:
            return 400, "host", f"this server is {self._settings.url}"
        if method not in READ and not path.startswith(API) and self._is_foreign(headers):
            return 403, "foreign", "a page of another site sent this request; go back and use the form of this site"
        if "transfer-encoding" in headers:
            return 411, "length", "a request says in Content-Length how long it is"
        length, most = headers.get("content-length", "0"), self._most(method, path)
        if not (length.isascii() and length.isdecimal()) or len(length) > 12 or int(length) > most:
            return 413, "too_large", f"this request may have at most {most} bytes"
        return 0, "", ""

    def _is_foreign(self, headers: Headers) -> bool:
        """Whether another site may have sent this request; browsers say which did, and other programs have no cookie.

        See https://www.w3.org/TR/fetch-metadata. Browsers send Sec-Fetch-Site by HTTPS and to this machine alone.
        """
        if site := headers.get("sec-fetch-site"):
            return site not in OWN
        if origin := headers.get("origin"):
            return origin not in (self._settings.url, f"http://{headers.get('host', '')}")
        return "cookie" in headers

    def _most(self, method: str, path: str) -> int:
        """Return how many bytes a request may have."""
        if path.startswith((f"{API}/uploads/", f"{API}/examiner/")) and method in ("PATCH", "PUT", "POST"):
            return PART
        if (method, path) in (("PUT", f"{API}/submissions"), ("POST", "/submit")):
            return self._settings.upload.mb * MB + FORM
        return FORM


def _named(host: str) -> str | None:
    """Return the name in a Host header, without its port; None if it has none."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # half of an IPv6 address
        return None
