"""The runner while the processes it depends on die."""

import itertools
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.arena.workers.queue import RunnerError, Started, Voided
from ballcourt.arena.workers.runner import RunEvent, Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import LOWEST, PATIENCE_S, RANDOM, Traces, fixture_bot, wait_until
from tests.arena.matches import match_of

ORPHANING = fixture_bot("misbehaving.py", "orphan")

ENDLESS = """
import itertools
from ballcourt.arena.workers.runner import Runner
from tests.arena.conftest import LOWEST, fixture_bot
from tests.arena.matches import match_of
bots = (fixture_bot("misbehaving.py", "orphan"), LOWEST)
try:
    with Runner(workers=2) as runner:
        for record in runner.run(match_of(f"{n}", "bluff", {}, n, bots) for n in itertools.count()):
            print(record.key, flush=True)
except KeyboardInterrupt:
    raise SystemExit(130)
"""


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a void block again at once."""
    monkeypatch.setattr("ballcourt.arena.workers.queue.PAUSES_S", (0.0, 0.0))


def some_matches(count: int) -> Iterator[PlayableMatch]:
    return (match_of(str(number), "bluff", {}, number, (ORPHANING, LOWEST)) for number in range(count))


def endless_run() -> "subprocess.Popen[str]":
    """Start a process that plays matches until it is stopped; return once it has finished one."""
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout and process.stdout.readline(), process.stderr and process.stderr.read()
    return process


def test_all_matches_are_played_once_and_leave_nothing_behind(traces: Traces) -> None:
    with Runner(workers=2, matches_per_worker=2) as runner:
        records = list(runner.run(some_matches(8)))
        assert sorted(int(record.key) for record in records) == list(range(8))
        assert not any(record.faults for record in records)
        assert "misbehaving.py" in str(traces.processes()), "processes live on between matches"
    assert not traces.processes(), "leaving the context waits for the last of them"
    assert traces.all_gone()


@pytest.mark.slow
def test_processes_are_reused_across_matches_and_never_shared_by_seats(traces: Traces) -> None:
    pids = []
    with Runner(workers=1) as runner:
        for number in range(4):
            match = match_of(str(number), "bluff", {}, number, (LOWEST, LOWEST, RANDOM))
            assert not next(runner.run([match])).faults
            pids.append({pid for pid, command in traces.processes().items() if "honest.py" in command})
    assert len(pids[0]) == 3
    assert pids == [pids[0]] * 4


def heaps_of_threads(pid: int) -> list[int]:
    """List the additional heaps of a process: glibc reserves 64 MB for each and maps what is needed."""
    lines = [line.split() for line in Path(f"/proc/{pid}/maps").read_text().splitlines()]
    spans = [
        (int(begin, 16), int(end, 16), mode) for begin, end, mode in ([*line[0].split("-"), line[1]] for line in lines)
    ]
    return [
        first
        for (first, middle, used), (reserved, last, spare) in itertools.pairwise(spans)
        if (used, spare) == ("rw-p", "---p") and middle == reserved and last - first == 64 << 20
    ]


@pytest.mark.slow
def test_a_worker_has_one_heap_regardless_of_grpc_threads(traces: Traces) -> None:
    with Runner(workers=1) as runner:
        assert not next(runner.run(some_matches(1))).faults
        worker = traces.pid_of("-m ballcourt.arena.workers.worker")
        assert len(list(Path(f"/proc/{worker}/task").iterdir())) > 1
        assert not heaps_of_threads(worker)


@pytest.mark.parametrize(
    ("lifetime", "processes"), [(Lifetime.MATCH, 3), pytest.param(Lifetime.TOURNAMENT, 1, marks=pytest.mark.slow)]
)
def test_a_bot_process_lives_as_long_as_its_configured_lifetime(
    traces: Traces, lifetime: Lifetime, processes: int
) -> None:
    pids: set[str] = set()
    with Runner(workers=1) as runner:
        for number in range(3):
            match = match_of(str(number), "bluff", {}, number, (LOWEST, RANDOM), lifetime=lifetime)
            record = next(runner.run([match]))
            assert not record.faults
            assert record.lifetime == lifetime
            pids |= set(record.decisions.thoughts.values())
    assert len(pids) == processes
    assert traces.all_gone()


@pytest.mark.slow
def test_copies_of_a_bot_under_different_labels_share_no_process(traces: Traces) -> None:
    twin = LOWEST.entrant.labelled("twin")
    pids: dict[str, set[str]] = {"twin": set(), LOWEST.name: set()}
    with Runner(workers=1) as runner:
        for number, first in enumerate([LOWEST.entrant, twin] * 2):
            spec = MatchSpec(str(number), "bluff", {}, number, (first, RANDOM.entrant))
            record = next(runner.run([PlayableMatch(spec, {first: LOWEST, RANDOM.entrant: RANDOM})]))
            pids[first.bot.name] |= set(record.decisions.thoughts.values())
    assert [len(found) for found in pids.values()] == [1, 1]
    assert pids["twin"] != pids[LOWEST.name]
    assert traces.all_gone()


@pytest.mark.slow
def test_a_process_at_fault_is_replaced(traces: Traces) -> None:
    at_fault = fixture_bot("misbehaving.py", "illegal")
    with Runner(workers=1) as runner:
        for number in range(2):
            record = next(runner.run([match_of(str(number), "bluff", {}, number, (at_fault, LOWEST))]))
            assert record.results[0].termination == Termination.TERMINATION_ILLEGAL
            assert "misbehaving.py" not in str(traces.processes())


@pytest.mark.slow
def test_a_process_that_closed_its_stream_is_killed_when_it_is_replaced(traces: Traces, tmp_path: Path) -> None:
    deserter = fixture_bot("misbehaving.py", "deserts", str(tmp_path))

    def deserters() -> int:
        return sum("misbehaving.py" in command for command in traces.processes().values())

    with Runner(workers=1) as runner:
        for number in range(3):
            assert not next(runner.run([match_of(str(number), "bluff", {}, number, (deserter, LOWEST))])).faults
            assert wait_until(lambda: len(list(tmp_path.iterdir())) > number)  # noqa: B023  called at once
        assert wait_until(lambda: deserters() == 1)


@pytest.mark.slow
def test_no_more_matches_are_taken_than_can_run_at_once() -> None:
    taken = itertools.count()

    def watched() -> Iterator[PlayableMatch]:
        for match in some_matches(8):
            next(taken)
            yield match

    with Runner(workers=1, matches_per_worker=2) as runner:
        next(runner.run(watched()))
        assert next(taken) <= 3


QUICK = {("workers.worker", signal.SIGINT), ("workers.worker", signal.SIGKILL)}


@pytest.mark.parametrize(
    ("victim", "blow"),
    [
        pytest.param(victim, blow, marks=() if (victim, blow) in QUICK else pytest.mark.slow)
        for victim in ("workers.worker", "workers.keeper", "processes.launcher")
        for blow in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP, signal.SIGKILL)
    ],
)
def test_the_matches_of_a_process_that_a_signal_ends_are_played_again(
    traces: Traces, victim: str, blow: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    def deadly() -> Iterator[PlayableMatch]:
        for number, match in enumerate(some_matches(6)):
            if number == 3:
                os.kill(traces.pid_of(f"ballcourt.arena.{victim}"), blow)
            yield match

    with Runner(workers=1, matches_per_worker=2) as runner:
        records = list(runner.run(deadly()))
    assert sorted(int(record.key) for record in records) == list(range(6))
    assert all(result.termination == Termination.TERMINATION_OK for record in records for result in record.results)
    assert traces.all_gone()
    assert capfd.readouterr().err == "", "no other process complains"


@pytest.mark.slow
def test_a_match_the_arena_cannot_play_ends_the_run_with_an_error(traces: Traces) -> None:
    impossible = match_of("m7", "bluff", {"rounds": "2"}, 1, (LOWEST, LOWEST))
    with (
        Runner(workers=1) as runner,
        pytest.raises(RunnerError, match=r"match m7 could not be played in 3 attempts: .*'2'; it must be one of"),
    ):
        list(runner.run([impossible]))
    assert traces.all_gone()


@pytest.mark.slow
def test_a_shortage_of_the_machine_costs_no_bot_its_seat(traces: Traces) -> None:
    reasons = []
    with Runner(workers=1) as runner:
        assert not next(runner.run(some_matches(1))).faults
        launcher = traces.pid_of("ballcourt.arena.processes.launcher")
        soft, hard = resource.prlimit(launcher, resource.RLIMIT_NOFILE)
        resource.prlimit(launcher, resource.RLIMIT_NOFILE, (3, hard))
        for event in runner.run_blocks([[match_of("m", "bluff", {}, 1, (RANDOM, RANDOM))]]):
            if isinstance(event, Voided):
                reasons.append(event.reason)
                resource.prlimit(launcher, resource.RLIMIT_NOFILE, (soft, hard))
            elif isinstance(event, MatchRecord):
                assert not event.faults
    assert len(reasons) == 1
    assert "the launcher may not open more files" in reasons[0]
    assert traces.all_gone()


def pairs_of_matches(count: int) -> Iterator[list[PlayableMatch]]:
    """Blocks a, b, ... of two matches each."""
    for name in "abcdefgh"[:count]:
        yield [match_of(f"{name}{rotation}", "bluff", {}, 1, (ORPHANING, LOWEST)) for rotation in range(2)]


def ends(events: Iterator[RunEvent]) -> Iterator[MatchRecord | Voided]:
    """Leave out the beginnings of matches."""
    return (event for event in events if isinstance(event, MatchRecord | Voided))


@pytest.mark.slow
def test_the_beginning_of_a_match_is_reported_before_its_end(traces: Traces) -> None:
    with Runner(workers=1) as runner:
        began, ended = runner.run_blocks([[match_of("m", "bluff", {}, 1, (LOWEST, ORPHANING))]])
    assert isinstance(ended, MatchRecord)
    assert began == Started("m", "bluff", tuple(entrant.name for entrant in ended.entrants))


def test_a_failure_of_the_arena_voids_the_whole_block_and_no_other(traces: Traces) -> None:
    events: list[str] = []
    with Runner(workers=1) as runner:
        for event in ends(runner.run_blocks(pairs_of_matches(3))):
            events.append(str(event.keys) if isinstance(event, Voided) else event.key)
            if events == ["a0", "a1", "b0"]:
                os.kill(traces.pid_of("ballcourt.arena.workers.worker"), signal.SIGKILL)
    assert events == ["a0", "a1", "b0", "('b0', 'b1')", "b0", "b1", "c0", "c1"]
    assert traces.all_gone()


@pytest.mark.slow
def test_a_match_whose_rules_fail_voids_its_whole_block(traces: Traces) -> None:
    good = match_of("m0", "bluff", {}, 1, (LOWEST, LOWEST))
    impossible = match_of("m1", "bluff", {"rounds": "2"}, 1, (LOWEST, LOWEST))
    events: list[MatchRecord | Voided] = []
    with (
        Runner(workers=1) as runner,
        pytest.raises(RunnerError, match=r"match m1 could not be played in 3 attempts: .*'2'; it must be one of"),
    ):
        for event in ends(runner.run_blocks([[good, impossible]])):
            events.append(event)
    assert [isinstance(event, Voided) for event in events] == [False, True] * 3


@pytest.mark.slow
def test_a_worker_that_hangs_is_killed_with_all_its_processes(traces: Traces, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    with Runner(workers=1) as runner:
        for event in ends(runner.run_blocks(pairs_of_matches(2))):
            if isinstance(event, Voided):
                assert event.reason == "its worker process hung for 0.5 s"
                monkeypatch.setattr("ballcourt.arena.workers.process.HANG_S", 60.0)
            elif not events:
                os.kill(traces.pid_of("ballcourt.arena.workers.worker"), signal.SIGSTOP)
                monkeypatch.setattr("ballcourt.arena.workers.process.HANG_S", 0.5)
            events.append("void" if isinstance(event, Voided) else event.key)
    assert events == ["a0", "void", "a0", "a1", "b0", "b1"]
    assert traces.all_gone()


@pytest.mark.slow
def test_a_worker_that_stops_in_the_middle_of_a_message_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.process.KEEPER", "tests.bots.stuck")
    monkeypatch.setattr("ballcourt.arena.workers.process.HANG_S", 1.0)
    with Runner(workers=1) as runner, pytest.raises(RunnerError, match="its worker process hung for 1 s"):
        list(runner.run(some_matches(1)))


@pytest.mark.slow
def test_daemons_of_bots_do_not_outlive_worker_and_launcher_killed_together(traces: Traces) -> None:
    with Runner(workers=1) as runner:
        next(runner.run(some_matches(1)))
        worker, launcher = (
            traces.pid_of("ballcourt.arena.workers.worker"),
            traces.pid_of("ballcourt.arena.processes.launcher"),
        )
        os.kill(launcher, signal.SIGSTOP)  # too slow to clean up
        os.kill(worker, signal.SIGKILL)
        os.kill(launcher, signal.SIGKILL)
        assert traces.all_gone()  # the launcher's folder too


@pytest.mark.slow
def test_daemons_of_bots_do_not_outlive_keeper_worker_and_launcher_killed_together(traces: Traces) -> None:
    with Runner(workers=1) as runner:
        next(runner.run(some_matches(1)))
        ours = [
            traces.pid_of(f"ballcourt.arena.{name}")
            for name in ("workers.keeper", "workers.worker", "processes.launcher")
        ]
        for pid in ours:
            os.kill(pid, signal.SIGSTOP)
        for pid in ours:
            os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not traces.processes())


@pytest.mark.slow
def test_a_runner_can_be_reused_after_an_abandoned_run() -> None:
    slow = match_of("slow", "bluff", {}, 1, (fixture_bot("misbehaving.py", "hangs"), LOWEST), Clock(cap_ms=60_000))
    with Runner(workers=1, matches_per_worker=2) as runner:
        next(runner.run([slow, *some_matches(1)]))
        assert [record.key for record in runner.run(some_matches(1))] == ["0"]


@pytest.mark.slow
def test_nothing_survives_a_killed_runner(traces: Traces) -> None:
    process = endless_run()
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    assert traces.all_gone()


@pytest.mark.slow
def test_an_interrupt_from_the_terminal_only_reaches_the_runner(traces: Traces) -> None:
    process = endless_run()
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert complaints == ""
    assert traces.all_gone()


@pytest.mark.slow
def test_nothing_survives_when_worker_and_runner_are_killed_together(traces: Traces) -> None:
    process = endless_run()
    workers = [pid for pid, command in traces.processes().items() if "ballcourt.arena.workers.worker" in command]
    for pid in (*workers, process.pid):
        os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=PATIENCE_S)
    assert traces.all_gone()


@pytest.mark.slow
def test_a_bot_may_exit_after_every_match() -> None:
    with Runner(workers=1) as runner:
        short_lived = fixture_bot("misbehaving.py", "ends with its match")
        matches = [match_of(str(number), "bluff", {}, number, (short_lived, LOWEST)) for number in range(4)]
        assert not any(record.faults for record in runner.run(matches))


@pytest.mark.parametrize(("workers", "matches"), [(0, 1), (1, 0)])
def test_a_runner_needs_at_least_one_worker_and_one_match(workers: int, matches: int) -> None:
    with pytest.raises(ValueError, match="is 0; it must be at least 1"):
        Runner(workers, matches)
