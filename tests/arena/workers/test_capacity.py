"""Limits of the machine that do not carry the workers that were asked for."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.workers import capacity
from ballcourt.arena.workers.capacity import CapacityError, matches_for, require, tightest
from tests.arena.conftest import PATIENCE_S
from tests.arena.users import ROOT, readably

ASK = "from ballcourt.arena.workers.capacity import tightest; print(tightest(2).limit)"


@pytest.fixture
def file_limit() -> Iterator[None]:
    """Restore the limits on open files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_workers_that_fit_are_not_refused() -> None:
    require(1, 2)


def test_the_limit_that_is_reached_first_is_named_with_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "spare_mb", lambda: 250)
    assert tightest(2).workers == 2
    with pytest.raises(
        CapacityError, match=r"^3 workers with 2 seats each do not fit into 250 MB of memory .* most 2,"
    ):
        require(3, 2)
    with pytest.raises(CapacityError, match=r"1 worker with 9 seats each do not fit into 250 MB .*: raise the limit$"):
        require(1, 9)


def test_workers_play_no_more_matches_at_a_time_than_the_machine_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "spare_mb", lambda: 500)
    assert [matches_for(workers, 2, wanted=8) for workers in (1, 2, 4)] == [4, 2, 1]
    assert matches_for(1, 2, wanted=3) == 3
    assert matches_for(9, 2, wanted=8) == 1


@pytest.mark.usefixtures("file_limit")
def test_the_limit_on_open_files_is_raised_as_far_as_it_may_be() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    require(1, 2)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)


def asked(limits: str, command: list[str]) -> str:
    """Return which limit is the tightest under limits of a shell."""
    shell = ["sh", "-c", f'{limits}; exec "$@"', "sh", *command]
    return subprocess.run(shell, capture_output=True, text=True, timeout=PATIENCE_S, check=True, cwd="/").stdout


def test_too_few_open_files_are_noticed() -> None:
    assert asked("ulimit -n 100", [sys.executable, "-c", ASK]).startswith("100 open files of a process")


def test_too_little_address_space_is_noticed() -> None:
    """Linear algebra would wait in it for ever, or end the command with the signal of Ctrl-C."""
    assert asked("ulimit -v 350000", [sys.executable, "-c", ASK]) == (
        "341 MB of address space of a process (ulimit -v), of which one needs 1024\n"
    )


def test_too_few_processes_of_an_ordinary_user_are_noticed() -> None:
    program = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); {ASK}"]
    command = readably(program, [ROOT, Path(sys.prefix), Path(sys.base_prefix)])
    limit = ["prlimit", "--nproc=40:40"]
    where = command.index(program[0])
    assert "more processes and threads (ulimit -u" in asked("true", [*command[:where], *limit, *command[where:]])
