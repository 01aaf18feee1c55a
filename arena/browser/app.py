"""The web application for a person who plays: a page, a stream of what the seat sees, and answers.

Everything needs the token that the address of the page carries. Answers come as JSON with the token in a header, which
a page of another origin cannot send, and name the question that they answer.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

from fastapi import Depends, FastAPI, Header, HTTPException, Query, Response
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from ballcourt.arena.browser.personal import NoAdvice, PersonalView
from ballcourt.arena.browser.rules import rules_page
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.person import NotAsked
from ballcourt.arena.match.turn import NothingToUndo
from ballcourt.arena.printable import printable
from ballcourt.arena.replays.page import Page, playing_page
from ballcourt.engine.core import IllegalAction
from ballcourt.web.guard import guard

TICK_S: Final = 0.05
"""How long a change may wait before it is shown."""
STREAM: Final = "/stream"
CHANGED: Final = "the question has changed; look again"


class HintRequest(BaseModel):
    """The number of a question."""

    number: int = Field(ge=0, le=1 << 31)


class AnswerRequest(HintRequest):
    """An action, or None to take the last one back, and the number of the question it answers."""

    action: int | None = Field(default=None, ge=0, le=1 << 31)


class Access:
    """Lets in who has the token: in the address of a page or stream, in a header of what changes something."""

    def __init__(self, token: str) -> None:
        self._token = token

    def by_address(self, token: Annotated[str, Query(max_length=100)] = "") -> None:
        """Check the token of an address."""
        self._check(token)

    def by_header(self, x_token: Annotated[str, Header(max_length=100)] = "") -> None:
        """Check the token of a header."""
        self._check(x_token)

    def _check(self, given: str) -> None:
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            raise HTTPException(403, "this page needs the address that `ballcourt` printed, with its token")


def play_app(view: PersonalView, token: str, is_closing: Callable[[], bool]) -> FastAPI:
    """Return the application for the person of a view."""
    app = bare_app()
    add_table(app, "/", token, lambda: view, lambda _: is_closing())
    return app


def bare_app() -> FastAPI:
    """Return a guarded application without pages, not even those that describe it."""
    app = FastAPI(title="Ballcourt", docs_url=None, redoc_url=None, openapi_url=None)
    guard(app)
    return app


def shown(page: Page) -> Response:
    """Return a page as an answer that no cache keeps: its address holds the token."""
    policy = f"{page.policy}; frame-ancestors 'none'"
    return HTMLResponse(page.text, headers={"Content-Security-Policy": policy, "Cache-Control": "no-store"})


def add_table(
    app: FastAPI,
    address: str,
    token: str,
    seen: Callable[[], PersonalView],
    is_closing: Callable[[PersonalView], bool],
    home: str = "",
) -> None:
    """Add the page of a person who plays, its stream and its answers, and what helps: hints, the rules, a tour.

    `seen` returns the view of the match that is played, or raises HTTPException; `is_closing` says whether nothing more
    will come of it; the title of the page leads to `home`.
    """
    access = Access(token)

    @app.get(address, dependencies=[Depends(access.by_address)])
    def page() -> Response:
        view = seen()
        names = [str(entrant.bot) for entrant in view.spec.entrants]
        return shown(playing_page(view.person.game, view.spec.key, names, f"{STREAM}?token={token}", home))

    @app.get(STREAM, response_class=EventSourceResponse, dependencies=[Depends(access.by_address)])
    async def stream() -> AsyncIterator[ServerSentEvent]:
        view = seen()
        edition, sent, number = "", 0, -1
        closing = False
        while not closing:  # after the end, send what is new once more
            closing = is_closing(view)
            now = view.edition, len(view.steps), view.number
            if view.document and now != (edition, sent, number):
                steps, question = view.steps[:], view.question()  # more may come while an event is sent
                if edition != view.edition:
                    yield ServerSentEvent(event="match", data={**view.document, "steps": steps})
                elif sent < len(steps):
                    yield ServerSentEvent(event="steps", data=steps[sent:])
                edition, sent, number = now
                yield ServerSentEvent(event="question", data=question)
            if not closing:
                await asyncio.sleep(TICK_S)
        yield ServerSentEvent(event="question", data=view.question())
        yield ServerSentEvent(event="end", data={})

    @app.get("/rules", dependencies=[Depends(access.by_address)])
    def rules() -> Response:
        return shown(rules_page(seen().person.game))

    @app.get("/tour", dependencies=[Depends(access.by_address)])
    def tour() -> list[Any]:
        return [*seen().person.game.lessons()]

    @app.post("/hint", dependencies=[Depends(access.by_header)])
    async def hint(given: HintRequest) -> dict[str, str]:
        view = seen()
        if given.number != view.number:
            raise HTTPException(409, CHANGED)
        try:
            return await view.hint()
        except NoAdvice as error:
            raise HTTPException(409, printable(str(error))) from error
        except (BotFault, ArenaError) as error:
            raise HTTPException(502, printable(f"no hint: {error}")) from error

    @app.post("/answer", dependencies=[Depends(access.by_header)], status_code=204)
    async def answer(given: AnswerRequest) -> None:
        view = seen()
        if given.number != view.number:
            raise HTTPException(409, CHANGED)
        try:
            view.undo() if given.action is None else view.act(given.action)
        except (NotAsked, NothingToUndo) as error:
            raise HTTPException(409, printable(str(error))) from error
        except IllegalAction as error:
            raise HTTPException(422, printable(str(error))) from error
