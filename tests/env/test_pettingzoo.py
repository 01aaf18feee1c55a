"""The PettingZoo environments, by PettingZoo's own tests."""

from typing import Any

import numpy as np
import pytest

from ballcourt.engine.core import IllegalAction
from ballcourt.env import EnvError
from tests.env.positions import ENDS, TABLES
from tests.needs import library

library("pettingzoo")

from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import parallel_to_aec  # noqa: E402

from ballcourt.env.pettingzoo import BallcourtParallel, aec_env, parallel_env  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # it would rather have boxes than dicts with masks


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_api_test_passes(name: str, seats: int) -> None:
    api_test(aec_env(name, seats), num_cycles=30)
    parallel_api_test(parallel_env(name, seats), num_cycles=30)


@pytest.mark.parametrize("skip_forced", [True, False])
@pytest.mark.parametrize(("name", "seats"), ENDS)
def test_seed_test_passes(name: str, seats: int, skip_forced: bool) -> None:
    seed_test(lambda: aec_env(name, seats, skip_forced=skip_forced), num_cycles=20)
    parallel_seed_test(lambda: parallel_env(name, seats, skip_forced=skip_forced, illegal="first"), num_cycles=20)


def test_max_cycles_truncate_a_match() -> None:
    env = aec_env("maya", 2, max_cycles=4)
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    for _ in range(2):
        env.step(None)
    assert env.agents == []
    parallel = parallel_env("maya", 2, max_cycles=1)
    observations, _ = parallel.reset(seed=1)
    _, _, over, cut, _ = parallel.step(lowest(observations))
    assert all(cut.values())
    assert not any(over.values())
    assert parallel.agents == []


def test_max_cycles_test_passes_for_the_parallel_environment() -> None:
    class Module:
        @staticmethod
        def parallel_env(max_cycles: int) -> BallcourtParallel:
            return parallel_env("maya", 2, illegal="first", max_cycles=max_cycles)

        @staticmethod
        def env(max_cycles: int) -> Any:  # noqa: ANN401
            return parallel_to_aec(Module.parallel_env(max_cycles))

    max_cycles_test(Module)


def test_simultaneous_questions_are_asked_together_in_a_parallel_environment() -> None:
    env = parallel_env("tzolkin", 4)
    observations, _ = env.reset(seed=1)
    assert all(observation["action_mask"].any() for observation in observations.values())
    observations, *_ = env.step(lowest(observations))
    assert sum(observation["action_mask"].any() for observation in observations.values()) == 1


def test_the_rewards_of_a_match_come_with_its_end() -> None:
    env = aec_env("tzolkin", 3)
    env.reset(seed=2)
    while env.agents and not env.terminations[env.agent_selection]:
        assert set(env.rewards.values()) == {0.0}
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert list(env.rewards.values()) == env.env.state.returns()


def test_what_a_match_shows_is_the_vector_of_the_seat() -> None:
    env = aec_env("maya", 2, render_mode="ansi")
    env.reset(seed=1)
    np.testing.assert_array_equal(env.observe("player_1")["observation"], env.env.vector(1))
    assert not env.observe("player_1")["action_mask"].any()
    assert "seat 0 is asked" in str(env.render())


def test_an_illegal_action_or_a_missing_one_is_refused() -> None:
    env = parallel_env("maya", 2)
    env.reset(seed=1)
    with pytest.raises(EnvError, match="player_0 is asked, but the actions are those of player_1"):
        env.step({"player_1": 0})
    with pytest.raises(IllegalAction):
        env.step({"player_0": 0, "player_1": 0})
    with pytest.raises(EnvError, match="max_cycles is 0"):
        aec_env("maya", max_cycles=0)


def lowest(observations: dict[str, Any]) -> dict[str, int]:
    """Return the lowest legal action of every agent, 0 for those that are not asked."""
    return {agent: int(observation["action_mask"].argmax()) for agent, observation in observations.items()}
