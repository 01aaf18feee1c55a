"""The web application: pages for people, JSON and CSV for programs.

It only reads. Every page is made on the server, once as long as it shows the same, and works without its script, which
sorts and filters tables. No page computes a rating: `refresh` does, in another process.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as AnyHTTPException

from ballcourt.arena.browser.guard import HEADERS, POLICY, guard
from ballcourt.arena.browser.unchanged import MadeOnce, Make, Shows, unless_known
from ballcourt.arena.printable import printable
from ballcourt.arena.records.store import RecordError, read_checksum, read_record
from ballcourt.arena.replays.judgement import judged_at
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.replays.page import STATIC as VIEWER
from ballcourt.arena.replays.page import Page, page
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.pages.api import add_api
from ballcourt.leaderboard.pages.followed import Followed
from ballcourt.leaderboard.pages.live import STREAM, Live, Now, add_stream, live_page
from ballcourt.leaderboard.pages.news.atom import BEFORE_ALL, MEDIA_TYPE, news_feed
from ballcourt.leaderboard.pages.news.happening import Happening, newest
from ballcourt.leaderboard.pages.rendering import FOLDER, Leads, Links, everywhere, render
from ballcourt.leaderboard.pages.rows import Rows
from ballcourt.leaderboard.pages.summaries import bot_id
from ballcourt.leaderboard.pages.views import NoPageError, Views
from ballcourt.leaderboard.store.connecting import RefusedError
from ballcourt.leaderboard.store.listing import Place, Wanted, parse_place

READ: Final = ["GET", "HEAD"]
LINKS: Final = Links()
MOST_BOARDS: Final = 4
"""How many boards a wall has. Each has a stream, and a browser opens six to a server at most."""

Number = Annotated[int, Query(ge=1, le=1_000_000)]
Words = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link in the navigation of a page."""

    address: str
    words: str


