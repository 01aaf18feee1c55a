"""Questions about the processes of a bot, which may not want to be looked at."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from ballcourt.arena.processes import child as children
from ballcourt.arena.processes import errands
from ballcourt.arena.processes.child import MOST_UNWEIGHED, Child
from ballcourt.arena.processes.errands import Errand, tokens_of, weight_of
from ballcourt.arena.processes.groups import Group
from ballcourt.arena.processes.memory import MB
from tests.arena.conftest import PATIENCE_S, WITHOUT_GROUPS, Talk, Traces, bounded, wait_until

PATCHED = """if True:
    import time
    from ballcourt.arena.processes import errands
    from ballcourt.arena.processes.launcher import Launcher
    from ballcourt.arena.temporary import private_folder
    errands.token_of = lambda pid: time.sleep(3600)
    with private_folder() as place:
        Launcher(place).serve()
"""
DAEMONS = """if True:
    import os, time
    for _ in range({count}):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(1800)
            os._exit(0)
        os.wait()
    time.sleep(1800)
"""


def many(traces: Traces) -> int:
    """Count the processes of the bot with daemons."""
    return sum("1800" in command for command in traces.processes().values())


def all_of(errand: Errand) -> list[str]:
    """Wait for the lines of an errand."""
    while not errand.read():
        assert select.select([errand.output], [], [], PATIENCE_S)[0]
    found = errand.end()
    os.waitpid(errand.pid, 0)
    return found


def test_the_memory_of_processes_is_weighed() -> None:
    [weight] = all_of(Errand(lambda: weight_of([os.getpid()])))
    assert int(weight) > MB


def test_a_process_that_has_ended_weighs_nothing_and_has_no_token() -> None:
    assert all_of(Errand(lambda: weight_of([1 << 30]))) == ["0"]
    assert all_of(Errand(lambda: tokens_of([1 << 30]))) == [""]


def test_lines_that_were_made_before_an_errand_was_held_up_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def held_up(pid: int) -> str:
        if pid > 2:
            time.sleep(3600)
        return f"token {pid}"

    monkeypatch.setattr(errands, "token_of", held_up)
    one = Errand(lambda: tokens_of([1, 2, 3, 4]))
    found = ""
    while found.count("\n") < 2:
        assert select.select([one.output], [], [], PATIENCE_S)[0]
        one.read()
        found = one._found.decode()
    assert one.end() == ["token 1", "token 2"]
    assert wait_until(lambda: os.waitpid(one.pid, os.WNOHANG)[0] == one.pid)


@pytest.fixture
def child() -> Iterator[Child]:
    code = "import os, time; [os.fork() or time.sleep(3600) for _ in range(9)]; print(flush=True); time.sleep(3600)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout and process.stdout.readline()
    yield Child({"spawn": 1, "environment": {}, "memory_mb": 10}, process, None, Group())
    os.killpg(process.pid, 9)
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


def test_a_bot_with_very_many_processes_costs_the_launcher_no_more_than_one_with_many(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(child.members()) == 10
    monkeypatch.setattr(children, "MOST_COUNTED", 4)
    assert len(child.members()) == 4


@pytest.mark.slow
def test_a_launcher_serves_others_while_an_orphan_does_not_let_itself_be_read(traces: Traces) -> None:
    launcher = Talk(traces, "-c", PATCHED)
    with bounded(launcher.process):
        launcher.spawn(1, DAEMONS.format(count=3))
        assert wait_until(lambda: many(traces) == 4)
        for number in (2, 3):
            launcher.spawn(number, "print('another bot')")
            assert launcher.hear()["exited"] == number
        assert wait_until(lambda: many(traces) == 1), "whose the daemons are is not known, and their bot plays on"
        launcher.end()
    assert not traces.processes()


def test_the_worker_is_told_of_the_orphans_of_a_bot_that_only_signals_can_stop(traces: Traces) -> None:
    launcher = Talk(traces, "-c", WITHOUT_GROUPS)
    with bounded(launcher.process):
        launcher.spawn(1, DAEMONS.format(count=3))
        while len(launcher.orphans.get(1, ())) < 3:
            launcher.hear_one()
        assert {*launcher.orphans[1]} < {*traces.processes()}
        launcher.say(kill=1)
        assert launcher.hear()["exited"] == 1
        assert launcher.orphans[1] == []
        launcher.end()


@pytest.mark.slow
def test_many_daemons_live_as_long_as_their_bot(launcher: Talk) -> None:
    launcher.spawn(1, DAEMONS.format(count=300))
    assert wait_until(lambda: many(launcher.traces) == 301)
    for number in (2, 3):
        launcher.spawn(number, "print('another bot ends')")
        assert launcher.hear()["exited"] == number
    assert many(launcher.traces) == 301
    launcher.say(kill=1)
    assert launcher.hear()["exited"] == 1
    assert wait_until(lambda: many(launcher.traces) == 0)
