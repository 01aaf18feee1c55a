"""The sockets of a worker: each bot has its own, alone in its folder."""

import asyncio
import tempfile
from pathlib import Path

from ballcourt.arena.match.stream.session import SOCKETS, Server
from tests.bluff import GAME


async def test_every_bot_has_its_own_socket_until_it_is_removed() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with Server(Path(folder)) as server:
            mine = [server.socket_for(f"bot {number}") for number in range(SOCKETS)]
            assert len(set(mine)) == SOCKETS
            assert all(list(socket.parent.iterdir()) == [socket] for socket in mine)
            assert server.socket_for("bot 5") == mine[5]
            server.forget("bot 7")
            assert server.socket_for("another") == mine[7]
            assert server.socket_for("one too many") in mine


async def test_any_user_who_can_reach_the_socket_can_connect() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with Server(Path(folder)) as server:
            server.expect("mine", GAME)
            socket = server.socket_for("mine")
            assert {socket.stat().st_mode & 0o777, socket.parent.stat().st_mode & 0o777} == {0o666, 0o755}


async def test_pings_are_answered_however_many_a_bot_sends() -> None:
    def ping(flags: int, number: int) -> bytes:
        return b"\0\0\x08\x06" + bytes([flags]) + bytes(4) + number.to_bytes(8)

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with Server(Path(folder)) as server:
            reader, writer = await asyncio.open_unix_connection(server.socket_for("mine"))
            writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0" + bytes(4))
            for number in range(100):
                writer.write(ping(0, number))
                await reader.readuntil(ping(1, number))
            writer.close()
