"""The web application of a contest: its API and its pages, around the pages of the leaderboard."""

from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp

from ballcourt.arena.browser.guard import SafeHeaders
from ballcourt.contest.refusals import ContestError, UnknownPersonError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.api import add_contest_api, error_answer
from ballcourt.contest.web.drawing_pages import FOLDER, drawn
from ballcourt.contest.web.feeds import add_feeds
from ballcourt.contest.web.guard import API, ContestGuard
from ballcourt.contest.web.pages_entering import add_entering
from ballcourt.contest.web.pages_organising import add_organising
from ballcourt.contest.web.pages_people import add_people
from ballcourt.contest.web.pages_signing_up import Report, add_leaving, add_signing_up
from ballcourt.contest.web.pages_telling import add_telling
from ballcourt.contest.web.scrimmages.pages_scrimmages import add_scrimmages
from ballcourt.contest.web.signing_in.at_issuers import add_issuers
from ballcourt.contest.web.viewers import viewer

TITLES: Final = {401: "Sign in first", 403: "Not allowed", 404: "Not there", 429: "Not yet", 503: "Not yet"}
WORDS: Final = {404: "not_there", 405: "method", 422: "value"}


def contest_app(contest: Contest, pages: ASGIApp, report: Report = lambda _: None) -> FastAPI:
    """Return the application of a contest; what it has no address for, `pages` answers.

    `report` gets what the organiser has to know.
    """
    app = FastAPI(title=contest.settings.name, docs_url=None, redoc_url=None, openapi_url=f"{API}/openapi.json")
    app.add_middleware(ContestGuard, settings=contest.settings)
    app.add_middleware(SafeHeaders)
    app.add_exception_handler(ContestError, _failed)
    app.add_exception_handler(RequestValidationError, _wrong_value)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(ClientDisconnect, _gone)
    add_contest_api(app, contest)
    router = APIRouter(include_in_schema=False)
    add_people(router, contest)
    add_signing_up(router, contest, report)
    add_leaving(router, contest)
    add_issuers(router, contest, report)
    add_entering(router, contest)
    add_scrimmages(router, contest)
    add_organising(router, contest)
    add_telling(router, contest)
    add_feeds(router, contest)
    app.include_router(router)
    app.mount("/contest-static", StaticFiles(directory=FOLDER / "static"), name="contest-static")
    app.mount("/", pages)
    return app


async def _failed(request: Request, error: Exception) -> Response:
    """Say what cannot be done: in JSON to programs, on a page to people."""
    assert isinstance(error, ContestError)
    answer = error_answer(error)
    if request.url.path.startswith("/api/"):
        return answer
    page = await run_in_threadpool(_page_of, request, error.status, str(error))
    page.headers.update({name: value for name, value in answer.headers.items() if name == "retry-after"})
    return page


async def _wrong_value(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    sentence = "; ".join(f"{wrong['loc'][-1]}: {wrong['msg']}" for wrong in error.errors())
    if request.url.path.startswith(f"{API}/"):
        return JSONResponse({"error": "value", "detail": sentence}, 422)
    return await run_in_threadpool(_page_of, request, 422, sentence)


def _page_of(request: Request, status: int, sentence: str) -> Response:
    values = {"title": TITLES.get(status, "That cannot be done"), "sentence": sentence, "secret": ""}
    back = "/sign-in" if status == UnknownPersonError.status else ""
    return drawn(request, "message.html", viewer(request), status, back=back, **values)


async def _gone(request: Request, error: Exception) -> Response:
    """Answer whoever broke the line, so that the server does not take it for a fault of its own."""
    return Response(status_code=400)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    body: dict[str, Any] = {"error": WORDS.get(error.status_code, "request"), "detail": str(error.detail)}
    return JSONResponse(body, error.status_code, error.headers)
