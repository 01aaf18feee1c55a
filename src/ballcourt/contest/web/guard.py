"""The guard of a contest's application: which requests it takes, before any of their bodies is read."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from ballcourt.contest.settings import ContestFile
from ballcourt.contest.submissions.allowance import MB
from ballcourt.contest.submissions.uploads import PART
from ballcourt.web.guard import HOSTS, OWN, Guard, Refusal

API: Final = "/api/v1"
FORM: Final = 64 << 10
"""The largest body of a form, and of what programs send besides archives."""


ErrorPage = Callable[[Request, int, str], Response]
"""Makes the page that a person reads who did not get what was asked for, with its status and a sentence."""


class Body(BaseModel):
    """What a program sends as JSON: nothing that is not asked for, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ContestGuard(Guard):
    """Middleware that refuses requests to other hosts, those that other sites sent, and those that are too large."""

    way_back = "go back and use the form of this site"
    limit = "this request may have at most {} bytes"

    def __init__(self, app: ASGIApp, settings: ContestFile, page: ErrorPage) -> None:
        super().__init__(app)
        self._page = page
        self._settings = settings
        self._hosts = {settings.host.lower(), *HOSTS}

    def refusal(self, method: str, path: str, headers: Headers) -> Refusal | None:
        """Return how a request is refused; None if it is not."""
        if _named(headers.get("host", "")) not in self._hosts:
            return 400, "host", f"this server is {self._settings.url}"
        return super().refusal(method, path, headers)

    def is_foreign(self, path: str, headers: Headers) -> bool:
        """Whether another site may have sent this request; browsers say which did, and other programs have no cookie.

        See https://www.w3.org/TR/fetch-metadata. Browsers send Sec-Fetch-Site by HTTPS and to this machine alone.
        """
        if path.startswith(API):
            return False
        if site := headers.get("sec-fetch-site"):
            return site not in OWN
        if origin := headers.get("origin"):
            return origin not in (self._settings.url, f"http://{headers.get('host', '')}")
        return "cookie" in headers

    def most_bytes(self, method: str, path: str) -> int:
        """Return how many bytes a request may have."""
        if path.startswith((f"{API}/uploads/", f"{API}/examiner/")) and method in ("PATCH", "PUT", "POST"):
            return PART
        if (method, path) in (("PUT", f"{API}/submissions"), ("POST", "/submit")):
            return self._settings.upload.mb * MB + FORM
        return FORM

    def page(self, request: Request, status: int, sentence: str) -> Response:
        """Return the page of a visitor: who sends this request is not looked up."""
        return self._page(request, status, sentence)


def _named(host: str) -> str | None:
    """Return the name in a Host header, without its port; None if it has none."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # half of an IPv6 address
        return None
