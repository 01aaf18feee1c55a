"""Answers that are made once as long as nothing changes, and are not sent again to a browser that has them.

An answer is named by the hash of its content (`ETag`, RFC 9110), so two people whose pages differ never share a name.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from functools import wraps
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from fastapi import Request
from starlette.responses import HTMLResponse, Response

KEPT_BYTES: Final = 32 << 20
"""How much of the newest answers a process keeps."""
OF_CONTENT: Final = ("content-length", "content-type")
"""The headers that an answer without its content does not have. It has all others: a browser replaces those it kept."""

Make = Callable[..., Response | str]
Shows = Callable[[Request], Hashable]
"""Returns what differs whenever an answer to a request does."""


def unless_known(request: Request, answer: Response) -> Response:
    """Return an answer with its name, or 304 without its content to a browser that has it.

    A browser, or a proxy, may keep it, and asks each time whether it is still right. What is answered to a request with
    a cookie is for one person, so only browsers keep that.
    """
    headers = dict(answer.headers)
    headers.setdefault("etag", _name(answer))
    headers.setdefault("cache-control", "private, no-cache" if "cookie" in request.headers else "no-cache")
    headers["vary"] = "Cookie"
    known = request.headers.get("if-none-match", "")
    if headers["etag"] in known or known.strip() == "*":
        kept = {name: value for name, value in headers.items() if name not in OF_CONTENT}
        return Response(status_code=304, headers=kept)
    return Response(answer.body, answer.status_code, headers)


class MadeOnce:
    """The newest answers. A request for one that is being made waits for it; errors are not kept."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._making: dict[Hashable, Future[Response]] = {}
        self._kept: OrderedDict[Hashable, Response] = OrderedDict()
        """The one that was asked for last at the end."""
        self._bytes = 0

    def answer(self, version: Callable[[], Hashable], make: Callable[[], Response | str]) -> Response:
        """Return the answer of a version, which `make` makes if it is not kept."""
        wanted = version()
        with self._lock:
            if kept := self._kept.get(wanted):
                self._kept.move_to_end(wanted)
                return kept
            made = self._making.get(wanted)
            is_first = made is None
            made = made or self._making.setdefault(wanted, Future())
        if is_first:
            self._make(wanted, made, version, make)
        return made.result()

    def _make(
        self,
        wanted: Hashable,
        made: Future[Response],
        version: Callable[[], Hashable],
        make: Callable[[], Response | str],
    ) -> None:
        """Make an answer for all who wait for it, and keep it unless something has changed meanwhile."""
        try:
            answer = _named(make())
            is_right = version() == wanted
        except BaseException as error:  # which those who wait get
            made.set_exception(error)
        else:
            made.set_result(answer)
            if is_right:
                self._keep(wanted, answer)
        finally:
            with self._lock:
                del self._making[wanted]

    def _keep(self, wanted: Hashable, answer: Response) -> None:
        """Keep an answer, and forget those that were not asked for in the longest time."""
        with self._lock:
            self._kept[wanted] = answer
            self._bytes += len(answer.body)
            while self._bytes > KEPT_BYTES:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= len(oldest.body)


def made_once(shows: Shows) -> Callable[[Make], Callable[..., Response]]:
    """Return a decorator of what answers a request; a string is a page. Values of the address are keyword arguments.

    The application keeps the answers in `app.state.once`.
    """

    def decorator(make: Make) -> Callable[..., Response]:
        @wraps(make)
        def answer(request: Request, **asked: Any) -> Response:  # noqa: ANN401 - whatever the address has
            def version() -> Hashable:
                return make, tuple(asked.items()), shows(request)

            once: MadeOnce = request.app.state.once
            return unless_known(request, once.answer(version, lambda: make(request, **asked)))

        return answer

    return decorator


def _named(made: Response | str) -> Response:
    """Return an answer with its name, which is computed once."""
    answer = HTMLResponse(made) if isinstance(made, str) else made
    answer.headers["etag"] = _name(answer)
    return answer


def _name(answer: Response) -> str:
    return f'"{sha256(answer.body).hexdigest()[:32]}"'
