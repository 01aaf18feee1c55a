"""Clusters whose scheduler is killed or stopped in the middle of a run, or whose workers do not come."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from distributed import Client

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.cluster import answers
from ballcourt.arena.cluster import runner as module
from ballcourt.arena.cluster import scheduler as patience
from ballcourt.arena.cluster.local import local_cluster
from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.process import environment
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces, bounded, wait_until
from tests.cli.conftest import write_bot

pytestmark = pytest.mark.slow

LONGEST_S = 300
BLOCKS = 6


@pytest.fixture
def blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[PlayableMatch]]:
    """Blocks of one match each."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    bots = {bot.entrant: bot for bot in (load_bot(write_bot(tmp_path / name, name)) for name in ("ann", "bob"))}
    return [
        [PlayableMatch(MatchSpec(f"b{block:06d}-r0", "bluff", {}, block, tuple(bots)), bots)] for block in range(BLOCKS)
    ]


@contextmanager
def started(*command: str, **variables: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, *command], env=environment() | variables, stdin=subprocess.DEVNULL, start_new_session=True
    )
    with bounded(process, LONGEST_S):
        try:
            yield process
        finally:
            process.terminate()
            process.wait(LONGEST_S)


@contextmanager
def scheduler_at(port: str, place: Path, *flags: str) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """Yield a patient scheduler, which leaves its files in a folder, and its address."""
    contact = place / f"scheduler-{port}.json"
    with started(
        "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard",
        "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(contact), "--preload", patience.__name__,
        *flags, DASK_TEMPORARY_DIRECTORY=str(place), DASK_LOGGING__DISTRIBUTED="critical",
    ) as scheduler:  # fmt: skip
        assert wait_until(lambda: contact.exists() and contact.read_text().endswith("}")), "it is written whole"
        yield scheduler, str(json.loads(contact.read_text())["address"])


@contextmanager
def cluster(
    tmp_path: Path, wait: str = "60"
) -> Iterator[tuple["subprocess.Popen[bytes]", str, "subprocess.Popen[bytes]"]]:
    """Yield a scheduler, its address and its one worker."""
    with (
        scheduler_at("0", tmp_path) as (scheduler, address),
        started("-P", "-m", "ballcourt", "admin", "worker", address, "--slots", "1", "--wait", wait) as worker,
    ):
        yield scheduler, address, worker


def test_a_run_whose_scheduler_is_killed_ends_with_a_sentence_and_so_do_its_workers(
    blocks: list[list[PlayableMatch]], demands: Demands, traces: Traces, tmp_path: Path
) -> None:
    records = []
    with cluster(tmp_path, wait="10") as (scheduler, address, worker):
        with ClusterRunner(address, None, demands) as runner:
            runner.gather(1, dict(blocks[0][0].bots), lambda _: None)
            with pytest.raises(ArenaError, match=r"the cluster .*has ended.*; run the same command again"):
                for event in runner.run_blocks(blocks):
                    if isinstance(event, MatchRecord):
                        records.append(event)
                        scheduler.kill()
        assert worker.wait(LONGEST_S) == 3
    assert 1 <= len(records) < BLOCKS
    assert traces.all_gone()


def test_a_worker_joins_a_scheduler_again_that_was_killed_and_came_back(
    blocks: list[list[PlayableMatch]], demands: Demands, traces: Traces, tmp_path: Path
) -> None:
    def play_one(address: str) -> None:
        with ClusterRunner(address, None, demands) as runner:
            runner.gather(1, dict(blocks[0][0].bots), lambda _: None)
            assert any(isinstance(event, MatchRecord) for event in runner.run_blocks(blocks[:1]))

    with cluster(tmp_path) as (scheduler, address, worker):
        play_one(address)
        scheduler.kill()
        scheduler.wait(LONGEST_S)
        with scheduler_at(address.rpartition(":")[2], tmp_path):
            play_one(address)
        worker.terminate()
        assert worker.wait(LONGEST_S) == 143, "it does not wait for a third one"
    assert wait_until(lambda: not traces.processes()), traces.processes()


TERMINATED_BETWEEN_CLUSTERS = """
import os, signal, sys
from ballcourt.arena.cluster import dask_worker

close = dask_worker.Slots.close

def close_and_terminate(slots):
    close(slots)
    os.kill(os.getpid(), signal.SIGTERM)

dask_worker.Slots.close = close_and_terminate
sys.exit(dask_worker.work(sys.argv[1], None, "late", 1, 60, print))
"""


def test_a_worker_that_is_terminated_between_two_clusters_ends_as_tidily(traces: Traces, tmp_path: Path) -> None:
    with (
        scheduler_at("0", tmp_path) as (scheduler, address),
        Client(address, timeout=LONGEST_S) as client,
        started("-c", TERMINATED_BETWEEN_CLUSTERS, address) as worker,
    ):
        client.wait_for_workers(1, timeout=LONGEST_S)
        scheduler.kill()
        assert worker.wait(LONGEST_S) == signal.SIGTERM
    assert wait_until(lambda: not traces.processes()), traces.processes()


class Heard(Exception):
    """Enough was heard."""


def test_a_run_without_workers_says_again_and_again_that_it_waits(
    demands: Demands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SAY_S", 0.0)
    sentences: list[str] = []

    def report(sentence: str) -> None:
        sentences.append(sentence)
        if len(sentences) == 2:
            raise Heard

    with (
        local_cluster(0) as own,
        ClusterRunner(own.address, own.security, demands) as runner,
        pytest.raises(Heard),
    ):
        runner.gather(1, {}, report)
    assert all(one.startswith("no worker is at tls://127.0.0.1:") for one in sentences)
    assert all("; start one: ballcourt admin worker tls://" in one for one in sentences)


def test_a_run_whose_scheduler_is_stopped_ends_with_a_sentence(
    blocks: list[list[PlayableMatch]],
    demands: Demands,
    traces: Traces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with cluster(tmp_path) as (scheduler, address, _):
        with ClusterRunner(address, None, demands) as runner:
            runner.gather(1, dict(blocks[0][0].bots), lambda _: None)
            with pytest.raises(ArenaError, match="the scheduler of the cluster has been silent for 2 s; if it is stop"):
                for event in runner.run_blocks(blocks):
                    if isinstance(event, MatchRecord):
                        monkeypatch.setattr(answers, "SILENT_S", 1.0)
                        scheduler.send_signal(signal.SIGSTOP)
        scheduler.send_signal(signal.SIGCONT)
    assert wait_until(lambda: not traces.processes()), traces.processes()


@dataclass
class Promised:
    """Own workers of which some never join."""

    workers: int

    def running(self) -> int:
        return self.workers

    def restart(self) -> None:
        pass

    def note_block(self) -> None:
        pass


def test_a_run_does_not_wait_for_own_workers_that_do_not_join(
    blocks: list[list[PlayableMatch]], demands: Demands, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = dict(blocks[0][0].bots)
    with local_cluster(1) as own, ClusterRunner(own.address, own.security, demands, Promised(2)) as runner:
        runner.gather(1, bots, lambda _: None)
        monkeypatch.setattr(module, "JOIN_S", 0.0)
        sentences: list[str] = []
        runner.gather(2, bots, sentences.append)
        assert sentences == ["caution: after 0 s there is only 1 worker; play begins, and the others can join later"]
    with (
        local_cluster(0) as own,
        ClusterRunner(own.address, own.security, demands, Promised(1)) as runner,
        pytest.raises(ArenaError, match="none of the workers has joined the cluster within 0 s; are they stopped"),
    ):
        runner.gather(1, bots, sentences.append)
    assert traces.all_gone()
