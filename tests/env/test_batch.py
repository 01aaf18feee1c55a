"""Many matches as one environment: the same as one match after the other."""

import subprocess
import sys

import numpy as np
import psutil
import pytest

from ballcourt.engine.core import IllegalAction, InvalidOption
from ballcourt.engine.core.chance import stream
from ballcourt.env import BatchEnv, Env, EnvError
from ballcourt.env.processes import Processes
from ballcourt.env.tensors import DTYPES, Dtype, Ints
from tests.arena.conftest import PATIENCE_S
from tests.env.positions import ENDS

N = 2


def chosen(batch: BatchEnv, rng: np.random.Generator) -> Ints:
    """Draw a legal action for every match."""
    actions: Ints = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
    return actions


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "seats"), ENDS)
def test_it_steps_the_matches_that_single_environments_step(name: str, seats: int, dtype: Dtype) -> None:
    batch = BatchEnv(name, N, seats, dtype=dtype)
    batch.reset(seed=4)
    assert batch.observations.dtype == batch.final_observations.dtype == dtype
    singles = [Env(name, seats, dtype=dtype) for _ in range(N)]
    for table, env in enumerate(singles):
        env.reset(stream(4, f"table {table}").next64())
    rng = np.random.default_rng(1)
    ended = 0
    while not ended:
        actions = chosen(batch, rng)
        batch.step(actions)
        for table, env in enumerate(singles):
            actor = env.seat
            env.step(int(actions[table]))
            assert batch.acted[table] == actor
            assert batch.terminals[table] == env.done
            assert batch.rewards[table].tolist() == pytest.approx(env.returns())
            if env.done:
                ended += 1
                np.testing.assert_array_equal(batch.final_observations[table], env.vector(actor))
                env.reset()
            assert batch.seeds[table] == env.seed
            assert batch.acting[table] == env.seat
            np.testing.assert_array_equal(batch.observations[table], env.vector())
            np.testing.assert_array_equal(batch.masks[table], env.mask())


def test_what_ended_is_forgotten_with_the_next_step() -> None:
    batch = BatchEnv("maya", 2, 2)
    batch.reset(seed=1)
    rng = np.random.default_rng(1)
    while not batch.terminals.any():
        batch.step(chosen(batch, rng))
    assert batch.rewards.sum() == pytest.approx(0)
    assert batch.final_observations[batch.terminals].any()
    batch.step(chosen(batch, rng))
    assert not batch.terminals.any()
    assert not batch.rewards.any()
    assert not batch.final_observations.any()


def test_the_arrays_stay_the_same_objects() -> None:
    batch = BatchEnv("maya", 2, 2)
    arrays = (batch.observations, batch.masks, batch.acting, batch.rewards, batch.terminals)
    batch.reset(seed=1)
    batch.step(batch.masks.argmax(axis=1))
    after = (batch.observations, batch.masks, batch.acting, batch.rewards, batch.terminals)
    assert all(one is other for one, other in zip(arrays, after, strict=True))


@pytest.mark.parametrize("name", ["observations", "masks"])
def test_what_is_written_only_where_it_changes_cannot_be_spoilt(name: str) -> None:
    array = getattr(BatchEnv("maya", 2, 2), name)
    with pytest.raises(ValueError, match="read-only"):
        array *= 2


def test_the_same_seed_gives_the_same_matches() -> None:
    one, other = BatchEnv("tzolkin", 2, 2), BatchEnv("tzolkin", 2, 2)
    for seed in (3, None):
        one.reset(seed)
        other.reset(3) if seed else other.reset()
        assert one.seeds.tolist() == other.seeds.tolist()
        np.testing.assert_array_equal(one.observations, other.observations)
    assert one.seeds[0] != one.seeds[1]


@pytest.mark.parametrize("action", [0, -1, 10_000])
def test_an_illegal_action_steps_none_of_the_matches(action: int) -> None:
    batch = BatchEnv("maya", 2, 2)
    batch.reset(seed=1)
    actions = batch.masks.argmax(axis=1)
    before = batch.observations.copy()
    actions[1] = action
    with pytest.raises(IllegalAction, match=rf"action {action} in match 1 of the batch is not legal for seat 0"):
        batch.step(actions)
    np.testing.assert_array_equal(batch.observations, before)
    batch.step(batch.masks.argmax(axis=1))


