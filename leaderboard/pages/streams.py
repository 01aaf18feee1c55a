"""The address of the stream of events, and the page of a match that is being played."""

from collections.abc import AsyncIterator
from typing import Annotated
from urllib.parse import quote

from fastapi import FastAPI, Header, HTTPException, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ballcourt.arena.printable import printable
from ballcourt.arena.replays.page import Page, running_page
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.pages.live import Live

STREAM = "/api/live"

Match = Annotated[str | None, Query(max_length=100)]
Known = Annotated[str, Query(max_length=50)]


def add_stream(app: FastAPI, live: Live) -> None:
    """Add the stream to an application."""

    # it never ends, so no client that reads whole answers should find it in the schema
    @app.get(STREAM, response_class=EventSourceResponse, include_in_schema=False)
    async def stream(
        match: Match = None, known: Known = "", last_event_id: Annotated[str, Header()] = ""
    ) -> AsyncIterator[ServerSentEvent]:
        """Send the progress of the tournament; with a match, also its decisions."""
        async for event in live.events(match, last_event_id or known):
            yield event


def live_page(live: Live, key: str) -> Page | None:
    """Return the page of a match that is being played, or was and may be again; None for others.

    Raises HTTPException if its game is not installed here.
    """
    if (table := live.table(key)) is None:
        return None
    try:
        game = find_game(table["game"])
    except UnknownGame as error:
        raise HTTPException(409, printable(str(error))) from error
    return running_page(game, key, table["bots"], f"{STREAM}?match={quote(key)}", home="/matches")
