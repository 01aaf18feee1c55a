"""A match with a person in a browser on this machine: a page, a stream of what the seat sees, and answers.

Everything needs the token that the address of the page carries. Answers come as JSON with the token in a header, which
a page of another origin cannot send, and name the question that they answer.
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.browser.personal import Feed, PersonalView
from ballcourt.arena.browser.text import rules_page
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.person import VERSION, Person
from ballcourt.arena.printable import printable
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import Page, page, playing_page
from ballcourt.arena.tasks import first_to_end
from ballcourt.arena.workers.adviser import adviser_of
from ballcourt.arena.workers.local_match import LocalMatch, open_pool, seats_here, seats_of_people
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool
from ballcourt.engine.core import IllegalAction, WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from ballcourt.web.errors import add_failures
from ballcourt.web.guard import guard
from ballcourt.web.server import web_server

TICK_S: Final = 0.05
"""How long a change may wait before it is shown."""
LAST_S: Final = 3.0
"""How long a page may be away after the match, as when it is loaded again, until the server ends."""
STREAM: Final = "/stream"
STATUSES: Final[Mapping[type[Exception], int]] = {WrongInput: 409, IllegalAction: 422}
"""The status of each of our errors."""


@dataclass(frozen=True)
class Table:
    """Where a person plays."""

    token: str
    """What lets into its pages."""
    seen: Callable[[], PersonalView]
    """Returns the view of the match that is played, or raises HTTPException."""
    is_closing: Callable[[PersonalView], bool]
    """Whether nothing more will come of a match."""
    home: str = ""
    """Where the title of its page leads to."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the page was closed, and not loaded again."""
    again: asyncio.Event | None = None
    """Set when the person wants another match; None where there is none."""


class HintRequest(BaseModel):
    """The number of a question."""

    number: int = Field(ge=0, le=1 << 31)


class AnswerRequest(HintRequest):
    """An action, or None to take the last one back, and the number of the question it answers."""

    action: int | None = Field(default=None, ge=0, le=1 << 31)


def token_in_address(request: Request, token: Annotated[str, Query(max_length=100)] = "") -> None:
    """Check the token in the address of a page or stream. Raises HTTPException."""
    if not secrets.compare_digest(token.encode(), _table(request).token.encode()):
        raise HTTPException(403, "this page needs the address that `ballcourt` printed, with its token")


def token_in_header(request: Request, x_token: Annotated[str, Header(max_length=100)] = "") -> None:
    """Check the token in a header of what changes something. Raises HTTPException."""
    token_in_address(request, x_token)


def _table(request: Request) -> Table:
    found: Table = request.app.state.table
    return found


def _seen(request: Request) -> PersonalView:
    return _table(request).seen()


AtTable = Annotated[Table, Depends(_table)]
Seen = Annotated[PersonalView, Depends(_seen)]
pages = APIRouter(dependencies=[Depends(token_in_address)])
changes = APIRouter(dependencies=[Depends(token_in_header)])


