"""A match in which an agent has a seat, from the first question to the record."""

import asyncio
from collections.abc import Callable

from ballcourt.arena.agents.seat import AgentSeat
from ballcourt.arena.agents.server import server_for
from ballcourt.arena.match.person import Person
from ballcourt.arena.tasks import first_to_end
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.table import Table, open_pool, seats_here
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord


async def host_agent(match: PlayableMatch, place: int, keep: Callable[[MatchRecord], None]) -> None:
    """Play a match with an agent on this seat, over standard input and output, and serve the agent until it leaves.

    The record goes to `keep` when the match is over. An agent that leaves earlier loses its seat, and the match goes on
    without it. Raises ArenaError.
    """
    person = Person(find_game(match.spec.game), match.spec.entrants[place].name, lambda: agent.changed())
    async with open_pool() as pool:
        table = Table(match, seats_here(match, pool, {place: person}))
        playing = asyncio.create_task(table.play())
        agent = AgentSeat(person, playing)
        serving = asyncio.create_task(server_for(agent).run_stdio_async())
        async with first_to_end(serving, playing):
            if not playing.done():
                person.leave()
            keep(await playing)
            await serving  # the agent may still ask how it ended
