"""One match as an environment."""

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from ballcourt.engine.core import IllegalAction, InvalidOption, State
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game
from ballcourt.env import Env, EnvError
from tests.bluff import GAME as BLUFF
from tests.env.positions import TABLES


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_asks_the_seats_that_the_rules_ask_and_ends_with_their_returns(name: str, seats: int) -> None:
    env = Env(name, seats, skip_forced=False)
    env.reset(seed=5)
    state: State = find_game(name).initial_state(seats, 5)
    draw = Random(1)
    while not env.done:
        assert env.seat == state.pending_seats()[0]
        assert env.legal == state.legal_actions(env.seat)
        assert env.returns() == [0.0] * seats
        action = draw.choice(env.legal)
        state.apply(env.seat, action)
        env.step(action)
    assert state.pending_seats() == []
    assert env.returns() == state.returns()
    assert env.legal == []


def test_forced_decisions_are_skipped_unless_they_are_asked_for() -> None:
    env = Env("tzolkin", 2)
    env.reset(seed=3)
    while not env.done:
        assert len(env.legal) > 1
        env.step(env.legal[-1])
    env = Env("tzolkin", 2, skip_forced=False)
    env.reset(seed=3)
    forced = 0
    while not env.done:
        forced += len(env.legal) == 1
        env.step(env.legal[-1])
    assert forced


def test_the_mask_marks_the_legal_actions_of_the_seat_to_act_only() -> None:
    env = Env("maya", 3)
    env.reset(seed=1)
    mask = env.mask()
    assert mask.dtype == np.int8
    assert mask.shape == (len(env.game.action_names),)
    assert np.flatnonzero(mask).tolist() == env.legal
    assert not env.mask(1).any()


def test_a_seat_that_is_not_asked_can_be_looked_at_too() -> None:
    env = Env("maya", 2)
    env.reset(seed=1)
    assert env.observation() == observe(env.state, env.seat)
    assert env.observation(1) == observe(env.state, 1)
    assert env.vector(1).shape == (len(env.features),)


def test_without_a_seed_the_matches_follow_from_the_last_one() -> None:
    one, other = Env("maya"), Env("maya")
    one.reset(seed=9)
    other.reset(seed=9)
    seeds = []
    for _ in range(3):
        one.reset()
        other.reset()
        assert one.seed == other.seed
        seeds.append(one.seed)
    assert len(set(seeds)) == 3


def test_the_reward_may_be_the_score() -> None:
    env = Env("tzolkin", 2, reward="score")
    env.reset(seed=1)
    while not env.done:
        env.step(env.legal[0])
    assert env.returns() == env.state.scores()


def pickled(env: Env) -> object:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("duplicate", [Env.clone, copy.copy, copy.deepcopy, pickled])
def test_a_copy_goes_its_own_way(duplicate: object) -> None:
    assert callable(duplicate)
    env = Env("maya", 2)
    env.reset(seed=1)
    assert env.vector().any()
    other = duplicate(env)
    assert other.features == env.features
    rows = env.state.to_rows()
    other.step(other.legal[0])
    assert env.state.to_rows() == rows
    env.reset()
    other.reset()
    assert env.seed == other.seed


def test_an_illegal_action_changes_nothing() -> None:
    env = Env("maya", 2)
    env.reset(seed=1)
    rows = env.state.to_rows()
    with pytest.raises(IllegalAction, match="action 0 of seat 0 is not legal"):
        env.step(0)
    assert env.state.to_rows() == rows


def test_a_step_after_the_end_says_what_to_do() -> None:
    env = Env("maya", 2)
    env.reset(seed=1)
    while not env.done:
        env.step(env.legal[0])
    with pytest.raises(EnvError, match=r"the match is over; call reset\(\)"):
        env.step(1)
    with pytest.raises(EnvError, match="name the seat"):
        env.vector()


def test_wrong_settings_are_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidOption, match="maya is not played by 7"):
        Env("maya", 7)
    with pytest.raises(EnvError, match="the reward is 'points'; it must be one of placement, score"):
        Env("maya", reward="points")  # type: ignore[arg-type]
    with pytest.raises(EnvError, match="seat 2 is not at a table of 2"):
        Env("maya", 2).vector(2)
    with pytest.raises(InvalidOption, match="seed -1 is out of range"):
        Env("maya").reset(seed=-1)


def test_a_game_without_features_is_played_without_vectors() -> None:
    env = Env(BLUFF, 2)
    env.reset(seed=1)
    assert env.observation().seats == 2
    with pytest.raises(EnvError, match=r"the game bluff declares no features; write a features.py"):
        env.vector()


@pytest.mark.parametrize("integer", [np.int64, np.int32, np.uint16])
def test_integers_of_numpy_are_actions_and_seeds(integer: type[np.integer[Any]]) -> None:
    env, other = Env("maya", 2), Env("maya", 2)
    env.reset(integer(7))
    other.reset(7)
    for _ in range(40):
        env.step(integer(env.mask().argmax()))
        other.step(other.legal[0])
    assert env.seed == 7
    assert repr(env.state) == repr(other.state)


def test_integers_of_numpy_are_actions_of_all_seats_at_once() -> None:
    env = Env("ahau", 3)
    env.reset(seed=1)
    while len(env.asked) < 2:
        env.step(env.legal[0])
    env.step_together({seat: env.mask(seat).argmax() for seat in env.asked})
