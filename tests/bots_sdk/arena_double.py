"""A small arena for the SDK's tests: serves one Play stream from a script, over a real Unix socket."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import grpc.aio

from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage

TOKEN = "a-token"
Stream: TypeAlias = "grpc.aio.ServicerContext[BotMessage, ArenaMessage]"
Script: TypeAlias = Callable[[Stream], Awaitable[None]]


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[str]:
    """Serve `script(stream)` to every client; yield the path of the socket."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with _listening(script, f"unix:{folder}/arena"):
            yield f"{folder}/arena"


@asynccontextmanager
async def serving_remotely(script: Script) -> AsyncIterator[str]:
    """Serve `script(stream)` on a port of this machine, without TLS; yield the address."""
    async with _listening(script, "127.0.0.1:0") as port:
        yield f"127.0.0.1:{port}"


@asynccontextmanager
async def _listening(script: Script, address: str) -> AsyncIterator[int]:
    """Serve at an address; yield the port, which means nothing for a socket."""

    async def play(_: object, stream: Stream) -> None:
        await script(stream)

    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(
        play, request_deserializer=BotMessage.FromString, response_serializer=ArenaMessage.SerializeToString
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("ballcourt.v1.Arena", {"Play": handler}),))
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield port
    finally:
        await server.stop(0)


async def spawn(source: str, folder: Path, socket: str) -> asyncio.subprocess.Process:
    """Start a bot with this source as the launcher would."""
    (folder / "bot.py").write_text(source)
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "bot.py",
        cwd=folder,
        env={**os.environ, "BALLCOURT_SOCKET": socket, "BALLCOURT_TOKEN": TOKEN},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