def test_an_unsigned_action_beyond_all_others_is_illegal() -> None:
    batch = BatchEnv("maya", 1, 2)
    with pytest.raises(IllegalAction, match=f"action {2**64 - 1} in match 0 of the batch is not legal"):
        batch.step(np.array([2**64 - 1], np.uint64))


@pytest.mark.parametrize("actions", [[1], [1, 1, 1], [1.0, 1.0], [[1, 1]]])
def test_actions_of_another_shape_or_type_are_refused(actions: list[int]) -> None:
    batch = BatchEnv("maya", 2, 2)
    with pytest.raises(EnvError, match=r"step\(\) takes 2 actions, one int for each match"):
        batch.step(actions)


def test_wrong_settings_are_refused_in_one_sentence() -> None:
    with pytest.raises(EnvError, match="a batch of 0 matches is not possible"):
        BatchEnv("maya", 0)
    with pytest.raises(InvalidOption, match="maya is not played by 9"):
        BatchEnv("maya", 2, 9)
    with pytest.raises(InvalidOption, match="seed -5 is out of range"):
        BatchEnv("maya", 2).reset(seed=-5)


def test_an_integer_of_numpy_is_a_seed() -> None:
    batch, other = BatchEnv("maya", 2, 2), BatchEnv("maya", 2, 2)
    batch.reset(np.int64(3))
    other.reset(3)
    assert (batch.seeds == other.seeds).all()


SHARED = ("observations", "masks", "acting", "acted", "rewards", "terminals", "final_observations", "seeds")


def same(one: BatchEnv, other: BatchEnv) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in SHARED)


@pytest.mark.slow
def test_several_processes_step_the_same_matches_as_one() -> None:
    one, two = BatchEnv("maya", 3, 2, dtype="uint8"), BatchEnv("maya", 3, 2, dtype="uint8", processes=2)
    rng = np.random.default_rng(1)
    for seed in (4, None):
        one.reset(seed)
        two.reset(seed)
        ended = 0
        while not ended:
            assert same(one, two)
            actions = chosen(one, rng)
            one.step(actions)
            two.send(actions)
            two.receive()
            ended += int(two.terminals.sum())
        assert same(one, two)
    two.close()


@pytest.mark.slow
def test_a_process_that_is_killed_is_an_error_at_once_and_the_others_end() -> None:
    before = set(psutil.Process().children())
    batch = BatchEnv("maya", 3, 2, processes=3)
    processes = [child for child in psutil.Process().children() if child not in before]
    processes[1].kill()
    with pytest.raises(EnvError, match=f"process {processes[1].pid} of the batch ended with exit code -9"):
        batch.step(batch.masks.argmax(axis=1))
    assert not any(process.is_running() for process in processes)
    with pytest.raises(EnvError, match="the processes of this batch have ended"):
        batch.reset()


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_no_process_and_no_memory_behind() -> None:
    """The memory has no name: it is gone with the last process that has it."""
    program = "from ballcourt.env import BatchEnv; b = BatchEnv('maya', 2, 2, processes=2); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        children = psutil.Process(started.pid).children()
        shared = [one.path for child in children for one in child.memory_maps() if "ballcourt-batch" in one.path]
        started.kill()
    gone, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert (len(gone), alive) == (2, [])
    assert {path.partition(":")[0] for path in shared} == {"/memfd"}


@pytest.mark.slow
def test_an_interrupted_wait_can_be_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = BatchEnv("maya", 2, 2), BatchEnv("maya", 2, 2, processes=2)
    one.reset(1)
    two.reset(1)
    actions = one.masks.argmax(axis=1)
    two.send(actions)
    with monkeypatch.context() as patch:
        patch.setattr(Processes, "finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            two.receive()
    with pytest.raises(EnvError, match=r"send\(\) was called twice"):
        two.send(actions)
    two.receive()
    one.step(actions)
    assert same(one, two)


def interrupt(_: Processes) -> None:
    raise KeyboardInterrupt


def test_a_step_is_received_once() -> None:
    batch = BatchEnv("maya", 1, 2)
    with pytest.raises(EnvError, match=r"no step was begun; call send\(\)"):
        batch.receive()


@pytest.mark.parametrize("processes", [0, 3])
def test_there_are_no_more_processes_than_matches(processes: int) -> None:
    with pytest.raises(EnvError, match=f"processes is {processes}; a batch of 2 takes from 1 to 2"):
        BatchEnv("maya", 2, 2, processes=processes)
