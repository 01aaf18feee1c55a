"""A game in RLlib's wrapper of PettingZoo environments. CI has no Ray, which is large, so there this is skipped."""

import pytest

from ballcourt.env import Env
from tests.needs import library

pytest.importorskip(
    "ray.rllib.env.wrappers.pettingzoo_env",
    reason="Ray, 260 MB, is not installed: pip install ray[rllib]",
    exc_type=ImportError,
)
library("pettingzoo")

from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv  # noqa: E402

from ballcourt.env.pettingzoo import aec_env  # noqa: E402


def test_a_match_is_the_same_through_rllib() -> None:
    env = PettingZooEnv(aec_env("maya", seats=2))
    seen, _ = env.reset(seed=1)
    ours = Env("maya", 2)
    ours.reset(1)
    over = {"__all__": False}
    while not over["__all__"]:
        ((agent, observation),) = seen.items()
        assert agent == f"player_{ours.seat}"
        assert observation["action_mask"].tolist() == ours.mask().tolist()
        assert observation["observation"].tolist() == ours.vector().tolist()
        action = int(observation["action_mask"].argmax())
        seen, rewards, over, _, _ = env.step({agent: action})
        ours.step(action)
    assert ours.done
    assert [rewards[f"player_{seat}"] for seat in range(2)] == ours.returns()
