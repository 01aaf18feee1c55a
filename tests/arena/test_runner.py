"""The runner through the deaths of everything it depends on."""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.match import Clock, MatchSpec
from arena.runner import Runner, RunnerError
from ballcourt.v1.protocol_pb2 import Termination
from tests.arena.conftest import LOWEST, RANDOM, Traces, fixture_bot

ORPHANING = fixture_bot("misbehaving.py", "orphan")

ENDLESS = """
import itertools
from arena.runner import Runner
from arena.match import MatchSpec
from tests.arena.conftest import LOWEST, fixture_bot
bots = (fixture_bot("misbehaving.py", "orphan"), LOWEST)
try:
    with Runner(workers=2) as runner:
        for record in runner.run(MatchSpec(f"{n}", "bluff", {}, n, bots) for n in itertools.count()):
            print(record.key, flush=True)
except KeyboardInterrupt:
    raise SystemExit(130)
"""


def specs(count: int) -> Iterator[MatchSpec]:
    return (MatchSpec(str(number), "bluff", {}, number, (ORPHANING, LOWEST)) for number in range(count))


def endless_run() -> "subprocess.Popen[str]":
    """A process that plays matches until it is stopped; it has finished one when this returns."""
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
        records = list(runner.run(specs(12)))
        assert sorted(int(record.key) for record in records) == list(range(12))
        assert not any(record.faults for record in records)
        assert "misbehaving.py" in str(traces.processes()), "processes live on between matches"
    assert not traces.processes(), "leaving the context waits for the last of them"
    assert traces.all_gone()


def test_processes_play_match_after_match_and_every_seat_has_its_own(traces: Traces) -> None:
    pids = []
    with Runner(workers=1) as runner:
        for number in range(4):
            spec = MatchSpec(str(number), "bluff", {}, number, (LOWEST, LOWEST, RANDOM))
            assert not next(runner.run([spec])).faults
            pids.append({pid for pid, command in traces.processes().items() if "honest.py" in command})
    assert len(pids[0]) == 3
    assert pids == [pids[0]] * 4


def test_a_process_at_fault_is_replaced(traces: Traces) -> None:
    at_fault = fixture_bot("misbehaving.py", "illegal")
    with Runner(workers=1) as runner:
        for number in range(2):
            record = next(runner.run([MatchSpec(str(number), "bluff", {}, number, (at_fault, LOWEST))]))
            assert record.results[0].termination == Termination.TERMINATION_ILLEGAL
            assert "misbehaving.py" not in str(traces.processes())


def test_no_more_specs_are_taken_than_can_be_played_at_once() -> None:
    taken = itertools.count()

    def watched() -> Iterator[MatchSpec]:
        for spec in specs(8):
            next(taken)
            yield spec

    with Runner(workers=1, matches_per_worker=2) as runner:
        next(runner.run(watched()))
        assert next(taken) <= 3


@pytest.mark.parametrize("victim", ["arena.worker", "arena.launcher"])
def test_the_matches_of_a_killed_process_are_played_again(
    traces: Traces, victim: str, capfd: pytest.CaptureFixture[str]
) -> None:
    def deadly() -> Iterator[MatchSpec]:
        for number, spec in enumerate(specs(6)):
            if number == 3:
                os.kill(traces.pid_of(victim), signal.SIGKILL)
            yield spec

    with Runner(workers=1, matches_per_worker=2) as runner:
        records = list(runner.run(deadly()))
    assert sorted(int(record.key) for record in records) == list(range(6))
    assert all(result.termination == Termination.TERMINATION_OK for record in records for result in record.results)
    assert traces.all_gone()
    assert capfd.readouterr().err == "", "nobody else complains"


def test_a_match_the_arena_cannot_play_ends_the_run_with_a_sentence(traces: Traces) -> None:
    impossible = MatchSpec("m7", "bluff", {"rounds": "2"}, 1, (LOWEST, LOWEST))
    with (
        Runner(workers=1) as runner,
        pytest.raises(RunnerError, match=r"match m7 could not be played in 3 attempts: .*'2'; it must be one of"),
    ):
        list(runner.run([impossible]))
    assert traces.all_gone()


def test_a_runner_can_be_used_again_after_a_run_that_was_not_read_to_its_end() -> None:
    slow = MatchSpec("slow", "bluff", {}, 1, (fixture_bot("misbehaving.py", "hangs"), LOWEST), Clock(cap_ms=60_000))
    with Runner(workers=1, matches_per_worker=2) as runner:
        next(runner.run([slow, *specs(1)]))
        assert [record.key for record in runner.run(specs(1))] == ["0"]


def test_nothing_survives_the_killing_of_the_runners_process(traces: Traces) -> None:
    process = endless_run()
    process.kill()
    process.communicate()
    assert traces.all_gone()


def test_an_interrupt_from_the_terminal_is_heard_by_the_runner_alone(traces: Traces) -> None:
    process = endless_run()
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate()
    assert process.returncode == 130
    assert complaints == ""
    assert traces.all_gone()


def test_nothing_survives_when_worker_and_runner_are_killed_together(traces: Traces) -> None:
    process = endless_run()
    workers = [pid for pid, command in traces.processes().items() if "arena.worker" in command]
    for pid in (*workers, process.pid):
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert traces.all_gone()


def test_a_bot_may_end_its_process_after_every_match() -> None:
    with Runner(workers=1) as runner:
        short_lived = fixture_bot("misbehaving.py", "ends with its match")
        matches = [MatchSpec(str(number), "bluff", {}, number, (short_lived, LOWEST)) for number in range(4)]
        assert not any(record.faults for record in runner.run(matches))


@pytest.mark.parametrize(("workers", "matches"), [(0, 1), (1, 0)])
def test_a_runner_needs_at_least_one_of_each(workers: int, matches: int) -> None:
    with pytest.raises(ValueError, match="is 0; it must be at least 1"):
        Runner(workers, matches)
