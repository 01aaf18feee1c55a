"""The web application: pages for people, JSON and CSV for programs.

It only reads. Every page is made on the server, once as long as it shows the same, and works without its script, which
sorts and filters tables. No page computes a rating: `refresh` does, in another process.
"""

from collections.abc import Callable
from datetime import date
from functools import lru_cache, wraps
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.staticfiles import StaticFiles

from ballcourt.arena.printable import printable
from ballcourt.arena.records.store import RecordError, read_checksum, read_record
from ballcourt.arena.replays.judgement import judged_at
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.replays.page import STATIC as VIEWER
from ballcourt.arena.replays.page import Page, page, picture_of
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.pages import api
from ballcourt.leaderboard.pages.followed import Followed
from ballcourt.leaderboard.pages.live import Live, add_stream, live_page
from ballcourt.leaderboard.pages.rendering import (
    FOLDER,
    Links,
    Pages,
    Surroundings,
    bot_shown,
    home_shown,
    matches_shown,
    news_shown,
    pages_of,
    progress_shown,
    render,
    tables_shown,
    views_of,
    without_files,
)
from ballcourt.leaderboard.pages.summaries import bot_id
from ballcourt.leaderboard.pages.views import Frame, NoPageError, Rows, Views
from ballcourt.leaderboard.store.connecting import RefusedError
from ballcourt.leaderboard.store.listing import Place, Wanted, parse_place
from ballcourt.web.atom import BEFORE_ALL, MEDIA_TYPE, AtomFeed, FeedEntry
from ballcourt.web.errors import ErrorAnswers, add_failures, heading
from ballcourt.web.guard import HEADERS, READ, guard
from ballcourt.web.once import MadeOnce, Shows, made_once, unless_known
from ballcourt.web.render import Page as Shown

LINKS: Final = Links()
ALONE: Final = Surroundings()
AGAIN_S: Final = "5"
"""After how many seconds to ask again while the results are being read."""
MOST_BOARDS: Final = 4
"""How many boards a wall has. Each has a stream, and a browser opens six to a server at most."""
STATUSES: Final = {NoPageError: 404, LeaderboardError: 422, RefusedError: 503}
"""The status of each of our errors whose sentence may be shown."""
DAMAGED: Final = "the record of this match is missing or damaged; the log of the server says how"
Number = Annotated[int, Query(ge=1, le=1_000_000)]
Words = Annotated[str, Query(max_length=200)]

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


