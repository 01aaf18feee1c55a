"""A cluster on this machine: the processors of its workers, and its temporary files."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from distributed import Scheduler

from ballcourt.arena.cluster import local
from ballcourt.arena.cluster.local import local_cluster, processors_of
from ballcourt.arena.temporary import PREFIX
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.process import HANG_S


def test_workers_share_what_is_left_for_the_arena() -> None:
    cores = [Cores(bots=(0, 1), arena=(4, 5)), Cores(bots=(2, 3), arena=(4, 5))]
    assert [processors_of(cores, number) for number in range(2)] == [{0, 1, 4, 5}, {2, 3, 4, 5}]


def test_a_worker_keeps_off_the_processors_of_the_bots_of_others() -> None:
    """If nothing is left for the arena, it may use all: each worker then stays with its own bots."""
    cores = [Cores(bots=(0, 1), arena=(0, 1, 2, 3)), Cores(bots=(2, 3), arena=(0, 1, 2, 3))]
    assert [processors_of(cores, number) for number in range(2)] == [{0, 1}, {2, 3}]


def test_a_killed_cluster_leaves_only_what_the_next_run_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with local_cluster(0):
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(PREFIX)] == []


def test_its_scheduler_does_not_hold_its_own_pauses_against_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Scheduler] = []

    class Noted(local._Scheduler):
        def __init__(self, **options: Any) -> None:  # noqa: ANN401
            super().__init__(**options)
            made.append(self)

    monkeypatch.setattr(local, "_Scheduler", Noted)
    with local_cluster(0) as cluster:
        (scheduler,) = made
        assert (scheduler.address, scheduler.worker_ttl) == (cluster.address, HANG_S)
        assert "look" in scheduler.periodic_callbacks
