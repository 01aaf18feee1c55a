"""The web application of a contest: its API under /api/v1, by tokens, and its pages, around those of the leaderboard.

The API takes no cookies, so no page of another site can use it.
"""

import errno
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp

from ballcourt.contest.refusals import ContestError, ContestFileError, FilesError, NoSpaceError, UnknownPersonError
from ballcourt.contest.settings import at_time
from ballcourt.contest.sign_in.attempt import VALID_S
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.submissions.uploads import PART
from ballcourt.contest.web import (
    bots,
    examiners,
    feeds,
    organiser,
    people,
    questions,
    scrimmages,
    sign_in,
    submissions,
)
from ballcourt.contest.web import finals as finals_pages
from ballcourt.contest.web.finals import Finals
from ballcourt.contest.web.guard import API, ContestGuard
from ballcourt.contest.web.viewers import WANTED, reader_in, set_cookie
from ballcourt.contest.web.visits import FOLDER, PRIVATE, AskedContest, Report, Shown, Site, Visit, WithToken
from ballcourt.engine.core import WrongInput
from ballcourt.web.errors import ErrorAnswers
from ballcourt.web.guard import READ, SafeHeaders

FORMATS: Final = ("zip", "tar", "tar.gz")
ENTERED: Final = (f"{API}/submissions",)
LIMITED: Final = (*ENTERED, f"{API}/uploads", f"{API}/scrimmages")
"""What is asked for at these addresses has a limit."""
TITLES: Final = {401: "Sign in first", 403: "Not allowed", 404: "Not there", 429: "Not yet", 503: "Not yet"}
SUBJECTS: Final = (people, sign_in, submissions, bots, scrimmages, organiser, questions, feeds, finals_pages)


class ErrorBody(BaseModel):
    """What is answered when something cannot be done."""

    error: str
    """A word for programs."""
    detail: str
    """A sentence for people."""
    retry_after: int | None = None
    """After how many seconds it may be tried again."""


api = APIRouter(prefix=API)


@api.get("/")
def about(contest: AskedContest) -> dict[str, Any]:
    """Return what the contest is, when bots may be entered, and what archives may be."""
    settings, ladder = contest.settings, contest.ladder
    return {
        "name": settings.name,
        "url": settings.url,
        "games": ladder.games,
        "setups": [table.to_table() for table in ladder.tables],
        "clock": ladder.clock.to_table(),
        "sandbox": ladder.sandbox.to_table(),
        "time": at_time(contest.now()).isoformat(),
        "phases": [phase.model_dump(mode="json") for phase in settings.in_order],
        "upload": {"mb": settings.upload.mb, "part": PART, "formats": FORMATS},
    }


def contest_app(
    contest: Contest,
    pages: ASGIApp,
    report: Report = lambda _: None,
    shown_to: Shown = lambda _: None,
    finals: ASGIApp | None = None,
) -> FastAPI:
    """Return the application of a contest; what it has no address for, `pages` answers, as `shown_to` says to whom.

    `report` gets what the organiser has to know; `finals` answers below /finals. Raises ContestFileError for an issuer
    that cannot be used.
    """
    title, document = contest.settings.name, f"{API}/openapi.json"
    app = FastAPI(title=title, docs_url=None, redoc_url=None, openapi_url=document, redirect_slashes=False)
    app.state.contest, app.state.site = contest, Site(contest, report, shown_to)
    app.add_middleware(ContestGuard, settings=contest.settings, page=_refused_page)
    app.add_middleware(SafeHeaders)
    _Errors().add(app)
    app.add_exception_handler(ContestError, _failed)
    app.add_exception_handler(ClientDisconnect, _gone)
    for kind in (OSError, WrongInput, ContestFileError):  # their sentences name files
        app.add_exception_handler(kind, _files_failed)
    for router in (api, *(subject.api for subject in (people, submissions, bots, scrimmages, questions, examiners))):
        for route in router.routes:
            assert isinstance(route, APIRoute)
            route.responses |= {status: {"model": ErrorBody} for status in _refusals(route)}
        app.include_router(router)
    for subject in SUBJECTS:
        for route in subject.pages.routes:
            if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
                route.methods.add("HEAD")
        app.include_router(subject.pages)
    app.mount("/contest-static", StaticFiles(directory=FOLDER / "static"), name="contest-static")
    app.mount("/finals", finals or Finals(contest), name="finals")
    app.router.default = pages
    return app


