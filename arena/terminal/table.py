"""A match with people at this terminal, kept in a file so that it can be put aside."""

import asyncio
from pathlib import Path

from rich.console import Console

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.person import VERSION, Person
from ballcourt.arena.terminal.conversation import Conversation, PutAside
from ballcourt.arena.terminal.keyboard import Keyboard
from ballcourt.arena.terminal.saved import SavedError, Setup, write_saved
from ballcourt.arena.workers.adviser import Adviser
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.table import Table, open_pool, seats_here
from ballcourt.engine.core import IllegalAction
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord


async def hold_match(
    match: PlayableMatch, setup: Setup, path: Path, adviser: Bot | None, console: Console, begun: MatchRecord | None
) -> MatchRecord | None:
    """Play a match with people at this terminal; return its record, or None if it was put aside.

    What was decided so far is written to `path` before every turn of a person.
    Raises SavedError if `begun` does not fit the match, and ArenaError.
    """
    spec = match.spec
    if begun:
        _check_entrants(match, begun)
    game = find_game(spec.game)
    people = {
        seat: Person(game, entrant.name, lambda: conversation.changed())
        for seat, entrant in enumerate(spec.entrants)
        if entrant.version == VERSION and entrant not in match.bots
    }
    async with open_pool() as pool:
        advice = Adviser(adviser, game, match.sandbox, pool) if adviser else None
        names = [f"{entrant.name} {entrant.version}" for entrant in spec.entrants]
        try:
            table = Table(match, seats_here(match, pool, people), begun)
        except IllegalAction as error:
            raise SavedError(f"the saved match {spec.key} cannot be continued: {error}") from error
        conversation = Conversation(
            [*people.values()], names, console, Keyboard(), advice, lambda: write_saved(path, setup, table.so_far())
        )
        return await _play(table, conversation)


async def _play(table: Table, conversation: Conversation) -> MatchRecord | None:
    """Play while the people talk; return None if they put the match aside."""
    playing = asyncio.create_task(table.play())
    talking = asyncio.create_task(conversation.hold())
    try:
        await asyncio.wait((playing, talking), return_when=asyncio.FIRST_COMPLETED)
        if talking.done():
            talking.result()
        return await playing
    except PutAside:
        return None
    finally:
        for task in (playing, talking):
            task.cancel()
        await asyncio.gather(playing, talking, return_exceptions=True)


def _check_entrants(match: PlayableMatch, begun: MatchRecord) -> None:
    """Raise SavedError if a bot is not the one that has played so far."""
    for seat, (now, before) in enumerate(zip(match.spec.entrants, begun.entrants, strict=True)):
        if now.content_hash != before.content_hash:
            raise SavedError(
                f"seat {seat} was played by {before.name} {before.version}, whose files have changed since the match "
                "was put aside; restore them, or play a new match"
            )
