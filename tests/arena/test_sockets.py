"""The sockets of a worker: each bot has its own, alone in its folder."""

import asyncio
import tempfile
from pathlib import Path

from ballcourt.arena.match.session import SOCKETS, Server
from tests.bluff import GAME


def test_every_bot_has_its_own_socket_until_it_is_removed() -> None:
    async def sockets() -> None:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            async with Server(Path(folder)) as server:
                mine = [server.socket_for(f"bot {number}") for number in range(SOCKETS)]
                assert len(set(mine)) == SOCKETS
                assert all(list(socket.parent.iterdir()) == [socket] for socket in mine)
                assert server.socket_for("bot 5") == mine[5]
                server.forget("bot 7")
                assert server.socket_for("another") == mine[7]
                assert server.socket_for("one too many") in mine

    asyncio.run(sockets())


def test_any_user_who_can_reach_the_socket_can_connect() -> None:
    async def modes() -> set[int]:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            async with Server(Path(folder)) as server:
                server.expect("mine", GAME)
                socket = server.socket_for("mine")
                return {socket.stat().st_mode & 0o777, socket.parent.stat().st_mode & 0o777}

    assert asyncio.run(modes()) == {0o666, 0o755}