def _refusals(route: APIRoute) -> set[int]:
    """Return the statuses with which a route may refuse a request, by what it takes and what it does."""
    takes, writes = [*_takes(route.dependant)], not {*(route.methods or ())} <= {*READ}
    names = any(one.path_params or one.body_params for one in takes)
    asks = names or any(one.query_params or one.header_params for one in takes)
    is_file = not isinstance(route.response_class, DefaultPlaceholder)
    found = {400, 503}  # another name of the host; a file or the database that cannot be used now
    found |= {401, 403} if any(isinstance(one.call, WithToken) for one in takes) else set()
    found |= {404} if names else set()
    found |= {422} if asks else set()
    found |= {409} if writes or is_file else set()
    found |= {411, 413, 507} if writes else set()
    found |= {429} if writes and route.path in LIMITED else set()
    return found | ({404, 415} if writes and route.path in ENTERED else set())


def _takes(part: Dependant) -> Iterator[Dependant]:
    yield part
    for one in part.dependencies:
        yield from _takes(one)


class _Errors(ErrorAnswers):
    """The error page of a contest, and words for programs."""

    def page(self, request: Request, status: int, sentence: str) -> Response:
        first = f"/{request.url.path.split('/')[1]}".replace("/my-bots", "/team")  # which has the form
        back = "/sign-in" if status == UnknownPersonError.status else first if request.method == "POST" else ""
        who = reader_in(request.app.state.contest, request)
        answer = Visit(request, who).tell(TITLES.get(status, "That cannot be done"), sentence, back=back, status=status)
        if status == UnknownPersonError.status and request.method == "GET":
            wanted = str(request.url.replace(scheme="", netloc=""))
            set_cookie(answer, request.app.state.contest, quote(wanted), WANTED, VALID_S)
        return answer

    def sentence(self, wrong: Mapping[str, Any]) -> str:
        return f"{wrong['loc'][-1]}: {wrong['msg']}"


def _refused_page(request: Request, status: int, sentence: str) -> Response:
    """Return the page of a request that is refused before it is looked up who sent it."""
    back = request.app.state.contest.settings.url
    return Visit(request, None).tell(TITLES.get(status, "That cannot be done"), sentence, back=back, status=status)


async def _failed(request: Request, error: Exception) -> Response:
    """Say what cannot be done."""
    assert isinstance(error, ContestError)
    after = {} if error.retry_after is None else {"Retry-After": str(round(error.retry_after))}
    if not request.url.path.startswith("/api/"):
        page = await run_in_threadpool(_Errors().page, request, error.status, str(error))
        page.headers.update(after)
        return page
    body: dict[str, Any] = {"error": error.word, "detail": str(error)}
    if error.retry_after is not None:
        body["retry_after"] = round(error.retry_after)
    challenge = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    return JSONResponse(body, error.status, PRIVATE | after | challenge)


async def _files_failed(request: Request, error: Exception) -> Response:
    """Answer for a file or a database that cannot be used; tell the organiser which."""
    request.app.state.site.report(f"{request.method} {request.url.path}: {error}")
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        found: ContestError = NoSpaceError("this server has no room for it; its organiser has to make some")
    else:
        found = FilesError("this server cannot use a file of the contest now; try again in a minute")
    return await _failed(request, found)


async def _gone(request: Request, error: Exception) -> Response:
    """Answer a broken line, so that the server does not take it for a fault of its own."""
    return Response(status_code=400)