def create_app(views: Views, live: Live | None = None, around: Surroundings = ALONE) -> FastAPI:
    """Return the application for the results of a source and, if it is a tournament, for its current progress.

    Other applications may be mounted onto it, or it onto them.
    """
    app = FastAPI(title="Ballcourt", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.state.pages, app.state.once = Pages(views, live, around), MadeOnce()
    guard(app, around.hosts)
    _Errors().add(app)
    add_failures(app, STATUSES)
    app.add_exception_handler(RecordError, _unreadable)
    app.add_exception_handler(Exception, _unforeseen)
    app.add_api_route("/static/{game}.png", _picture, methods=[*READ], include_in_schema=False)
    app.mount(
        "/static", StaticFiles(directory=FOLDER / "static", packages=[("ballcourt.web", "static")]), name="static"
    )
    app.mount("/viewer", StaticFiles(directory=VIEWER), name="viewer")
    app.include_router(router, dependencies=[Depends(_when_read)])
    app.include_router(api.router, dependencies=[Depends(_when_read)])
    if live:
        add_stream(app, live)
        app.add_api_route("/wall", _wall, methods=[*READ], include_in_schema=False)
    return app


def _when_read(request: Request) -> None:
    """Refuse what shows results before they have been read; a browser asks again by itself."""
    summary = views_of(request).summary
    if not summary.at and request.url.path != api.HEALTH:
        why = summary.trouble or "they are being read"
        sentence = f"no results can be shown yet: {why}; ask again in {AGAIN_S} seconds"
        raise HTTPException(503, printable(sentence), {"Retry-After": AGAIN_S, "Refresh": AGAIN_S})


def _page_at(address: str, shows: Shows = tables_shown) -> Callable[[Callable[..., Shown]], Callable[..., Response]]:
    """Return a decorator of what returns the values of the page at an address."""

    def decorator(make: Callable[..., Shown]) -> Callable[..., Response]:
        @wraps(make)
        def rendered(request: Request, **asked: object) -> str:
            return pages_of(request).render(request, make(request, **asked))

        answer = made_once(shows)(rendered)
        router.add_api_route(address, answer, methods=[*READ], response_model=None)
        return answer

    return decorator


@_page_at("/", home_shown)
def _home(request: Request) -> Shown:
    pages = pages_of(request)
    home = pages.views.home(pages.now())
    return Shown(home.template, {**home.values, "front": pages.around.front()})


@_page_at("/ladders/{ladder}")
def _ladder(
    request: Request,
    ladder: str,
    sort: Words = "rank",
    order: Literal["", "reverse"] = "",
    q: Words = "",
    page: Number = 1,
) -> Shown:
    return views_of(request).ladder(ladder, Rows(sort, bool(order), q, page))


@_page_at("/ladders/{ladder}/matrix")
def _matrix(request: Request, ladder: str, across: Number = 1, down: Number = 1) -> Shown:
    return views_of(request).matrix(ladder, across, down)


@_page_at("/ladders/{ladder}/seats")
def _seats(request: Request, ladder: str) -> Shown:
    return views_of(request).seats(ladder)


@_page_at("/ladders/{ladder}/openings", matches_shown)
def _openings(request: Request, ladder: str, bot: Words = "") -> Shown:
    return views_of(request).openings(ladder, bot)


@_page_at("/combined")
def _combined(request: Request) -> Shown:
    return views_of(request).combined()


@_page_at("/bots/{bot}", bot_shown)
def _bot(request: Request, bot: str) -> Shown:
    return views_of(request).bot_page(bot)


@_page_at("/bots/{bot}/against/{rival}", matches_shown)
def _pair(request: Request, bot: str, rival: str, after: Words = "") -> Shown:
    return views_of(request).pair(bot, rival, _place(after))


@_page_at("/tournament", progress_shown)
def _tournament(request: Request) -> Shown:
    return views_of(request).tournament(pages_of(request).now())


@_page_at("/data")
def _data(request: Request) -> Shown:
    return Shown("data.html", {"paths": request.app.openapi()["paths"]})


@_page_at("/news", news_shown)
def _news(request: Request) -> Shown:
    return Shown("news.html", {"news": pages_of(request).news()})


@router.api_route("/news.atom", methods=[*READ])
@made_once(news_shown)
def _feed(request: Request) -> Response:
    pages, links = pages_of(request), pages_of(request).links(request)
    name, around = pages.frame().name, pages.around
    found = [(one, around.url + links.to(*one.link) if links.has(*one.link) else "") for one in pages.news()]
    urn = f"{around.identity or 'urn:ballcourt'}:news"
    entries = [FeedEntry(f"{urn}:{one.id}", one.text, one.when, address) for one, address in found]
    own = urn if around.identity else f"{urn}:{quote(printable(name), safe='')}"
    feed = AtomFeed(own, name, around.name or "Ballcourt", around.url + links.to("news"), entries)
    return Response(feed.to_xml(pages.views.summary.at or BEFORE_ALL), media_type=MEDIA_TYPE)


@_page_at("/matches", matches_shown)
def _matches(
    request: Request,
    bot: Words = "",
    game: Words = "",
    seats: Annotated[str, Query(pattern="^[0-9]{0,3}$")] = "",
    ended: Words = "",
    since: date | Literal[""] = "",
    until: date | Literal[""] = "",
    after: Words = "",
) -> Shown:
    views = views_of(request)
    wanted = Wanted(
        bot=views.named(bot) if bot else None,
        game=game,
        seats=int(seats) if seats else None,
        ended=ended,
        since=since or None,
        until=until or None,
    )
    return views.matches(wanted, _place(after))


@router.api_route("/matches/{name}", methods=[*READ])
def _replay(request: Request, name: str) -> Response:
    views, live, links = views_of(request), pages_of(request).live, pages_of(request).links(request)
    found = _followed(live, views, name, links.pictures) if live else None
    if found is None:
        match = views.match(name)
        if not Path(match.record).is_file():
            return HTMLResponse(pages_of(request).render(request, Shown("match.html", {"match": match})))
        around = around_match(links, match, *views.database.beside(match))
        place, home = from_folder(match.record), links.to("matches")
        found = replay_page(match.record, match.checksum, home, place, around=around, pictures=links.pictures)
    headers = {"Content-Security-Policy": f"{found.policy}; frame-ancestors 'none'"}
    return unless_known(request, HTMLResponse(found.text, headers=headers))


@router.api_route("/embed/{name}", methods=[*READ])
def _embed(request: Request, name: str) -> Response:
    return unless_known(request, _embedded(views_of(request), pages_of(request).live, name))


def _picture(game: str) -> FileResponse:
    """Send the picture of a game."""
    if path := picture_of(game):
        return FileResponse(path)
    raise NoPageError("there is no picture of this game")


def _wall(request: Request) -> Response:
    """Show the boards of running matches; each is a frame."""
    pages = pages_of(request)
    assert pages.live, "otherwise there is no wall"
    return HTMLResponse(
        pages.render(request, Shown("wall.html", {"now": pages.live.now(), "most_boards": MOST_BOARDS}))
    )


def _embedded(views: Views, live: Live | None, name: str) -> Response:
    """Show a match in a frame: in one of our own while it is played, then also in those of others."""
    record = live.record(name) if live else None
    if live and not record and (running := live_page(live, name)):
        return _framed(running, "'self'", HEADERS["Cross-Origin-Resource-Policy"])
    if record and views.database.match(name) is None:  # over, and not counted yet
        return _framed(replay_page(str(record), read_checksum(record), home=""), "*", "cross-origin")
    match = views.recorded(name)
    return _framed(replay_page(match.record, match.checksum, home=""), "*", "cross-origin")


def _framed(found: Page, ancestors: str, policy: str) -> Response:
    """Return a page that may stand in the frames of `ancestors`."""
    headers = {"Content-Security-Policy": f"{found.policy}; frame-ancestors {ancestors}"}
    return HTMLResponse(found.text, headers=headers | {"Cross-Origin-Resource-Policy": policy})


def _followed(live: Live, views: Views, key: str, pictures: str) -> Page | None:
    """Return the page of a match in the log of the run: as it is played or, from its record, as it was."""
    if record := live.record(key):
        state = Followed.ENDED if views.database.match(key) is None else Followed.COUNTED
        place = from_folder(str(record))
        return replay_page(str(record), read_checksum(record), place=place, note=state.sentence, pictures=pictures)
    return live_page(live, key, pictures)


def replay_page(
    record: str,
    checksum: str,
    home: str = "/matches",
    place: str = "",
    note: str = "",
    around: tuple[tuple[str, str], ...] = (),
    pictures: str = "",
) -> Page:
    """Return the page of a replay; the checksum ties it to the content of the record.

    `place` is the path of the record for readers who have it, `note` what else to say, `around` what the page links to,
    `pictures` what the addresses of pictures begin with.
    Raises RecordError.
    """
    return _replay_page(Path(record), (checksum, judged_at(Path(record))), home, place, note, around, pictures)


@lru_cache(maxsize=32)
def _replay_page(
    record: Path,
    _version: tuple[str, int],
    home: str,
    place: str,
    note: str,
    around: tuple[tuple[str, str], ...],
    pictures: str,
) -> Page:
    """Return the page of a replay, which is kept as long as the version of its record is the same."""
    return page(Replay(read_record(record), record).documents(), home, place, note, around, pictures)


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


class _Errors(ErrorAnswers):
    """The error page. That of a fault of our own stands alone, as it might be in what is around it."""

    def page(self, request: Request, status: int, sentence: str) -> Response:
        pages, shown = pages_of(request), Shown("error.html", {"heading": heading(status), "detail": sentence})
        is_ours = status == 500
        name = pages.around.name or "Ballcourt"
        return HTMLResponse(render(shown, LINKS, Frame(name)) if is_ours else pages.render(request, shown), status)


async def _unreadable(request: Request, error: Exception) -> Response:
    """Say that a record cannot be shown."""
    return await _Errors().answer(request, 409, printable(without_files(str(error), DAMAGED)))


async def _unforeseen(request: Request, _: Exception) -> Response:
    """Say that there is a fault in Ballcourt; uvicorn logs it. No middleware sees this answer."""
    answer = await _Errors().answer(request, 500, "this page cannot be made; the server's output says why")
    answer.headers.update(HEADERS)
    return answer
