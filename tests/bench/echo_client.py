"""The bare counterpart of a bot: answers every message on a stream with the same few bytes, without parsing.

usage: echo_client.py BYTES, with the arena's socket in the environment
"""

import asyncio
import os
import sys

import grpc.aio

METHOD = "/bench.Echo/Talk"


async def main() -> None:
    reply = bytes(int(sys.argv[1]))
    async with grpc.aio.insecure_channel(f"unix:{os.environ['BALLCOURT_SOCKET']}") as channel:
        talk: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        call = talk()
        await call.write(reply)
        while isinstance(await call.read(), bytes):
            await call.write(reply)


if __name__ == "__main__":
    asyncio.run(main())
