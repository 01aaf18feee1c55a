"""The MCP server of a seat: the tools rules, observe, legal and act, over standard input and output."""

from collections.abc import Awaitable
from importlib.metadata import version

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from ballcourt.arena.agents.seat import AgentSeat
from ballcourt.arena.faults import ArenaError
from ballcourt.engine.core import EngineError, WrongInput

INSTRUCTIONS = (
    "You sit at the table of a strategy game. Call rules once. Then, until the match is over: observe the position, "
    "look at the legal actions, and act with the number of one of them. act returns the next position."
)


def server_for(seat: AgentSeat) -> MCPServer:
    """Return a server whose tools are those of the seat."""
    server = MCPServer("ballcourt", instructions=INSTRUCTIONS, version=version("ballcourt"), log_level="ERROR")

    @server.tool()
    async def rules() -> str:
        """Return the rules of the game, your seat, and what the names of places mean. Call it once."""
        return await _said(seat.rules())

    @server.tool()
    async def observe() -> str:
        """Return what others did since your last look, and the position as your seat sees it."""
        return await _said(seat.observe())

    @server.tool()
    async def legal() -> str:
        """Return your legal actions: a number and what it does on each line."""
        return await _said(seat.legal())

    @server.tool()
    async def act(action: int) -> str:
        """Take the legal action of this number; return the next position and your legal actions, or the results."""
        return await _said(seat.act(action))

    return server


async def _said(work: Awaitable[str]) -> str:
    """Turn errors that an agent can do something about into those that reach it with their reason."""
    try:
        return await work
    except (EngineError, WrongInput, ArenaError) as error:
        raise ToolError(str(error)) from error
