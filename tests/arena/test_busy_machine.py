"""A machine whose processors are all busy: a bot that keeps to its time must not lose because of that."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import PATIENCE_S, Traces, fixture_bot
from tests.arena.matches import match_of

CLOCK = Clock(bank_ms=60_000, cap_ms=1000, grace_ms=1000)
NEARLY_ALL = fixture_bot("spinner.py", "slow", "900")


@pytest.fixture
def burners() -> Iterator[None]:
    """Run two busy processes for every processor."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(2 * (os.cpu_count() or 1))]
    yield
    for process in processes:
        process.kill()
        process.wait(PATIENCE_S)


@pytest.mark.slow
def test_a_bot_that_uses_nearly_all_its_time_does_not_time_out(burners: None, traces: Traces) -> None:
    spec = match_of("m", "bluff", {"rounds": "3"}, 5, (NEARLY_ALL, NEARLY_ALL), CLOCK)
    with Runner(workers=1) as runner:
        (record,) = runner.run([spec])
    assert not record.faults
    assert min(record.decisions.think_us) >= 500_000, "it did think, minus the delay until the arena noticed"