def no_links(_: Request) -> Sequence[PageLink]:
    """Return no links."""
    return ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the pages are a part of, where they are not alone."""

    hosts: Sequence[str] = ()
    """The names at which a proxy offers the pages to others than this machine."""
    links: Callable[[Request], Sequence[PageLink]] = no_links
    """What else the navigation leads to, for whom a request comes from."""
    news: Callable[[], Iterable[Happening]] = tuple
    """What else happened, which everybody may know."""
    leads: Callable[[Request], Leads] = lambda _: everywhere
    """Where the viewer may go from whom a request comes: pages have no links to other addresses."""


ALONE: Final = Surroundings()


class _Pages:
    """How pages are made: from which values, around what, and how long they stay the same."""

    def __init__(self, views: Views, live: Live | None, around: Surroundings) -> None:
        self.views = views
        self.live = live
        self._around = around
        self.once = MadeOnce()

    def render(self, request: Request, template: str, **values: object) -> str:
        """Return a page."""
        links = self.links(request)
        return render(template, links, around=self._around.links(request), **self.views.common(), **values)

    def links(self, request: Request) -> Links:
        """Return what makes addresses, for whom a request comes from."""
        return replace(LINKS, leads=self._around.leads(request))

    def now(self) -> Now | None:
        """Return the progress of the tournament, if this is one."""
        return self.live.now() if self.live else None

    def news(self) -> Sequence[Happening]:
        """Return what happened, the newest first."""
        return newest(self.views.summary.news, self._around.news())

    def happened(self, request: Request) -> Hashable:
        """Return what differs whenever a page with news does."""
        return self.tables(request), tuple(self.news())

    def tables(self, request: Request) -> Hashable:
        """Return what differs whenever a page without matches does."""
        return self.views.state(), tuple(self._around.links(request)), self._around.leads(request)

    def matches(self, request: Request) -> Hashable:
        """Return what differs whenever a page with matches does."""
        return self.tables(request), self.views.database.digest()

    def bot(self, request: Request) -> Hashable:
        """Return what differs whenever the page of a bot does. Raises NoPageError."""
        return self.tables(request), self.views.newest_of(request.path_params["bot"])

    def progress(self, request: Request) -> Hashable:
        """Return what differs whenever a page with the progress of the tournament does."""
        return self.tables(request), repr(self.now())


def create_app(views: Views, live: Live | None = None, around: Surroundings = ALONE) -> FastAPI:
    """Return the application for the results of a source and, if it is a tournament, for its current progress.

    Other applications may be mounted onto it, or it onto them.
    """
    app = FastAPI(title="Ballcourt", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    guard(app, around.hosts)
    app.add_exception_handler(AnyHTTPException, _error_page)
    app.add_exception_handler(RequestValidationError, _wrong_value)
    app.add_exception_handler(Exception, _unforeseen)
    for kind, status in STATUSES.items():
        app.add_exception_handler(kind, _failure(status))
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.mount("/viewer", StaticFiles(directory=VIEWER), name="viewer")
    pages = _Pages(views, live, around)
    _add_tables(app, pages)
    _add_news(app, pages)
    _add_matches(app, pages)
    add_api(app, views, live, pages.once)
    if live:
        add_stream(app, live)
        _add_wall(app, live, pages)
    return app


def _add_tables(app: FastAPI, pages: _Pages) -> None:
    views, shown = pages.views, pages.render

    def page_at(address: str, shows: Shows = pages.tables) -> Callable[[Make], Callable[..., Response]]:
        route = app.api_route(address, methods=READ, response_class=HTMLResponse, include_in_schema=False)
        return lambda make: route(pages.once.of(shows)(make))

    @page_at("/", pages.progress)
    def home(request: Request) -> str:
        return shown(request, "leaderboard.html", **views.home(), now=pages.now(), stream=STREAM)

    @page_at("/ladders/{ladder}")
    def table(
        request: Request,
        ladder: str,
        sort: Words = "rank",
        order: Literal["", "reverse"] = "",
        q: Words = "",
        page: Number = 1,
    ) -> str:
        return shown(request, "ladder.html", **views.ladder(ladder, Rows(sort, bool(order), q, page)))

    @page_at("/ladders/{ladder}/matrix")
    def matrix(request: Request, ladder: str, across: Number = 1, down: Number = 1) -> str:
        return shown(request, "matrix.html", **views.matrix(ladder, across, down))

    @page_at("/ladders/{ladder}/seats")
    def seats(request: Request, ladder: str) -> str:
        return shown(request, "seats.html", **views.seats(ladder))

    @page_at("/ladders/{ladder}/openings", pages.matches)
    def first_moves(request: Request, ladder: str, bot: Words = "") -> str:
        return shown(request, "openings.html", **views.openings(ladder, bot))

    @page_at("/combined")
    def combined(request: Request) -> str:
        return shown(request, "combined.html", **views.combined())

    @page_at("/bots/{bot}", pages.bot)
    def bot_page(request: Request, bot: str) -> str:
        return shown(request, "bot.html", **views.bot_page(bot))

    @page_at("/bots/{bot}/against/{rival}", pages.matches)
    def pair(request: Request, bot: str, rival: str, after: Words = "") -> str:
        return shown(request, "pair.html", **views.pair(bot, rival, _place(after)))

    @page_at("/tournament", pages.progress)
    def tournament(request: Request) -> str:
        return shown(request, "tournament.html", **views.tournament(), now=pages.now(), stream=STREAM)

    @page_at("/data")
    def data(request: Request) -> str:
        return shown(request, "data.html", paths=app.openapi()["paths"])


def _add_news(app: FastAPI, pages: _Pages) -> None:
    @app.api_route("/news", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    @pages.once.of(pages.happened)
    def news(request: Request) -> str:
        return pages.render(request, "news.html", news=pages.news())

    @app.api_route("/news.atom", methods=READ, include_in_schema=False)
    @pages.once.of(pages.happened)
    def feed(request: Request) -> Response:
        found = news_feed(pages.views.source.name, pages.news(), pages.links(request))
        return Response(found.to_xml(pages.views.summary.at or BEFORE_ALL), media_type=MEDIA_TYPE)


def _add_matches(app: FastAPI, pages: _Pages) -> None:
    views, live = pages.views, pages.live

    @app.api_route("/matches", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    @pages.once.of(pages.matches)
    def matches(
        request: Request,
        bot: Words = "",
        game: Words = "",
        seats: Annotated[str, Query(pattern="^[0-9]{0,3}$")] = "",
        ended: Words = "",
        since: date | Literal[""] = "",
        until: date | Literal[""] = "",
        after: Words = "",
    ) -> str:
        wanted = Wanted(
            bot=views.named(bot) if bot else None,
            game=game,
            seats=int(seats) if seats else None,
            ended=ended,
            since=since or None,
            until=until or None,
        )
        return pages.render(request, "matches.html", **views.matches(wanted, _place(after)))

    @app.api_route("/matches/{name}", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def replay(request: Request, name: str) -> Response:
        found = _followed(live, views, name) if live else None
        if found is None:
            match = views.match(name)
            around = around_match(LINKS, match, *views.database.beside(match))
            found = replay_page(match.record, match.checksum, place=from_folder(match.record), around=around)
        headers = {"Content-Security-Policy": f"{found.policy}; frame-ancestors 'none'"}
        return unless_known(request, HTMLResponse(found.text, headers=headers))

    @app.api_route("/embed/{name}", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def embedded(request: Request, name: str) -> Response:
        return unless_known(request, _embedded(views, live, name))


def _embedded(views: Views, live: Live | None, name: str) -> Response:
    """Show a match in a frame: in one of our own while it is played, then also in those of others."""
    record = live.record(name) if live else None
    if live and not record and (running := live_page(live, name)):
        return _framed(running, "'self'", HEADERS["Cross-Origin-Resource-Policy"])
    if record and views.database.match(name) is None:  # over, and not counted yet
        return _framed(replay_page(str(record), read_checksum(record), home=""), "*", "cross-origin")
    match = views.match(name)
    return _framed(replay_page(match.record, match.checksum, home=""), "*", "cross-origin")


def _add_wall(app: FastAPI, live: Live, pages: _Pages) -> None:
    @app.api_route("/wall", methods=READ, response_class=HTMLResponse, include_in_schema=False)
    def wall(request: Request) -> Response:
        """Show the boards of running matches; each is a frame."""
        text = pages.render(request, "wall.html", now=live.now(), stream=STREAM, most=MOST_BOARDS)
        return HTMLResponse(text, headers={"Content-Security-Policy": f"{POLICY}; frame-src 'self'"})


def _framed(found: Page, ancestors: str, policy: str) -> Response:
    """Return a page that may stand in the frames of `ancestors`."""
    headers = {"Content-Security-Policy": f"{found.policy}; frame-ancestors {ancestors}"}
    return HTMLResponse(found.text, headers=headers | {"Cross-Origin-Resource-Policy": policy})


def _followed(live: Live, views: Views, key: str) -> Page | None:
    """Return the page of a match in the log of the run: as it is played or, from its record, as it was."""
    if record := live.record(key):
        state = Followed.ENDED if views.database.match(key) is None else Followed.COUNTED
        place = from_folder(str(record))
        return replay_page(str(record), read_checksum(record), place=place, note=state.sentence)
    return live_page(live, key)


def replay_page(
    record: str,
    checksum: str,
    home: str = "/matches",
    place: str = "",
    note: str = "",
    around: tuple[tuple[str, str], ...] = (),
) -> Page:
    """Return the page of a replay; the checksum ties it to the content of the record.

    `place` is the path of the record for readers who have it, `note` what else to say, `around` what the page links to.
    Raises RecordError.
    """
    return _replay_page(record, checksum, judged_at(Path(record)), home, place, note, around)


@lru_cache(maxsize=32)
def _replay_page(
    record: str, checksum: str, judged: int, home: str, place: str, note: str, around: tuple[tuple[str, str], ...]
) -> Page:
    del checksum, judged  # they only tell whether it is the same page
    file = Path(record)
    return page(Replay(read_record(file), file).documents(), home, place, note, around)


def from_folder(record: str) -> str:
    """Return the path of a record from the folder of its tournament: where that lies is not public.

    >>> from_folder("/home/anna/cups/spring/records/b1.match")
    'spring/records/b1.match'
    """
    return "/".join(Path(record).parts[-3:])


def around_match(links: Links, match: MatchResult, older: str = "", newer: str = "") -> tuple[tuple[str, str], ...]:
    """Return links of a replay: to its bots, to how two of them fare against each other, to the matches beside it."""
    bots = [*dict.fromkeys(seat.entrant for seat in match.seats)]
    found = [(str(bot), links.to("bots", bot_id(bot))) for bot in bots]
    if len(bots) == 2 and links.pairs:
        found.append(("Head to head", links.to("bots", bot_id(bots[0]), "against", bot_id(bots[1]))))
    beside = (("Previous match", older), ("Next match", newer))
    return (*found, *((name, links.to("matches", identity)) for name, identity in beside if identity))


def _place(after: str) -> Place | None:
    return parse_place(after) if after else None


# -- answers

STATUSES: Final = {NoPageError: 404, RecordError: 409, LeaderboardError: 422, RefusedError: 503}
"""The status of each of our errors."""


def _failure(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        return await _error_page(request, HTTPException(status, printable(str(error))))

    return answer


async def _error_page(request: Request, error: Exception) -> Response:
    """Say what is wrong: in JSON to programs, on a page to people."""
    assert isinstance(error, AnyHTTPException)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": error.detail}, error.status_code)
    values = {"name": "Ballcourt", "has_tournament": False, "trouble": "", "computed": ""}
    text = render("error.html", LINKS, **values, status=error.status_code, detail=error.detail)
    return HTMLResponse(text, error.status_code, headers=error.headers)


async def _unforeseen(request: Request, _: Exception) -> Response:
    """Say that there is a fault in Ballcourt; uvicorn logs it. No middleware sees this answer."""
    answer = await _error_page(request, HTTPException(500, "this page cannot be made; the server's output says why"))
    answer.headers.update(HEADERS)
    return answer


async def _wrong_value(request: Request, error: Exception) -> Response:
    """Say which value of an address is wrong."""
    assert isinstance(error, RequestValidationError)
    sentences = dict.fromkeys(_sentence(wrong) for wrong in error.errors())
    return await _error_page(request, HTTPException(422, "; ".join(sentences)))


WRONG: Final = {
    "string_pattern_mismatch": "a whole number",
    "int_parsing": "a whole number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "string_too_long": "at most {max_length} characters long",
}
"""What a value must be, by the kind of the mistake."""


def _sentence(wrong: Mapping[str, Any]) -> str:
    """Say what is wrong with a value of an address, and what it must be."""
    name, kind = wrong["loc"][1], wrong["type"]
    if name in ("since", "until"):
        must = "a day such as 2026-11-26"
    else:
        must = WRONG.get(kind, "").format(**wrong.get("ctx", {}))
    given = printable(str(wrong.get("input", "")))[:40]
    return f"{name} is '{given}'; it must be {must}" if must else f"{name}: {wrong['msg']}"
