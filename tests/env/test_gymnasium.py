"""The Gymnasium environment, by Gymnasium's own tests."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from ballcourt.engine.core import IllegalAction
from ballcourt.env import Env, EnvError
from ballcourt.env.opponents import FirstOpponent, RandomOpponent
from tests.needs import library

library("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from ballcourt.env.gymnasium import SeatEnv  # noqa: E402


@pytest.mark.filterwarnings("ignore")  # infinite bounds, and no spec
@pytest.mark.parametrize(("name", "opponents"), [("ahau", 0), ("ahau", 2), ("maya", 1), ("tzolkin", 3)])
def test_check_env_passes(name: str, opponents: int) -> None:
    check_env(SeatEnv(name, [RandomOpponent() for _ in range(opponents)], illegal="first"))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_learner_decides_for_its_seat_only_until_the_match_ends(seat: int) -> None:
    env = SeatEnv("tzolkin", [RandomOpponent(), FirstOpponent()], seat=seat)
    vector, info = env.reset(seed=4)
    over = False
    while not over:
        assert env.table.seat == seat
        assert np.flatnonzero(info["action_mask"]).tolist() == env.table.legal
        np.testing.assert_array_equal(vector, env.table.vector(seat))
        vector, reward, over, cut, info = env.step(env.table.legal[-1])
        assert not cut
        assert over or reward == 0
    assert reward == env.table.state.returns()[seat]
    assert not env.action_masks().any()


def test_the_same_seed_gives_the_same_match_against_random_opponents() -> None:
    vectors = []
    for _ in range(2):
        env = SeatEnv("maya", [RandomOpponent()], seat=1)
        env.reset(seed=6)
        for _ in range(10):
            env.step(env.table.legal[0])
        vectors.append(env.table.vector(1))
    np.testing.assert_array_equal(vectors[0], vectors[1])


def test_an_illegal_action_raises_or_is_counted() -> None:
    strict = SeatEnv("maya", [FirstOpponent()])
    strict.reset(seed=1)
    with pytest.raises(IllegalAction):
        strict.step(0)
    lenient = SeatEnv("maya", [FirstOpponent()], illegal="first")
    lenient.reset(seed=1)
    assert lenient.step(0)[-1]["illegal_actions"] == 1
    assert lenient.reset(seed=1)[-1]["illegal_actions"] == 0


def test_an_illegal_action_of_an_opponent_always_raises() -> None:
    class Cheat(FirstOpponent):
        def choose(self, env: Env) -> int:
            return 0

    env = SeatEnv("maya", [Cheat()], seat=1, illegal="first")
    with pytest.raises(IllegalAction, match="the opponent in seat 0 plays action 0, which is not legal"):
        env.reset(seed=1)


def test_it_can_be_vectorised_with_resets_in_the_same_step() -> None:
    def make() -> SeatEnv:
        return SeatEnv("maya", [RandomOpponent()])

    envs = SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    _, info = envs.reset(seed=1)
    ended = 0
    while not ended:
        _, rewards, over, _, info = envs.step(info["action_mask"].argmax(axis=1))
        ended += int(over.sum())
    assert set(np.unique(rewards)) <= {-1.0, 0.0, 1.0}
    assert info["action_mask"].any(axis=1).all()
    assert "final_obs" in info


def test_wrong_settings_are_refused_in_one_sentence() -> None:
    with pytest.raises(EnvError, match="seat 2 is not at a table of 2"):
        SeatEnv("maya", [FirstOpponent()], seat=2)
    with pytest.raises(EnvError, match="illegal is 'ignore'; it must be one of raise, first"):
        SeatEnv("maya", [FirstOpponent()], illegal="ignore")  # type: ignore[arg-type]


def test_random_opponents_choose_independently_of_each_other() -> None:
    chosen = []
    for seat in (1, 2):
        opponent = RandomOpponent()
        place = cast(Env, SimpleNamespace(seed=1, seat=seat, legal=[*range(100)]))
        opponent.match_started(place)
        chosen.append([opponent.choose(place) for _ in range(10)])
    assert chosen[0] != chosen[1]