def table_app(table: Table, address: str) -> FastAPI:
    """Return the guarded application of a table, whose page is at an address; it has no page that describes it."""
    app = FastAPI(title="Ballcourt", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.table = table
    guard(app)
    add_failures(app, STATUSES)
    app.add_api_route(address, _page, dependencies=[Depends(token_in_address)])
    app.include_router(pages)
    app.include_router(changes)
    return app


def shown(page: Page) -> Response:
    """Return a page as an answer that no cache keeps: its address holds the token."""
    policy = f"{page.policy}; frame-ancestors 'none'"
    return HTMLResponse(page.text, headers={"Content-Security-Policy": policy, "Cache-Control": "no-store"})


def _page(view: Seen, table: AtTable) -> Response:
    table.gone.clear()
    bots = [entrant.bot for entrant in view.spec.entrants]
    names = [bot.name if bot.version == VERSION else str(bot) for bot in bots]
    stream = f"{STREAM}?token={table.token}"
    return shown(playing_page(view.person.game, names, stream, table.home))


@pages.get(STREAM, response_class=EventSourceResponse)
async def stream(view: Seen, table: AtTable) -> AsyncIterator[ServerSentEvent]:
    """Send what the seat sees, and what is asked, as it comes."""
    feed = Feed(view)
    closing = False
    while not closing:  # after the end, send what is new once more
        closing = table.is_closing(view)
        for event, data in feed.events():
            yield ServerSentEvent(event=event, data=data)
        if not closing:
            await asyncio.sleep(TICK_S)
    yield ServerSentEvent(event="question", data=view.question())
    yield ServerSentEvent(event="end", data={})


@pages.get("/replay")
def _replay(view: Seen) -> Response:
    if view.record is None:
        raise HTTPException(404, "the match is not over; its replay comes then")
    return shown(page([document(view.record, observer) for observer in observers(view.record)]))


@pages.get("/rules")
def _rules(view: Seen) -> Response:
    return shown(rules_page(view.person.game))


@pages.get("/tour")
def _tour(view: Seen) -> list[Any]:
    return [*view.person.game.lessons()]


@changes.post("/hint")
async def _hint(view: Seen, given: HintRequest) -> dict[str, str]:
    try:
        return await view.hint(given.number)
    except (BotFault, ArenaError) as error:
        raise HTTPException(502, printable(f"no hint: {error}")) from error


@changes.post("/left", status_code=204)
async def _left(table: AtTable) -> None:
    table.gone.set()


@changes.post("/again", status_code=204)
async def _again(view: Seen, table: AtTable) -> None:
    if table.again is None or view.record is None:
        raise HTTPException(409, "there is no other match here now; begin one with `ballcourt play`")
    table.again.set()


@changes.post("/answer", status_code=204)
async def _answer(view: Seen, given: AnswerRequest) -> None:
    view.answer(given.number, given.action)


async def hold_match(
    match: PlayableMatch,
    begun: MatchRecord | None,
    token: str,
    listener: socket.socket,
    opened: Callable[[str], None],
    keep: Callable[[MatchRecord], None],
    ended: Callable[[MatchRecord], PlayableMatch],
    adviser: Bot | None = None,
) -> bool:
    """Play matches with one person in a browser, until their page is closed; return whether the last one ended.

    `token` lets into the page. `opened` gets its address, `keep` what was decided so far whenever the person is asked;
    `ended` gets the record of each match and returns the one that follows it if the person likes; `adviser` gives
    hints.
    Raises ArenaError, and CannotContinueError if `begun` does not fit the match.
    """
    async with open_pool() as pool:
        advice = adviser_of(adviser, find_game(match.spec.game), match.sandbox, pool) if adviser else None
        view, local = seat_person(match, begun, pool, keep, advice)
        gone, again = asyncio.Event(), asyncio.Event()
        table = Table(token, lambda: view, lambda one: server.should_exit or one is not view, "", gone, again)
        server = web_server(table_app(table, "/"))
        opened(f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}")
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            while True:
                playing = asyncio.create_task(local.play())
                async with first_to_end(playing, asyncio.create_task(_end_of(serving))):
                    if not playing.done():
                        return False
                    record = playing.result()
                match = ended(record)
                view.end(record, ["The match is recorded. This page works until you close it."], may_follow=True)
                wanted, left = asyncio.create_task(again.wait()), asyncio.create_task(_left_for_good(gone))
                async with first_to_end(wanted, left, asyncio.create_task(_end_of(serving))):
                    if not wanted.done():
                        return True
                again.clear()
                view, local = seat_person(match, None, pool, keep, advice)
        finally:
            server.should_exit = True
            await asyncio.wait((serving,), timeout=LAST_S)
            serving.cancel()


async def _end_of(task: asyncio.Task[None]) -> None:
    await asyncio.wait((task,))


async def _left_for_good(gone: asyncio.Event) -> None:
    """Wait until no page has been open for a while."""
    while True:
        await gone.wait()
        await asyncio.sleep(LAST_S)
        if gone.is_set():
            return


def seat_person(
    match: PlayableMatch,
    begun: MatchRecord | None,
    pool: Pool,
    keep: Callable[[MatchRecord], None],
    adviser: Adviser | None = None,
) -> tuple[PersonalView, LocalMatch]:
    """Return a match with one person, and what that person sees; see `hold_match`."""
    spec = match.spec
    (seat,) = seats_of_people(match)
    person = Person(find_game(spec.game), spec.entrants[seat].bot.name, lambda: view.changed())
    local = LocalMatch(match, seats_here(match, pool, {seat: person}), begun)
    view = PersonalView(spec, person, local.so_far(), lambda: keep(local.so_far()), adviser)
    return view, local
