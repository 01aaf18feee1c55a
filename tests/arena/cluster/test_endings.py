"""Clusters whose scheduler is killed in the middle of a run."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.process import environment
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.cli.conftest import write_bot
from tests.arena.conftest import Traces, bounded, wait_until

LONGEST_S = 120
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
def started(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, *command], env=environment(), stdin=subprocess.DEVNULL, start_new_session=True
    )
    with bounded(process, LONGEST_S):
        try:
            yield process
        finally:
            process.terminate()
            process.wait(LONGEST_S)


def test_a_run_whose_scheduler_is_killed_ends_with_a_sentence_and_so_do_its_workers(
    blocks: list[list[PlayableMatch]], demands: Demands, traces: Traces, tmp_path: Path
) -> None:
    contact = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            started(
                "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(contact),
            )
        )  # fmt: skip
        assert wait_until(lambda: contact.exists() and contact.read_text().endswith("}")), "it is written whole"
        address = str(json.loads(contact.read_text())["address"])
        worker = stack.enter_context(started("-P", "-m", "ballcourt", "worker", address, "--tables", "1"))
        records = []
        with ClusterRunner(address, None, demands) as runner:
            runner.gather(1, dict(blocks[0][0].bots), lambda _: None)
            with pytest.raises(ArenaError, match=r"the cluster .*has ended.*; run the same command again"):
                for event in runner.run_blocks(blocks):
                    if isinstance(event, MatchRecord):
                        records.append(event)
                        scheduler.kill()
        assert worker.wait(LONGEST_S) == 3
    assert 1 <= len(records) < BLOCKS
    assert wait_until(lambda: not traces.processes()), traces.processes()
    assert [path.name for path in traces.folder.iterdir()] == ["dask-scratch-space"], "of the scheduler"
