"""Weighing the processes of a bot, which may not want to be weighed."""

import os
import select
import subprocess
import time
from collections.abc import Iterator

import pytest

from ballcourt.arena.processes import weighing
from ballcourt.arena.processes.child import MOST_UNWEIGHED, Child
from ballcourt.arena.processes.groups import Group
from ballcourt.arena.processes.memory import MB
from ballcourt.arena.processes.weighing import Weighing
from tests.arena.conftest import PATIENCE_S, wait_until


def test_a_weighing_measures_the_memory_of_processes() -> None:
    one = Weighing([os.getpid()])
    assert select.select([one.result], [], [], 60)[0]
    assert (one.end() or 0) > MB
    os.waitpid(one.pid, 0)


def test_a_weighing_of_a_process_that_has_ended_finds_nothing() -> None:
    one = Weighing([1 << 30])
    assert select.select([one.result], [], [], 60)[0]
    assert one.end() == 0
    os.waitpid(one.pid, 0)


def test_a_weighing_that_is_held_up_is_ended_without_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "proportional", lambda _: time.sleep(3600))
    one = Weighing([os.getpid()])
    assert one.end() is None
    assert wait_until(lambda: os.waitpid(one.pid, os.WNOHANG)[0] == one.pid)


@pytest.fixture
def child() -> Iterator[Child]:
    process = subprocess.Popen(["sleep", "3600"], stdout=subprocess.PIPE)
    yield Child({"spawn": 1, "environment": {}, "memory_mb": 10}, process, None, Group())
    process.kill()
    process.communicate(timeout=PATIENCE_S)


def test_a_bot_may_use_as_much_memory_as_it_is_allowed(child: Child) -> None:
    assert not child.exceeds_memory(10 * MB)
    assert child.exceeds_memory(10 * MB + 1)


def test_a_bot_that_can_never_be_weighed_is_taken_for_too_heavy(child: Child) -> None:
    for _ in range(MOST_UNWEIGHED - 1):
        assert not child.exceeds_memory(None)
    assert not child.exceeds_memory(MB)
    for _ in range(MOST_UNWEIGHED - 1):
        assert not child.exceeds_memory(None)
    assert child.exceeds_memory(None)
