"""The sockets of a worker: each bot has its own, alone in its folder."""

import asyncio
import tempfile
from pathlib import Path

from ballcourt.arena.match.session import DOORS, Server
from tests.bluff import GAME


def test_every_bot_has_a_door_of_its_own_until_it_is_forgotten() -> None:
    async def doors() -> None:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            async with Server(Path(folder)) as server:
                mine = [server.door(f"bot {number}") for number in range(DOORS)]
                assert len(set(mine)) == DOORS
                assert all(list(door.parent.iterdir()) == [door] for door in mine)
                assert server.door("bot 5") == mine[5]
                server.forget("bot 7")
                assert server.door("another") == mine[7]
                assert server.door("one too many") in mine

    asyncio.run(doors())


def test_any_user_can_knock_who_gets_as_far_as_the_door() -> None:
    async def modes() -> set[int]:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            async with Server(Path(folder)) as server:
                server.expect("mine", GAME)
                door = server.door("mine")
                return {door.stat().st_mode & 0o777, door.parent.stat().st_mode & 0o777}

    assert asyncio.run(modes()) == {0o666, 0o755}
