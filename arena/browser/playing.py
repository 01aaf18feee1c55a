"""A match with a person in a browser on this machine."""

import asyncio
import socket
from collections.abc import Callable
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.browser.app import play_app
from ballcourt.arena.browser.personal import PersonalView
from ballcourt.arena.match.person import Person
from ballcourt.arena.records.narrative import account
from ballcourt.arena.tasks import first_to_end
from ballcourt.arena.workers.adviser import Adviser
from ballcourt.arena.workers.local_match import LocalMatch, open_pool, seats_here, seats_of_people
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord
from ballcourt.web.server import web_server

LAST_S: Final = 3.0
"""How long the page has to fetch the result."""


async def hold_match(
    match: PlayableMatch,
    begun: MatchRecord | None,
    token: str,
    listener: socket.socket,
    opened: Callable[[str], None],
    keep: Callable[[MatchRecord], None],
    adviser: Bot | None = None,
) -> MatchRecord | None:
    """Play a match with one person in a browser; return its record, or None if the server was stopped before its end.

    `token` lets into the page. `opened` gets its address, `keep` what was decided so far whenever the person is asked;
    `adviser` gives hints.
    Raises ArenaError, and CannotContinueError if `begun` does not fit the match.
    """
    async with open_pool() as pool:
        advice = Adviser(adviser, find_game(match.spec.game), match.sandbox, pool) if adviser else None
        view, local = seat_person(match, begun, pool, keep, advice)
        app = play_app(view, token, lambda: bool(server.should_exit))
        server = web_server(app)
        opened(f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}")
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        playing = asyncio.create_task(local.play())
        async with first_to_end(playing, serving):
            if not playing.done():
                return None
            try:
                record = playing.result()
                view.end(record, account(record))
                return record
            finally:
                server.should_exit = True
                await asyncio.wait((serving,), timeout=LAST_S)


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
