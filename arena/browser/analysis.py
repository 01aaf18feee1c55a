"""The analysis of a recorded match in a browser: ask a bot about a decision, or branch off and play on.

The page shows everything, as replays do. Bots and people still receive only what their seat knew: a bot gets the
observation of the seat, and a person who plays on sees the match as that seat, with the hidden cards of the record.

Pages of `ballcourt serve` start no processes and change nothing. This server does, so it is a command of its own:
everything needs the token that it prints, and it is reached from this machine only.
"""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from pydantic import BaseModel, Field

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.browser.personal import PersonalView
from ballcourt.arena.browser.playing import Table, seat_person, shown, table_app, token_in_address, token_in_header
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.person import PendingQuestion
from ballcourt.arena.printable import printable
from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import analysis_page
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.adviser import adviser_of, estimate_of, events_seen, start_of
from ballcourt.arena.workers.local_match import open_pool
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool
from ballcourt.engine.core import State, WrongInput
from ballcourt.v1.protocol_pb2 import Event
from ballcourt.v1.record_pb2 import MatchRecord
from ballcourt.web.server import web_server


@dataclass(frozen=True)
class Helpers:
    """Who is at hand: the bot that is asked, and what plays on in each seat that no person takes, in words."""

    adviser: Bot
    players: tuple[str, ...]
    sandbox: Sandbox


@dataclass(frozen=True)
class Branch:
    """A match that is to be played on by a person."""

    match: PlayableMatch
    begun: MatchRecord
    keep: Callable[[MatchRecord], None]
    """Gets what was decided so far whenever the person is asked."""
    finish: Callable[[MatchRecord], Path]
    """Writes the record of the finished match and returns its path."""


class NoDecision(WrongInput):
    """There is nothing to decide at this point of the match, or not by this seat."""


class Analysis:
    """A recorded match, a bot to ask, and the match that a person plays on from it, one at a time."""

    def __init__(
        self, record: MatchRecord, pool: Pool, helpers: Helpers, branch_off: Callable[[int, int], Branch]
    ) -> None:
        """`branch_off` returns the match that branches off before a decision, with a person in a seat."""
        self.record = record
        self.helpers = helpers
        self.view: PersonalView | None = None
        """What the person sees of the match that was branched off last."""
        self._game, _ = opening(record)
        self._adviser = adviser_of(helpers.adviser, self._game, helpers.sandbox, pool)
        self._pool = pool
        self._branch_off = branch_off
        self._playing: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()

    async def advise(self, number: int) -> dict[str, Any]:
        """Return what the adviser would do at a decision, in words, its thoughts, and what else it considered.

        Raises NoDecision, BotFault and ArenaError.
        """
        seat, state, events = self._before(number)
        legal = tuple(state.legal_actions(seat))
        if len(legal) == 1:
            raise NoDecision("the rules leave no choice here: there is a single legal action")
        start = start_of(self.record, self._game, seat)
        async with self._asking:  # one process of the bot is enough for one person
            answer = await self._adviser.advise(start, PendingQuestion(state, legal, (), 0.0), events)
        estimate = estimate_of(self._game, state, seat, answer)
        label = self._game.choice(state, seat, answer.action)["label"] if answer.action in legal else ""
        return {"label": label, "thoughts": answer.thoughts, "estimate": estimate}

    def _before(self, number: int) -> tuple[int, State, list[Event]]:
        """Return who makes a decision, the position before it, and what its seat has seen. Raises NoDecision."""
        decisions = self.record.decisions
        if not 0 <= number < len(decisions.seats):
            raise NoDecision("the match is over here")
        seat = decisions.seats[number]
        return seat, *events_seen(self.record, number, seat)

    async def branch(self, number: int, seat: int) -> None:
        """Branch off before a decision, with a person in a seat; save a match that was being played.

        Raises WrongInput and ArenaError.
        """
        if not 0 <= seat < len(self.record.entrants):
            raise NoDecision(f"there is no seat {seat} at this table")
        branch = await asyncio.to_thread(self._branch_off, number, seat)
        await self.end()
        self.view, local = seat_person(branch.match, branch.begun, self._pool, branch.keep, self._adviser)
        self._playing = asyncio.create_task(self._play(self.view, local.play, branch))

    async def _play(self, view: PersonalView, play: Callable[[], Any], branch: Branch) -> None:
        try:
            record = await play()
            view.end(record, [f"The record is {branch.finish(record)}"])
        except (ArenaError, RecordError, OSError) as error:
            view.results = [f"The match broke off: {error}"]

    async def end(self) -> None:
        """End the match that is being played, if any."""
        if self._playing:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing


class At(BaseModel):
    """A decision of the match."""

    decision: int = Field(ge=0, le=1 << 31)


class Taken(At):
    """A decision, and the seat that a person takes there."""

    seat: int = Field(ge=0, le=1000)


def _analysis(request: Request) -> Analysis:
    found: Analysis = request.app.state.analysis
    return found


Analysed = Annotated[Analysis, Depends(_analysis)]
pages = APIRouter(dependencies=[Depends(token_in_address)])
changes = APIRouter(dependencies=[Depends(token_in_header)])


@pages.get("/helpers")
def _available(analysis: Analysed) -> dict[str, Any]:
    return {"adviser": analysis.helpers.adviser.name, "players": analysis.helpers.players}


@changes.post("/advice")
async def _advice(analysis: Analysed, asked: At) -> dict[str, Any]:
    try:
        return await analysis.advise(asked.decision)
    except (BotFault, ArenaError) as error:
        raise HTTPException(502, printable(f"{analysis.helpers.adviser.name} gives no answer: {error}")) from error


@changes.post("/branch")
async def _branch(request: Request, analysis: Analysed, taken: Taken) -> dict[str, str]:
    try:
        await analysis.branch(taken.decision, taken.seat)
    except ArenaError as error:
        raise HTTPException(409, printable(str(error))) from error
    return {"address": f"/play?token={request.app.state.table.token}"}


def analysis_app(analysis: Analysis, token: str, is_closing: Callable[[], bool]) -> FastAPI:
    """Return the application for an analysis."""
    home = f"/?token={token}"
    page = analysis_page([document(analysis.record, observer) for observer in observers(analysis.record)], home)

    def seen() -> PersonalView:
        if analysis.view is None:
            raise HTTPException(404, "no one has branched off from this match yet")
        return analysis.view

    def is_over(view: PersonalView) -> bool:
        return is_closing() or view is not analysis.view or bool(view.results)

    app = table_app(Table(token, seen, is_over, home), "/play")
    app.state.analysis = analysis
    app.add_api_route("/", lambda: shown(page), dependencies=[Depends(token_in_address)])
    app.include_router(pages)
    app.include_router(changes)
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
        analysis = Analysis(record, pool, helpers, branch_off)
        server = web_server(analysis_app(analysis, token, lambda: bool(server.should_exit)))
        opened(f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}")
        try:
            await server.serve(sockets=[listener])
        finally:
            await analysis.end()
