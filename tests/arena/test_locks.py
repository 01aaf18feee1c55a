"""No process waits for ever for a file whose holder is stopped."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ballcourt.arena import locks
from ballcourt.arena.locks import lock, writer_of
from ballcourt.arena.processes import cache
from ballcourt.arena.processes.cache import CacheError, locked
from ballcourt.arena.remote.tokens import TokenError, TokenFile
from ballcourt.arena.tournament.decisions.trail import TRAIL, Trail, TrailError
from tests.arena.conftest import bounded

HOLD = """
import fcntl, os, signal, sys
handle = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(handle, fcntl.LOCK_EX)
print("locked", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Have a process lock a file and stop; yield its pid."""
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout
    with bounded(holder):
        assert holder.stdout.readline() == b"locked\n"
        os.waitid(os.P_PID, holder.pid, os.WSTOPPED)
        try:
            yield holder.pid
        finally:
            holder.kill()


@pytest.fixture(autouse=True)
def no_wait_is_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE_S", 0.0)
    monkeypatch.setattr(cache, "PATIENCE_S", 0.0)


def change_tokens(folder: Path) -> None:
    TokenFile(folder / "tokens.json").new("ann", "me")


def decide_something(folder: Path) -> None:
    Trail(folder).decide("pause", "it is late", {})


def work_in_the_cache(folder: Path) -> None:
    with locked(folder / "builds"):
        pass


@pytest.mark.parametrize(
    ("act", "name", "error"),
    [
        (change_tokens, ".", TokenError),
        (decide_something, TRAIL, TrailError),
        (work_in_the_cache, "builds.lock", CacheError),
    ],
)
def test_a_stopped_process_that_holds_a_lock_is_named(
    act: Callable[[Path], None], name: str, error: type[Exception], tmp_path: Path
) -> None:
    place = tmp_path / name
    if name != ".":
        place.touch()
    with held(place) as holder, pytest.raises(error, match=f"process {holder} has locked it for 0 s; end that process"):
        act(tmp_path)
    act(tmp_path)


def test_a_waiting_process_learns_the_holder_and_gets_the_lock_when_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "SAY_S", 0.0)
    with held(tmp_path) as holder:
        reported: list[str] = []

        def end(who: str) -> None:
            reported.append(who)
            os.kill(holder, 9)

        handle = os.open(tmp_path, os.O_RDONLY)
        lock(handle, patience_s=60, report=end)
        os.close(handle)
    assert reported == [f"process {holder}"]


def test_a_writer_of_files_that_cannot_be_looked_at_is_not_named(tmp_path: Path) -> None:
    assert writer_of(tmp_path / "removed", tmp_path / ("x" * 300)) == "another process"


def test_the_holder_of_a_lock_is_not_named_where_locks_are_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "LOCKS", tmp_path / "none")
    file = tmp_path / "file"
    file.touch()
    with held(file), file.open("rb") as ours, pytest.raises(TimeoutError, match="another process has locked it"):
        lock(ours)
