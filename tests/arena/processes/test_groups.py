"""Control groups: made for a program, used, and removed, also after a launcher that was killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.processes.groups import Group, Groups, cpu_us, freeze
from ballcourt.arena.sandbox.cgroups import Places, found, own_groups
from ballcourt.arena.temporary import lock
from tests.arena.conftest import PATIENCE_S, bounded, wait_until

BUSY = "import os; os.fork(); os.setsid() if os.getpid() != os.getsid(0) else 0\nwhile True: pass"
HERE = found()


def needs(place: Path | None, what: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not place, reason=f"this machine lets us make no control group for {what}")


@pytest.fixture
def groups() -> Iterator[Groups]:
    made = Groups(HERE)
    yield made
    assert wait_until(made.sweep)
    made.close()


@contextmanager
def started(group: Group, code: str) -> Iterator[subprocess.Popen[str]]:
    """Run code in a group, and end it."""
    command = [sys.executable, "-c", code]
    with bounded(
        subprocess.Popen(command, preexec_fn=group.enter, start_new_session=True, stdout=subprocess.PIPE, text=True)
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def populated(folder: Path) -> bool:
    return "populated 1" in (folder / "cgroup.events").read_text()


@needs(HERE.freezer, "freezing")
def test_a_frozen_group_computes_nothing_even_if_its_processes_are_continued(groups: Groups) -> None:
    group = groups.new(0, 0)
    folder = group.folders.freezer
    assert folder
    with started(group, BUSY) as process:
        assert wait_until(lambda: cpu_us(folder) > 50_000)
        freeze(folder, is_frozen=True)
        assert wait_until(lambda: "frozen 1" in (folder / "cgroup.events").read_text())
        frozen_at = cpu_us(folder)
        process.send_signal(signal.SIGCONT)
        subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True, timeout=PATIENCE_S)
        assert cpu_us(folder) == frozen_at
        group.thaw()
        assert wait_until(lambda: cpu_us(folder) > frozen_at + 20_000)
        groups.release(group)
    assert wait_until(groups.sweep)
    assert not folder.exists()


@needs(HERE.freezer, "killing")
def test_a_killed_group_takes_daemons_along_even_when_it_is_frozen(groups: Groups) -> None:
    group = groups.new(0, 0)
    folder = group.folders.freezer
    assert folder
    with started(group, BUSY):
        assert wait_until(lambda: cpu_us(folder) > 50_000)
        freeze(folder, is_frozen=True)
        group.kill()
        assert wait_until(lambda: not populated(folder))
    groups.release(group)


@needs(HERE.memory, "memory")
def test_memory_of_all_processes_is_limited_together(groups: Groups) -> None:
    group = groups.new(64, 0)
    assert group.limits_memory()
    code = "import os, time; [os.fork() for _ in range(2)]; b = os.urandom(1 << 20) * 30; time.sleep(3600)"
    with started(group, code):
        assert wait_until(group.ran_out_of_memory)
    groups.release(group)


@needs(HERE.pids, "the number of processes")
def test_the_number_of_processes_is_limited(groups: Groups) -> None:
    group = groups.new(0, 8)
    code = """if True:
        import os, time
        try:
            for number in range(100):
                if not os.fork():
                    time.sleep(3600)
        except OSError as error:
            print(number)
    """
    assert not group.lacked_processes()
    with started(group, code) as process:
        assert process.stdout
        assert process.stdout.readline() == "7\n"
    assert group.lacked_processes()
    groups.release(group)


@needs(HERE.memory and HERE.pids, "memory and the number of processes")
def test_where_the_processors_are_not_offered_a_group_limits_the_rest_and_stays_where_it_was_for_them() -> None:
    made = Groups(replace(HERE, cpu=None))
    group = made.new(64, 8)
    with started(group, "import time; print('here', flush=True); time.sleep(3600)") as process:
        assert process.stdout
        assert process.stdout.readline() == "here\n"
        inside, here = dict(own_groups(Path(f"/proc/{process.pid}"))), dict(own_groups())
        limited = [name for name, place in (("memory", group.folders.memory), ("pids", group.folders.pids)) if place]
        assert [name for name in limited if name in inside and inside[name] == here[name]] == []
        assert inside.get("cpu") == here.get("cpu")
    assert group.limits_memory()
    made.release(group)
    assert wait_until(made.sweep)
    made.close()


@needs(HERE.freezer and HERE.cpu, "the processors")
def test_a_group_with_many_sessions_has_no_larger_share_of_the_processors(groups: Groups) -> None:
    one, many = groups.new(0, 0), groups.new(0, 0)
    pinned = f"import os; os.sched_setaffinity(0, [{min(os.sched_getaffinity(0))}])\n"
    sessions = "for _ in range(8):\n    if not os.fork():\n        os.setsid(); break\n\n"
    with started(one, f"{pinned}while True: pass"), started(many, f"{pinned}{sessions}while True: pass"):
        assert wait_until(lambda: min(one.cpu_us(), many.cpu_us()) > 100_000)
        before = one.cpu_us(), many.cpu_us()
        assert wait_until(lambda: one.cpu_us() > before[0] + 300_000)
        assert many.cpu_us() - before[1] < 900_000
    groups.release(one)
    groups.release(many)


@needs(HERE.freezer, "freezing")
def test_the_groups_of_a_killed_launcher_are_removed_by_the_next_one() -> None:
    code = """if True:
        import os, signal, subprocess
        from ballcourt.arena.processes.groups import Groups
        from ballcourt.arena.sandbox.cgroups import found
        print(Groups(found()).new(64, 8).folders.freezer, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", code]
    killed = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
    left = Path(killed.stdout.strip())
    assert left.is_dir()
    Groups(HERE).close()
    assert not left.parent.exists()


def test_a_program_without_groups_is_not_limited_by_any() -> None:
    group = Groups(Places()).new(64, 8)
    group.enter()
    group.thaw()
    group.kill()
    assert not group.limits_memory()
    assert not group.ran_out_of_memory()
    assert group.remove()


def test_a_group_that_another_launcher_removes_while_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def lock_late(own: Path) -> int:
        held = lock(own)
        made.append(own)
        if len(made) == 1:
            own.rmdir()
        return held

    monkeypatch.setattr("ballcourt.arena.processes.groups.lock", lock_late)
    group = Groups(Places(freezer=tmp_path)).new(0, 0)
    assert [own.exists() for own in made] == [False, True]
    assert group.folders.freezer and group.folders.freezer.parent == made[1]
