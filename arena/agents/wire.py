"""The lines between an agent and its MCP server, on standard input and output."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from anyio import AsyncFile, to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError

from ballcourt.arena.files import parse_json
from ballcourt.arena.tournament.event.json_lines import LONGEST


class Requests:
    """The lines that an agent sends; one that is not JSON, or may not be parsed, is answered with an error instead."""

    answer: Callable[[SessionMessage], Awaitable[None]]
    """Set it before a line is read."""

    def __init__(self, file: IO[bytes]) -> None:
        """Read nothing yet."""
        self._file = file

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield lines until the file ends. Raises OSError."""
        while line := await self._piece():
            if line.isspace():
                continue
            rest = line
            while len(rest) > LONGEST and not rest.endswith(b"\n"):
                rest = await self._piece()
            text = line.decode(errors="replace")
            try:
                parse_json(text, LONGEST)
            except ValueError as error:
                await self._refuse(f"it is longer than {LONGEST} bytes" if len(line) > LONGEST else str(error))
            else:
                yield text

    async def _piece(self) -> bytes:
        """Return a line with its end, or the next part of a long one; nothing when the file has ended."""
        return await to_thread.run_sync(self._file.readline, LONGEST + 1)

    async def _refuse(self, reason: str) -> None:
        """Answer a line whose number of request cannot be known."""
        sentence = f"the line is not a request: {reason}; send one object of JSON a line, of at most {LONGEST} bytes"
        error = ErrorData(code=PARSE_ERROR, message=sentence)
        await self.answer(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error)))


async def serve(server: MCPServer) -> None:
    """Serve the agent on standard input and output until the input ends.

    Meanwhile nothing else reads this input, and what else is printed goes to standard error. Raises OSError.
    """
    with _input() as file:
        requests = Requests(file)
        async with stdio_server(stdin=cast("AsyncFile[str]", requests)) as (reading, writing):
            requests.answer = writing.send
            low = server._lowlevel_server  # as its own `run_stdio_async`, which takes no streams
            await low.run(reading, writing, low.create_initialization_options())


@contextmanager
def _input() -> Iterator[IO[bytes]]:
    """Yield standard input; until it is given back, others find it empty. `stdio_server` does so for its own alone."""
    mine = os.dup(0)
    try:
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        # a thread may still wait in a read when this ends, so the descriptor stays open
        yield os.fdopen(mine, "rb", closefd=False)
    finally:
        os.dup2(mine, 0)
