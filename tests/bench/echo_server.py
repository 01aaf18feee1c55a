"""The bare counterpart of the arena: a grpc.aio server that only writes and reads.

usage: python -m tests.bench.echo_server CLIENTS QUESTION REPLY

It starts the clients; the other two numbers are sizes in bytes. Each line on stdin says how many clients to ask, and
how often in all; the answer is a line with the wall time and its own CPU time for one exchange, in microseconds.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time

import grpc.aio

from tests.bench import echo_client

Stream = grpc.aio.ServicerContext[bytes, bytes]
TABLE = 2
"""Clients that are asked in turns; tables are asked at the same time."""


async def main(clients: int, question: int, reply: int) -> None:
    """Measure until stdin is closed."""
    async with _streams(clients, reply) as streams:
        while line := sys.stdin.readline():
            asked, exchanges = map(int, line.split())
            share = exchanges * TABLE // asked
            wall, cpu = perf_counter(), process_time()
            tables = [streams[first : first + TABLE] for first in range(0, asked, TABLE)]
            await asyncio.gather(*(_talk(table, bytes(question), share) for table in tables))
            made = share * len(tables)
            took = (perf_counter() - wall) / made, (process_time() - cpu) / made
            sys.stdout.write(" ".join(str(1e6 * seconds) for seconds in took) + "\n")
            sys.stdout.flush()


async def _talk(table: list[Stream], question: bytes, exchanges: int) -> None:
    for number in range(exchanges):
        stream = table[number % len(table)]
        await stream.write(question)
        await stream.read()


@asynccontextmanager
async def _streams(clients: int, reply: int) -> AsyncIterator[list[Stream]]:
    """Run the server and its clients; yield the stream of each."""
    arrivals: asyncio.Queue[Stream] = asyncio.Queue()
    over = asyncio.Event()

    async def talk(_: object, stream: Stream) -> None:
        await stream.read()
        arrivals.put_nowait(stream)
        await over.wait()

    with tempfile.TemporaryDirectory() as folder:
        socket = str(Path(folder, "echo.sock"))
        server = grpc.aio.server()
        service, method = echo_client.METHOD.strip("/").split("/")
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(talk)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
        server.add_insecure_port(f"unix:{socket}")
        await server.start()
        command = sys.executable, echo_client.__file__, str(reply)
        environment = {**os.environ, "BALLCOURT_SOCKET": socket}
        processes = [await asyncio.create_subprocess_exec(*command, env=environment) for _ in range(clients)]
        try:
            yield [await arrivals.get() for _ in range(clients)]
        finally:
            for process in processes:
                process.kill()
            for process in processes:
                await process.wait()
            over.set()
            await server.stop(None)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
