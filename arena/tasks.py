"""Helpers for asyncio: tasks that run side by side and end together, and sockets that are waited for."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def first_to_end(*tasks: asyncio.Task[Any]) -> AsyncIterator[None]:
    """Wait until one of the tasks ends, for whatever reason; on leaving, cancel the others and wait for their end."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def readable(connection: socket.socket) -> None:
    """Wait until a socket has something to read, or its other side has gone."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(connection)
