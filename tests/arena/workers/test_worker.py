"""What a worker reports about failed matches, and that it ends."""

import asyncio
import signal
import subprocess
import sys
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.remote.registry import SessionRegistry
from ballcourt.arena.workers.orders import MatchOutcome, Order
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.pool import Pool
from ballcourt.arena.workers.worker import Worker, _listen
from tests.arena.conftest import LOWEST, PATIENCE_S, bounded
from tests.arena.matches import match_of


class NoBots(Pool):
    """A pool whose launcher has died."""

    def __init__(self) -> None:
        pass

    def take(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401
        raise ArenaError("no launcher")


def failures(match: PlayableMatch, *, is_over: bool = False) -> list[str]:
    """Return the failures that a worker without a launcher reports of a match."""
    ours, theirs = Pipe()

    async def run() -> None:
        over = asyncio.Event()
        worker = Worker(theirs, NoBots(), SessionRegistry(), over)
        worker.start(Order(1, match))
        if is_over:
            over.set()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))

    asyncio.run(run())
    found = []
    while ours.poll():
        if isinstance(message := ours.recv(), MatchOutcome):
            found.append(message.failure)
    return found


@pytest.mark.parametrize("is_over", [False, True])
def test_a_failed_match_is_reported_unless_the_worker_is_stopping(is_over: bool) -> None:
    match = match_of("m", "bluff", {}, 1, (LOWEST, LOWEST))
    assert failures(match, is_over=is_over) == ([] if is_over else ["no launcher"])


def test_a_game_that_only_the_runner_finds_is_reported(tmp_path: Path) -> None:
    match = match_of("m", "bluff", {}, 1, (LOWEST, LOWEST))
    unknown = replace(match, spec=replace(match.spec, game="nowhere"), broadcasts=tmp_path)
    (failure,) = failures(unknown)
    assert failure.startswith("there is no game 'nowhere'")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_worker_ends_after_an_order_that_it_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.worker._exit_at_the_latest", lambda: None)
    ours, theirs = Pipe()
    over = asyncio.Event()
    listener = _listen(theirs, Worker(theirs, NoBots(), SessionRegistry(), over), over)
    ours.send_bytes(b"cnowhere\nMissing\n.")  # a pickle of a class whose module does not exist
    await asyncio.wait_for(over.wait(), PATIENCE_S)
    listener.join(PATIENCE_S)  # while nothing arms the alarm, which would end these tests later


BLOCKED = """
import re
from ballcourt.arena.workers import worker
worker.LAST_RESORT_S = 1
worker._exit_at_the_latest()
re.match("(a+)+$", "a" * 64 + "b")  # takes years, and lets no other thread run
"""


@pytest.mark.slow
def test_a_worker_ends_though_its_loop_is_blocked_by_what_lets_no_thread_run() -> None:
    with bounded(subprocess.Popen([sys.executable, "-c", BLOCKED])) as process:
        assert process.wait() == -signal.SIGALRM
