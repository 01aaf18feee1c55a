"""The web application for the analysis of a recorded match, and its server.

Pages of `ballcourt serve` start no processes and change nothing. This server does, so it is a command of its own:
everything needs the token that it prints, and it is reached from this machine only.
"""

import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Response
from pydantic import BaseModel, Field

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.browser.analysis import Analysis, Branch
from ballcourt.arena.browser.app import Access, add_table, bare_app, shown
from ballcourt.arena.browser.personal import PersonalView
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.printable import printable
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import analysis_page
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.adviser import Adviser
from ballcourt.arena.workers.local_match import open_pool
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from ballcourt.web.server import web_server


class At(BaseModel):
    """A decision of the match."""

    decision: int = Field(ge=0, le=1 << 31)


class Taken(At):
    """A decision, and the seat that a person takes there."""

    seat: int = Field(ge=0, le=1000)


@dataclass(frozen=True)
class Helpers:
    """Who is at hand: the bot that is asked, and what plays on in each seat that no person takes, in words."""

    adviser: Bot
    players: tuple[str, ...]
    sandbox: Sandbox


def analysis_app(analysis: Analysis, helpers: Helpers, token: str, is_closing: Callable[[], bool]) -> FastAPI:
    """Return the application for an analysis."""
    app = bare_app()
    access = Access(token)
    home = f"/?token={token}"
    record = analysis.record
    page = analysis_page([document(record, observer) for observer in observers(record)], home)

    def seen() -> PersonalView:
        if analysis.view is None:
            raise HTTPException(404, "no one has branched off from this match yet")
        return analysis.view

    add_table(
        app,
        "/play",
        token,
        seen,
        lambda view: is_closing() or view is not analysis.view or bool(view.results),
        home,
    )

    @app.get("/", dependencies=[Depends(access.by_address)])
    def home_page() -> Response:
        return shown(page)

    @app.get("/helpers", dependencies=[Depends(access.by_address)])
    def available_helpers() -> dict[str, Any]:
        return {"adviser": helpers.adviser.name, "players": helpers.players}

    @app.post("/advice", dependencies=[Depends(access.by_header)])
    async def advice(asked: At) -> dict[str, Any]:
        try:
            return await analysis.advise(asked.decision)
        except WrongInput as error:
            raise HTTPException(409, printable(str(error))) from error
        except (BotFault, ArenaError) as error:
            sentence = f"{helpers.adviser.name} gives no answer: {error}"
            raise HTTPException(502, printable(sentence)) from error

    @app.post("/branch", dependencies=[Depends(access.by_header)])
    async def branch(taken: Taken) -> dict[str, str]:
        try:
            await analysis.branch(taken.decision, taken.seat)
        except (WrongInput, ArenaError) as error:
            raise HTTPException(409, printable(str(error))) from error
        return {"address": f"/play?token={token}"}

    return app


async def hold_analysis(
    record: MatchRecord,
    helpers: Helpers,
    branch_off: Callable[[int, int], Branch],
    listener: socket.socket,
    opened: Callable[[str], None],
) -> None:
    """Serve the analysis of a record until the server is stopped; `opened` is as in `hold_match`.

    Raises RecordError if the record cannot be executed here.
    """
    token = secrets.token_urlsafe(16)
    async with open_pool() as pool:
        adviser = Adviser(helpers.adviser, find_game(record.game), helpers.sandbox, pool)
        analysis = Analysis(record, pool, adviser, branch_off)
        app = analysis_app(analysis, helpers, token, lambda: bool(server.should_exit))
        server = web_server(app)
        opened(f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}")
        try:
            await server.serve(sockets=[listener])
        finally:
            await analysis.end()
