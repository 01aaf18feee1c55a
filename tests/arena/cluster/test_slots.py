"""What a worker of a cluster demands of its machine, and which processors it gives to bots."""

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.cluster import slots as module
from ballcourt.arena.cluster.local import local_cluster
from ballcourt.arena.cluster.orders import BlockOrder, Demands, Preparation
from ballcourt.arena.cluster.parcels import Traveller
from ballcourt.arena.cluster.runner import ClusterRunner
from ballcourt.arena.cluster.slots import Slots
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.sandbox.tiers import SandboxError
from ballcourt.arena.workers import cores
from ballcourt.arena.workers.capacity import CapacityError
from ballcourt.arena.workers.cores import usable
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Failure, Started
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces
from tests.cli.conftest import write_bot

CROWD = "up to 2 bots think at the same time on 1 processor,"


@pytest.fixture
def one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "usable", lambda: [3])


def asked_of(slots: int, demands: Demands) -> str:
    """Return the caution of a worker with this number of slots."""
    return Slots(slots).prepare(Preparation(demands, {}))


@pytest.mark.usefixtures("one_processor")
def test_a_worker_on_which_bots_wait_for_each_other_cautions_and_under_strict_refuses(
    demands: Demands,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "demand", lambda tier: None)
    assert asked_of(1, replace(demands, strict=True)) == ""
    assert asked_of(2, demands).startswith(CROWD)
    assert asked_of(2, replace(demands, clock=Clock(work=1), strict=True)) == ""
    with pytest.raises(CapacityError, match=f"^--strict: {CROWD}"):
        asked_of(2, replace(demands, strict=True))


def test_a_strict_worker_refuses_to_play_without_a_sandbox(demands: Demands) -> None:
    with pytest.raises(SandboxError, match=r"^--strict: bots would not be confined at all"):
        asked_of(1, replace(demands, strict=True))


@pytest.mark.usefixtures("one_processor")
def test_a_worker_without_processors_for_the_bots_of_all_its_tables_refuses(demands: Demands) -> None:
    with pytest.raises(CapacityError, match=r"do not fit into the 1 processor .*: give at most 1 worker$"):
        asked_of(2, replace(demands, cpus=1))


@pytest.mark.parametrize(
    ("error", "suspect"), [(BotError("bot ann cannot be built"), "ann"), (SandboxError("there is no bwrap"), "")]
)
def test_a_worker_leaves_for_what_its_machine_lacks_and_stays_where_one_bot_cannot_be_built(
    demands: Demands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: WrongInput, suspect: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    later: list[object] = []
    bot = load_bot(write_bot(tmp_path / "ann", "ann"))
    monkeypatch.setattr(module, "unpack", lambda *_: bot)
    monkeypatch.setattr(module, "ready", refuse)
    worker = SimpleNamespace(name="here", close=None, loop=SimpleNamespace(call_later=lambda *call: later.append(call)))
    slots = Slots(1)
    slots.setup(worker)  # type: ignore[arg-type]
    bots = {bot.entrant: Traveller(bot.entrant.bot)}
    match = PlayableMatch(MatchSpec("b0-r0", "bluff", {}, 1, (bot.entrant,)), {})
    [(number, end)] = slots.play(BlockOrder(Preparation(demands, bots), ((7, match),), ""), lambda: True).ends
    assert isinstance(end, Failure)
    assert (number, end.suspect, end.reason) == (7, suspect, f"it cannot prepare the bots: {error}")
    assert (slots.refusal, bool(later)) == ((None, False) if suspect else (error, True))


@pytest.mark.slow
def test_bots_run_on_the_processors_of_their_table(
    demands: Demands, traces: Traces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    bots = {bot.entrant: bot for bot in (load_bot(write_bot(tmp_path / name, name)) for name in ("ann", "bob"))}
    match = PlayableMatch(MatchSpec("b000000-r0", "bluff", {}, 1, tuple(bots)), bots)
    own = replace(demands, cpus=1)
    with local_cluster(1) as one, ClusterRunner(one.address, one.security, own) as runner:
        runner.gather(1, bots, lambda _: None)
        ended = [event for event in runner.run_blocks([[match]]) if not isinstance(event, Started)]
        assert os.sched_getaffinity(traces.pid_of("honest.py")) == {usable()[0]}
    [record] = ended
    assert isinstance(record, MatchRecord)
    assert record.bot_cpus == 1
    assert traces.all_gone()
