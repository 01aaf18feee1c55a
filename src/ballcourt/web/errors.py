"""Errors as answers: in JSON to programs, which ask below /api/, and on a page to people."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, cast

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException as AnyHTTPException

from ballcourt.arena.printable import printable

Handler = Callable[[Request, Exception], Awaitable[Response]]
WRONG: Final = {
    "string_pattern_mismatch": "a whole number",
    "int_parsing": "a whole number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "string_too_long": "at most {max_length} characters long",
}
"""What a value must be, by the kind of the mistake."""
WORDS: Final = {404: "not_there", 405: "method", 422: "value"}
"""What an error is called for programs, by its status."""
HEADINGS: Final = {404: "Page not found", 409: "Not possible now", 422: "This address asks for something unknown"}
"""What pages call an error, by its status, where HTTP's own words do not help."""
DAYS: Final = ("since", "until")
"""The values that are days."""


def heading(status: int) -> str:
    """Return what a page calls an error."""
    return HEADINGS.get(status) or HTTPStatus(status).phrase


def add_failures(app: FastAPI, statuses: Mapping[type[Exception], int]) -> None:
    """Answer errors of each kind with its status and their sentence, as an HTTPException is answered."""

    def failure(status: int) -> Handler:
        async def answer(request: Request, error: Exception) -> Response:
            refused = cast("Handler", app.exception_handlers[AnyHTTPException])
            return await refused(request, HTTPException(status, printable(str(error))))

        return answer

    for kind, status in statuses.items():
        app.add_exception_handler(kind, failure(status))


class ErrorAnswers:
    """The answers of an application that has pages. A subclass has its page, and may say more to programs."""

    def page(self, request: Request, status: int, sentence: str) -> Response:
        """Return the page that shows a sentence to people."""
        raise NotImplementedError

    def sentence(self, wrong: Mapping[str, Any]) -> str:
        """Return what is wrong with a value of an address, and what it must be."""
        name, kind = wrong["loc"][1], wrong["type"]
        must = "a day such as 2026-11-26" if name in DAYS else WRONG.get(kind, "").format(**wrong.get("ctx", {}))
        given = printable(str(wrong.get("input", "")))[:40]
        return f'"{name}" must be {must}, not "{given}"' if must else f"{name}: {wrong['msg']}"

    def add(self, app: FastAPI) -> None:
        """Answer refused requests and wrong values in an application."""
        app.add_exception_handler(AnyHTTPException, self._refused)
        app.add_exception_handler(RequestValidationError, self._wrong_value)

    async def answer(self, request: Request, status: int, sentence: str) -> Response:
        """Return the answer to a program or a person."""
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": WORDS.get(status, "request"), "detail": sentence}, status)
        return await run_in_threadpool(self.page, request, status, sentence)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, AnyHTTPException)
        answer = await self.answer(request, error.status_code, error.detail)
        answer.headers.update(error.headers or {})
        return answer

    async def _wrong_value(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        sentences = dict.fromkeys(self.sentence(wrong) for wrong in error.errors())
        return await self.answer(request, 422, "; ".join(sentences))
