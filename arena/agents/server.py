"""A match with an agent: the MCP server of its seat, with the tools rules, observe, legal and act.

The rules and the position are resources too, for programs in which a person chooses what a model reads; the prompt
`play` begins a match.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import WithJsonSchema

from ballcourt.arena.agents.seat import AgentSeat
from ballcourt.arena.agents.wire import serve
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.person import Person
from ballcourt.arena.printable import cut
from ballcourt.arena.tasks import first_to_end
from ballcourt.arena.workers.local_match import LocalMatch, open_pool, seats_here
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.engine.core import EngineError, WrongInput
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

INSTRUCTIONS = (
    "You sit at the table of a strategy game. Call rules once. Then, until the match is over: observe the position, "
    "look at the legal actions, and act with the number of one of them and of the question. act returns the next "
    "position and legal actions."
)
LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
Number = Annotated[Any, WithJsonSchema({"type": "integer", "minimum": 0})]
OptionalNumber = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]})]
"""Checked by `whole`, whose sentence an agent can act on."""


def server_for(seat: AgentSeat) -> MCPServer:
    """Return a server whose tools are those of the seat."""
    server = MCPServer("ballcourt", instructions=INSTRUCTIONS, version=version("ballcourt"), log_level="ERROR")

    @server.tool(annotations=LOOKS)
    async def rules() -> str:
        """Return the rules of the game, your seat, and what the names of places mean. Call it once."""
        return await _answered(seat.rules())

    @server.tool(annotations=LOOKS)
    async def observe() -> str:
        """Return what others did since your last look, and the position as your seat sees it."""
        return await _answered(seat.observe())

    @server.tool(annotations=LOOKS)
    async def legal() -> str:
        """Return the number of your question and your legal actions: a number and what it does on each line."""
        return await _answered(seat.legal())

    @server.tool(annotations=ACTS)
    async def act(action: Number, question: OptionalNumber = None) -> str:
        """Take the legal action of this number; return the next position and your legal actions, or the results.

        Give the number of the question too: then a call that is sent twice acts once.
        """
        named = None if question is None else whole("question", question)
        return await _answered(seat.act(whole("action", action), named))

    @server.resource("ballcourt://rules", title="Rules", mime_type="text/plain")
    async def rules_page() -> str:
        """The rules of the game, your seat, and what the names of places mean."""
        return await seat.rules()

    @server.resource("ballcourt://position", title="Position", mime_type="text/plain")
    async def position() -> str:
        """The position as your seat sees it."""
        return await seat.position()

    @server.prompt(title="Play the match")
    def play() -> str:
        """Play this match to its end."""
        return f"{INSTRUCTIONS} Play the whole match, and try to be placed first."

    return server


def whole(name: str, value: object) -> int:
    """Return a whole number, which may be written as a string. Raises ToolError."""
    if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return value
    raise ToolError(f"{name} is {cut(repr(value))}; it must be a whole number from 0, such as 12")


async def _answered(work: Awaitable[str]) -> str:
    """Turn errors that an agent can do something about into those that reach it with their reason."""
    try:
        return await work
    except (EngineError, WrongInput, ArenaError) as error:
        raise ToolError(str(error)) from error


async def host_agent(
    match: PlayableMatch, place: int, keep: Callable[[MatchRecord], None], disguise: int | None = None
) -> None:
    """Play a match with an agent on this seat, over standard input and output, and serve the agent until it leaves.

    The record goes to `keep` when the match is over. An agent that leaves earlier loses its seat, and the match goes on
    without it. With a seed of a disguise, it sees the game in that. Raises ArenaError.
    """
    game = find_game(match.spec.game)
    name, wording = match.spec.entrants[place].bot.name, Wording(game, disguise)
    person = Person(game, name, lambda: agent.changed(), wording)
    async with open_pool() as pool:
        local = LocalMatch(match, seats_here(match, pool, {place: person}))
        playing = asyncio.create_task(local.play())
        agent = AgentSeat(person, playing)
        serving = asyncio.create_task(serve(server_for(agent)))
        async with first_to_end(serving, playing):
            if not playing.done():
                person.leave()
            keep(await playing)
            await serving  # the agent may still ask how it ended
