"""A match with people at this terminal, kept in a file so that it can be continued later."""

import asyncio
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.person import Person
from ballcourt.arena.replays.document import document
from ballcourt.arena.replays.sheets import sheet_lines
from ballcourt.arena.tasks import first_to_end
from ballcourt.arena.terminal.dialogue import Dialogue, Quit
from ballcourt.arena.terminal.keyboard import Keyboard
from ballcourt.arena.terminal.saved import Setup, write_saved
from ballcourt.arena.workers.adviser import adviser_of
from ballcourt.arena.workers.local_match import LocalMatch, open_pool, seats_here, seats_of_people
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord


async def hold_match(
    match: PlayableMatch, setup: Setup, path: Path, adviser: Bot | None, console: Console, begun: MatchRecord | None
) -> MatchRecord | None:
    """Play a match with people at this terminal; return its record, or None if it was saved.

    What was decided so far is written to `path` before every turn of a person.
    Raises CannotContinueError if `begun` does not fit the match, and ArenaError.
    """
    entrants, game = match.spec.entrants, find_game(match.spec.game)
    people = {
        seat: Person(game, entrants[seat].bot.name, lambda: dialogue.changed()) for seat in seats_of_people(match)
    }
    async with open_pool() as pool:
        advice = adviser_of(adviser, game, match.sandbox, pool) if adviser else None
        names = [str(entrant.bot) for entrant in entrants]
        local = LocalMatch(match, seats_here(match, pool, people), begun)
        dialogue = Dialogue(
            [*people.values()], names, console, Keyboard(), advice, lambda: write_saved(path, setup, local.so_far())
        )
        record = await _play(local, dialogue)
    if record:
        replay = document(record, SPECTATOR)
        console.print(Text("\n".join(["", "What the points were for:", *sheet_lines(replay, len(replay["steps"]))])))
    return record


async def _play(local: LocalMatch, dialogue: Dialogue) -> MatchRecord | None:
    """Play while the people talk; return None if they quit."""
    playing = asyncio.create_task(local.play())
    talking = asyncio.create_task(dialogue.hold())
    async with first_to_end(playing, talking):
        try:
            if talking.done():
                talking.result()
            return await playing
        except Quit:
            return None
