"""Work that was begun and is awaited later, or never."""

import asyncio
import gc
from typing import Any

import pytest

from ballcourt.arena.match.stream.session import EagerCoroutine


async def work(story: list[str], gate: "asyncio.Future[None]") -> None:
    story.append("begun")
    await gate
    story.append("done")


async def test_it_runs_to_its_first_wait_at_once_and_on_when_awaited() -> None:
    story: list[str] = []
    gate = asyncio.get_running_loop().create_future()
    begun = EagerCoroutine(work(story, gate))
    story.append("meanwhile")
    asyncio.get_running_loop().call_soon(gate.set_result, None)
    await begun
    assert story == ["begun", "meanwhile", "done"]


async def test_what_need_not_wait_any_more_takes_no_turn_of_the_loop() -> None:
    story: list[str] = []
    gate = asyncio.get_running_loop().create_future()
    begun = EagerCoroutine(work(story, gate))
    gate.set_result(None)
    asyncio.get_running_loop().call_soon(story.append, "a turn")
    await begun
    assert [*story] == ["begun", "done"]


async def test_work_without_any_wait_is_over_when_it_was_begun() -> None:
    story: list[str] = []
    gate = asyncio.get_running_loop().create_future()
    gate.set_result(None)
    begun = EagerCoroutine(work(story, gate))
    assert story == ["begun", "done"]
    await begun
    assert story == ["begun", "done"]


async def test_to_await_it_raises_its_exception() -> None:
    with pytest.raises(ConnectionError, match="broken"):
        gate = asyncio.get_running_loop().create_future()
        begun = EagerCoroutine(work([], gate))
        gate.set_exception(ConnectionError("the stream is broken"))
        await begun


async def test_a_cancelled_wait_ends_the_work() -> None:
    story: list[str] = []
    gate = asyncio.get_running_loop().create_future()
    begun = EagerCoroutine(work(story, gate))

    async def wait() -> None:
        await begun

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert gate.cancelled()
    assert story == ["begun"]


@pytest.mark.slow
@pytest.mark.parametrize("abandoned", [True, False])
async def test_the_failure_of_abandoned_work_is_not_reported(abandoned: bool) -> None:
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    gate = loop.create_future()
    begun = EagerCoroutine(work([], gate))
    if abandoned:
        begun.abandon()
    gate.set_exception(ConnectionError("the stream is broken"))
    del gate, begun
    await asyncio.sleep(0)
    gc.collect()
    assert bool(complaints) is not abandoned
