"""What a worker reports about failed matches."""

import asyncio
from multiprocessing import Pipe
from typing import Any

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.workers.orders import MatchOutcome, Order
from ballcourt.arena.workers.pool import Pool
from ballcourt.arena.workers.worker import Worker
from tests.arena.conftest import LOWEST
from tests.arena.matches import match_of


class NoBots(Pool):
    """A pool whose launcher has died."""

    def __init__(self) -> None:
        pass

    def take(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401
        raise ArenaError("no launcher")


@pytest.mark.parametrize("is_over", [False, True])
def test_a_failed_match_is_reported_unless_the_worker_is_stopping(is_over: bool) -> None:
    ours, theirs = Pipe()

    async def run() -> None:
        over = asyncio.Event()
        worker = Worker(theirs, NoBots(), SessionRegistry(), over)
        worker.start(Order(1, match_of("m", "bluff", {}, 1, (LOWEST, LOWEST))))
        if is_over:
            over.set()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    asyncio.run(run())
    failures = []
    while ours.poll():
        if isinstance(told := ours.recv(), MatchOutcome):
            failures.append(told.failure)
    assert failures == ([] if is_over else ["no launcher"])
