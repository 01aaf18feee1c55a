"""The web application: pages for people, JSON for programs.

It only reads. Every page is made on the server and works without its script, which sorts and filters tables.
"""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ballcourt.arena.printable import as_json, printable
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.records.summaries import check_observer
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import Page, page
from ballcourt.leaderboard.pages.event import Event, bot_id, opponents, own_seats
from ballcourt.leaderboard.results import Entrant, MatchResult
from ballcourt.leaderboard.tables import columns, title, to_json

FOLDER = Path(__file__).parent
HOSTS = ["127.0.0.1", "localhost", "[::1]"]
"""Under what names a browser may ask: another name that leads here is an attack by DNS rebinding."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READ = ["GET", "HEAD"]
SHOWN = 100
"""How many matches a page lists."""


def create_app(event: Event) -> FastAPI:
    """Return the application for a tournament."""
    app = FastAPI(title="Ballcourt", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    app.middleware("http")(_with_headers)
    app.add_exception_handler(AnyHTTPException, _error_page)
    app.add_exception_handler(RequestValidationError, _wrong_value)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    _add_pages(app, event)
    _add_json(app, event)
    return app


def _add_pages(app: FastAPI, event: Event) -> None:
    name = event.folder.resolve().name

    @app.api_route("/", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def leaderboard() -> str:
        results = event.results()
        tables = [(title(ladder), columns(board.rows), board.rows) for ladder, board in results.boards.items()]
        return _render("leaderboard.html", name=name, tables=tables, matches=len(results.matches))

    @app.api_route("/bots/{bot}", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def bot_page(bot: str) -> str:
        entrant, results = _bot(event, bot), event.results()
        rows = [
            (title(ladder), columns([row]))
            for ladder, board in results.boards.items()
            for row in board.rows
            if row.entrant == entrant
        ]
        played = results.newest(entrant)
        own = [seat for match in played for seat in own_seats(match, entrant)]
        return _render(
            "bot.html",
            name=name,
            bot=entrant,
            rows=rows,
            matches=played[:SHOWN],
            own=own,
            count=len(played),
            opponents=opponents(played, entrant),
        )

    @app.api_route("/matches", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def matches(page: Annotated[int, Query(ge=1, le=1_000_000)] = 1) -> str:
        found = event.results().newest()
        first = SHOWN * (page - 1)
        return _render(
            "matches.html", name=name, matches=found[first : first + SHOWN], page=page, first=first, count=len(found)
        )

    @app.api_route("/matches/{key}", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def replay(key: str) -> Response:
        match = _match(event, key)
        with_policy = _replay(match.record, match.checksum)
        return HTMLResponse(
            with_policy.text, headers={"Content-Security-Policy": f"{with_policy.policy}; frame-ancestors 'none'"}
        )


def _add_json(app: FastAPI, event: Event) -> None:
    @app.get("/api/leaderboard")
    @app.head("/api/leaderboard", include_in_schema=False)
    def leaderboard() -> Response:
        """All tables, as `ballcourt leaderboard --json` prints them."""
        return _json(to_json(dict(event.results().boards)))

    @app.get("/api/matches/{key}", responses={404: {}, 409: {}})
    @app.head("/api/matches/{key}", include_in_schema=False)
    def match(key: str, seat: Annotated[int | None, Query(ge=0, le=100)] = None) -> Response:
        """The replay of a match, as `ballcourt replay document` prints it; with a seat, as that seat saw it."""
        found = _match(event, key)
        try:
            record = read_record(Path(found.record))
            check_observer(record, seat)
            return _json(document(record, seat))
        except RecordError as error:
            raise HTTPException(409, printable(str(error))) from error


def _bot(event: Event, bot: str) -> Entrant:
    try:
        return event.results().bots[bot]
    except KeyError:
        raise HTTPException(404, "no bot with this address has played here") from None


def _match(event: Event, key: str) -> MatchResult:
    """Return a match by its key; nothing else leads to a file."""
    try:
        return event.results().by_key[key]
    except KeyError:
        raise HTTPException(404, "no match with this key has been played here") from None


@lru_cache(maxsize=32)
def _replay(record: str, checksum: str) -> Page:
    """Return the page of a replay; the checksum ties it to the content of the record."""
    try:
        read = read_record(Path(record))
        return page([document(read, observer) for observer in observers(read)], home="/matches")
    except RecordError as error:
        raise HTTPException(409, printable(str(error))) from error


# -- answers


def _json(value: object) -> Response:
    return Response(as_json(value), media_type="application/json")


_TEMPLATES = Environment(loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined)
_TEMPLATES.filters |= {"shown": printable, "bot_id": bot_id}


def _render(template: str, **values: object) -> str:
    return _TEMPLATES.get_template(template).render(values)


async def _with_headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    for header, value in HEADERS.items():
        response.headers.setdefault(header, value)
    return response


async def _error_page(request: Request, error: Exception) -> Response:
    """Say what is wrong: in JSON to programs, on a page to people."""
    assert isinstance(error, AnyHTTPException)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": error.detail}, error.status_code)
    text = _render("error.html", name="Ballcourt", status=error.status_code, detail=error.detail)
    return HTMLResponse(text, error.status_code, headers=error.headers)


async def _wrong_value(request: Request, error: Exception) -> Response:
    """Say which value of an address is wrong."""
    assert isinstance(error, RequestValidationError)
    sentences = [f"{wrong['loc'][-1]}: {wrong['msg']}" for wrong in error.errors()]
    return await _error_page(request, HTTPException(422, "; ".join(sentences)))
