"""The registry: a match reserves all its bots at once when all are connected, and releases them."""

import asyncio
import itertools
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from ballcourt.arena.remote import registry as module
from ballcourt.arena.remote.registry import SessionRegistry
from tests.arena.conftest import PATIENCE_S


def session(name: str, number: int = 1, version: str = "1", *, attached: bool = True) -> Any:  # noqa: ANN401
    """The part of a session that the registry uses."""
    hello = SimpleNamespace(bot=SimpleNamespace(name=name, version=version))
    return SimpleNamespace(id=f"{name}-{number}", hello=hello, is_attached=attached, lost=False, answers=lambda: True)


async def waits(work: Awaitable[object]) -> "asyncio.Task[object]":
    """Start something that has to wait; fail if it does not."""
    task = asyncio.ensure_future(work)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not task.done()
    return task


async def enter(table: AbstractAsyncContextManager[dict[str, Any]], until: AsyncExitStack) -> set[str]:
    """Enter a reservation and keep it; return the ids of its sessions."""
    return {taken.id for taken in (await until.enter_async_context(table)).values()}


async def test_a_match_waits_until_each_of_its_bots_has_a_free_session() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a", "b"])
        registry.add(session("a"))
        match = await waits(enter(registry.reserve(["a", "b"]), hall))
        registry.add(session("b"))
        assert await match == {"a-1", "b-1"}
        second = await waits(enter(registry.reserve(["a"]), hall))
        registry.add(session("a", 2))
        assert await second == {"a-2"}


async def test_a_waiting_match_reserves_no_sessions() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a", "b", "c"])
        for name in ("a", "c"):
            registry.add(session(name))
        await waits(enter(registry.reserve(["a", "b"]), hall))
        async with registry.reserve(["a", "c"]) as taken:
            assert set(taken) == {"a", "c"}


async def test_the_match_that_has_waited_longest_gets_the_first_choice() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a"])
        first = await waits(enter(registry.reserve(["a"]), hall))
        second = await waits(enter(registry.reserve(["a"]), hall))
        registry.add(session("a"))
        assert await first == {"a-1"}
        assert not second.done()


async def test_a_released_session_is_reused_unless_its_bot_is_disconnected() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a"])
        only = session("a")
        registry.add(only)
        first_match = AsyncExitStack()
        await enter(registry.reserve(["a"]), first_match)
        next_match = await waits(enter(registry.reserve(["a"]), hall))
        only.is_attached = False
        await first_match.aclose()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not next_match.done()
        only.is_attached = True
        registry.sessions_changed()
        assert await next_match == {"a-1"}


async def test_the_number_of_tables_limits_the_matches_played_at_once() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a"], tables=1)
        first = AsyncExitStack()
        assert await enter(registry.reserve([]), first) == set()
        second = await waits(enter(registry.reserve([]), hall))
        await first.aclose()
        assert await second == set()


async def test_a_match_begins_without_a_bot_that_has_been_away_for_too_long_but_not_without_one_that_plays() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a", "b"], patience_s=0)
        registry.add(session("a"))
        async with AsyncExitStack() as first:
            assert await enter(registry.reserve(["a", "b"]), first) == {"a-1"}
            registry.add(session("b"))
            second = await waits(enter(registry.reserve(["a", "b"]), hall))
        assert await second == {"a-1", "b-1"}


async def test_the_roll_call_ends_in_time_and_says_who_is_there() -> None:
    registry = SessionRegistry(["a", "b"])
    registry.add(session("a", version="3"))
    assert await registry.roll_call(0) == {"a": "3"}


async def test_the_roll_call_waits_until_all_bots_are_connected_and_fixes_their_versions() -> None:
    registry = SessionRegistry(["a", "b"])
    early = session("a", version="3")
    registry.add(early)
    roll = await waits(registry.roll_call(PATIENCE_S))
    assert registry.missing() == ["b"]
    early.lost, early.is_attached = True, False
    registry.add(session("b", version="7"))
    assert not roll.done()
    assert registry.missing() == ["a"]
    registry.add(session("a", 2, version="4"))
    found = await roll
    assert found == {"a": "4", "b": "7"}
    registry.agree(found)
    assert registry.version_of("a") == "4"


async def test_an_open_registry_takes_every_bot_and_begins_without_waiting() -> None:
    registry = SessionRegistry(None)
    assert registry.board.status("a").begun
    registry.add(session("a", version="3"))
    assert (registry.present(), registry.missing()) == ({"a": "3"}, [])
    assert registry.may_come("b")
    assert (registry.missing(), [*registry.board.status("a").missing]) == (["b"], [])
    assert not registry.board.status("b").connected


async def test_a_match_for_a_version_that_another_one_has_replaced_begins_without_it() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(None)
        old = session("a", version="1")
        registry.add(old)
        assert await enter(registry.reserve(["a"], {"a": "1"}), hall) == {"a-1"}
        old.is_attached = False  # its connection is broken
        match = await waits(enter(registry.reserve(["a"], {"a": "1"}), hall))
        registry.add(session("a", 2, version="2"))
        assert await match == set()
        assert await enter(registry.reserve(["a"], {"a": "2"}), hall) == {"a-2"}


def test_a_farewell_ends_though_a_bot_comes_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAVE_S", 0.0)
    monkeypatch.setattr(module, "LONGEST_FAREWELL_S", 0.0)
    registry = SessionRegistry(["a"])
    visits = itertools.count(1)

    def guest() -> Any:  # noqa: ANN401
        """A bot that is started again whenever it has left."""
        come = session("a", next(visits))

        async def dismiss(reason: str) -> None:
            assert reason == "the arena closes"
            await asyncio.sleep(0)
            come.lost = True
            registry.add(guest())

        come.dismiss = dismiss
        return come

    async def run() -> None:
        registry.add(guest())
        await registry.dismiss("the arena closes")

    asyncio.run(asyncio.wait_for(run(), PATIENCE_S))


async def test_an_aborted_match_releases_its_bots() -> None:
    async with AsyncExitStack() as hall:
        registry = SessionRegistry(["a"])
        registry.add(session("a"))
        with pytest.raises(KeyError):
            async with registry.reserve(["a"]):
                raise KeyError
        assert await enter(registry.reserve(["a"]), hall) == {"a-1"}
