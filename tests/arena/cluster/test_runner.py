"""A tournament on a cluster of four worker processes, some of which die or freeze."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.cluster.local import LocalWorkers, local_cluster
from ballcourt.arena.cluster.orders import Demands
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Started, Voided, WorkerChange, WorkerNews
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces, wait_until
from tests.cli.conftest import write_bot

pytestmark = pytest.mark.slow


@pytest.fixture
def blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[PlayableMatch]]:
    """Six blocks of two matches each."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    bots = [load_bot(write_bot(tmp_path / name, name, *play)) for name, play in (("low", ()), ("any", ("random",)))]
    entrants = {bot.entrant: bot for bot in bots}

    def match(block: int, rotation: int) -> PlayableMatch:
        table = tuple(entrants)[::-1] if rotation else tuple(entrants)
        return PlayableMatch(MatchSpec(f"b{block}-r{rotation}", "bluff", {}, 9 * block + rotation, table), entrants)

    return [[match(block, rotation) for rotation in range(2)] for block in range(6)]


@pytest.fixture
def own(traces: Traces, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorkers]:
    """Four workers of one slot each; a silent one is taken for lost after some seconds."""
    monkeypatch.setattr("ballcourt.arena.cluster.local.HANG_S", 4.0)
    with local_cluster(4) as workers:
        yield workers
    assert traces.all_gone()


@pytest.fixture
def cluster(own: LocalWorkers, blocks: list[list[PlayableMatch]], demands: Demands) -> Iterator[ClusterRunner]:
    """A runner with these workers."""
    with ClusterRunner(own.address, own.security, demands, own) as runner:
        runner.gather(4, dict(blocks[0][0].bots), lambda _: None)
        yield runner


def kill_workers(traces: Traces, blow: int = signal.SIGKILL) -> None:
    """End all workers of the cluster by a signal."""
    for pid in [pid for pid, command in traces.processes().items() if "--name local-" in command]:
        os.kill(pid, blow)


def results(records: list[MatchRecord]) -> dict[str, tuple[list[int], list[int]]]:
    """Return the actions and placements of each match."""
    found = {
        record.key: ([*record.decisions.actions], [result.placement for result in record.results]) for record in records
    }
    assert len(found) == len(records), "no match counts twice"
    return found


def test_what_killed_and_frozen_workers_were_playing_is_played_elsewhere_with_the_results_of_one_machine(
    cluster: ClusterRunner, blocks: list[list[PlayableMatch]], traces: Traces
) -> None:
    frozen = traces.pid_of("--name local-1")
    records: list[MatchRecord] = []
    news: list[tuple[str, WorkerChange]] = []
    began: set[str] = set()
    try:
        for event in cluster.run_blocks(blocks, done={"b0-r1"}):
            match event:
                case Started():
                    if not began:
                        os.kill(frozen, signal.SIGSTOP)
                    began.add(event.key)
                case MatchRecord():
                    records.append(event)
                    if len(records) == 3:
                        os.kill(traces.pid_of("--name local-2"), signal.SIGKILL)
                case WorkerNews():
                    news.append((event.worker, event.news))
                case Voided():
                    raise AssertionError(f"{event.keys}: {event.reason}")
    finally:
        os.kill(frozen, signal.SIGCONT)  # so that it can be ended at once
    with Runner(workers=1) as alone:
        expected = [event for event in alone.run_blocks(blocks, done={"b0-r1"}) if isinstance(event, MatchRecord)]
    assert results(records) == results(expected)
    assert {("local-1", WorkerChange.LEFT), ("local-2", WorkerChange.LEFT)} <= {*news}
    assert began >= results(records).keys()
    assert all(record.host.speed and not record.faults for record in records)


def test_a_run_ends_when_its_own_workers_die_again_and_again(
    cluster: ClusterRunner, blocks: list[list[PlayableMatch]], traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ArenaError, match="every worker of the cluster has died 10 times without ending a block; run"):
        for event in cluster.run_blocks(blocks):
            if isinstance(event, MatchRecord):
                monkeypatch.setattr("ballcourt.arena.cluster.local.sys.executable", "/bin/false")
                kill_workers(traces)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP])
def test_own_workers_that_a_signal_ended_are_started_again_and_play_what_is_left(
    cluster: ClusterRunner, blocks: list[list[PlayableMatch]], traces: Traces, blow: signal.Signals
) -> None:
    if signal.getsignal(blow) is signal.SIG_IGN:
        pytest.skip(f"{blow.name} ends no process that is started here, as under nohup")

    def deadly() -> Iterator[list[PlayableMatch]]:
        yield from blocks[:-1]
        kill_workers(traces, blow)
        yield blocks[-1]

    records: list[MatchRecord] = []
    joined: set[str] = set()
    for event in cluster.run_blocks(deadly()):
        if isinstance(event, MatchRecord):
            records.append(event)
        if isinstance(event, WorkerNews) and event.news is WorkerChange.JOINED:
            joined.add(event.worker)
    assert len(results(records)) == 12
    assert not any(record.faults for record in records)
    assert joined, "after all had died"


def test_results_that_died_with_their_workers_are_played_again(
    own: LocalWorkers, cluster: ClusterRunner, blocks: list[list[PlayableMatch]], traces: Traces
) -> None:
    records: list[MatchRecord] = []
    with Client(own.address, security=own.security, set_as_default=False) as onlooker:
        for event in cluster.run_blocks(blocks):
            if isinstance(event, MatchRecord):
                if not records:
                    assert wait_until(lambda: not any(onlooker.processing().values())), "all blocks are played"
                    kill_workers(traces)
                records.append(event)
    assert len(results(records)) == 12


def with_a_build(folder: Path, build: str, blocks: list[list[PlayableMatch]]) -> list[list[PlayableMatch]]:
    """Return a block with a bot that is built by a script, and then the others."""
    bot = load_bot(write_bot(folder, "built"))
    bot_file = folder / "bot.toml"
    bot_file.write_text(f'{bot_file.read_text()}build = ["{{python}}", "-c", {build!r}]\n')
    bot = load_bot(folder)
    plain = blocks[0][0].spec.entrants[0]
    bots = {bot.entrant: bot, plain: blocks[0][0].bots[plain]}
    return [[PlayableMatch(MatchSpec("built", "bluff", {}, 1, tuple(bots)), bots)], *blocks]


@pytest.mark.parametrize("times", [1, 100])
def test_where_a_bot_cannot_be_built_the_worker_stays_and_another_one_builds_it_or_it_is_put_out(
    own: LocalWorkers,
    blocks: list[list[PlayableMatch]],
    demands: Demands,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    times: int,
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.queue.PAUSES_S", (0.0, 0.0))
    tries = tmp_path / "tries"
    tries.touch()
    fails = f"f = open('{tries}', 'a+'); f.write('x'); f.seek(0); exit(len(f.read()) <= {times} and 'no compiler')"
    with ClusterRunner(own.address, own.security, demands, own) as runner:
        events = [*runner.run_blocks(with_a_build(tmp_path / "built", fails, blocks))]
    records = {event.key: event for event in events if isinstance(event, MatchRecord)}
    assert len(records) == 13
    assert [event for event in events if isinstance(event, WorkerNews) and event.news is WorkerChange.LEFT] == []
    voided = [event.reason.split(":")[0] for event in events if isinstance(event, Voided)]
    assert len(voided) == len({*voided}) == min(times, 3)
    if times == 1:
        assert f"worker {records['built'].worker}" not in voided
    outcome = records["built"].results[0].termination
    assert (outcome == Termination.TERMINATION_OK) == (times == 1)
    assert times == 1 or "no compiler" in records["built"].faults[0].detail


def test_a_match_that_the_arena_cannot_play_voids_its_block_and_names_the_worker(
    cluster: ClusterRunner, blocks: list[list[PlayableMatch]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.queue.PAUSES_S", (0.0, 0.0))
    spec = blocks[1][1].spec
    object.__setattr__(spec, "options", {"rounds": "2"})  # bluff has no such option
    voided = []
    with pytest.raises(Exception, match=r"match b1-r1 could not be played in 3 attempts: worker local-\d: .*'2'"):
        for event in cluster.run_blocks(blocks[:2]):
            if isinstance(event, Voided):
                voided.append(event.keys)
    assert voided == [("b1-r0", "b1-r1")] * 3
