"""Steps of environments compared with the bare rules, PettingZoo's connect four, OpenSpiel's hearts, and fastcatan.

A step of a batch fills vectors and masks; the choice of actions is not measured. By instructions, it is about twice a
bare decision. It takes longer than that, as the positions and vectors of 256 matches do not stay in the cache: "rules
in turn" are the bare rules over these positions. While other programs use the caches and the memory, a batch takes up
to twice as long and the bare rules do not, so the ratio means little then.

fastcatan, four-player Catan in C++, is the fastest environment of a game of this kind that we know. It needs Python
3.12, so its lines are missing with Python 3.11.
"""

from functools import cache, partial
from importlib.util import find_spec
from itertools import count
from random import Random
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from open_spiel.python import rl_environment
from pettingzoo.classic.connect_four.connect_four import env as connect_four_env

from ballcourt.engine.core import Game
from ballcourt.engine.registry import games
from ballcourt.env import BatchEnv, Env
from ballcourt.env.tensors import Dtype, Ints
from tests.bench.measure import Line, in_turns
from tests.bench.playouts import decision

SEATS = 4
TABLES = 256
STEPS = 20
STEP_BUDGET = 1.5
BATCH_BUDGET = 2.5
CONNECT_FOUR_BUDGET = 1 / 8
HEARTS_BUDGET = 1 / 20
CATAN_BUDGET = 2.0
SEEDS = count()


def lines(rounds: int) -> list[Line]:
    """Measure every game at four seats; forced decisions count, as they do for the others."""
    found = []
    for game in games().values():
        name = f"{game.name}, {SEATS} seats,"
        batch, of_bytes = partial(batch_step, game.name), partial(batch_step, game.name, "uint8")
        found += [
            in_turns(
                f"{name} step against rules", partial(step, game), partial(decision, game, SEATS), rounds, STEP_BUDGET
            ),
            in_turns(f"{name} batch against rules", batch, partial(decision, game, SEATS), rounds, BATCH_BUDGET),
            in_turns(f"{name} batch against rules in turn", batch, partial(in_turn, game.name), rounds),
            in_turns(f"{name} batch against connect four", batch, connect_four, rounds, CONNECT_FOUR_BUDGET),
            in_turns(f"{name} batch against hearts", batch, hearts, rounds, HEARTS_BUDGET),
            in_turns(f"{name} batch of bytes against floats", of_bytes, batch, rounds),
        ]
        if find_spec("fastcatan"):
            found.append(in_turns(f"{name} batch of bytes against Catan", of_bytes, catan, rounds, CATAN_BUDGET))
    return found


def step(game: Game) -> float:
    """Play random matches with `Env`; return the microseconds per step."""
    env, made, seconds = Env(game, SEATS, skip_forced=False), 0, 0.0
    for _ in range(12):
        env.reset(next(SEEDS))
        draw = Random(env.seed).random
        began = process_time()
        while not env.done:
            legal = env.legal
            env.step(legal[int(draw() * len(legal))])
            made += 1
        seconds += process_time() - began
    return seconds / made * 1e6


@cache
def _batch(game: str, dtype: Dtype = "float32") -> BatchEnv:
    """Return a batch whose matches are at different points of the game."""
    batch = BatchEnv(game, TABLES, SEATS, skip_forced=False, dtype=dtype)
    batch.reset(seed=1)
    for _ in range(10 * STEPS):
        batch.step(_chosen(batch.masks))
    return batch


def _chosen(masks: NDArray[Any]) -> Ints:
    rng = np.random.default_rng(next(SEEDS))
    chosen: Ints = (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)
    return chosen


def batch_step(game: str, dtype: Dtype = "float32") -> float:
    """Step 256 matches at random; return the microseconds per match and step."""
    batch, seconds = _batch(game, dtype), 0.0
    for _ in range(STEPS):
        actions = _chosen(batch.masks)
        began = process_time()
        batch.step(actions)
        seconds += process_time() - began
    return seconds / (STEPS * TABLES) * 1e6


@cache
def _catan() -> Any:  # noqa: ANN401
    import fastcatan

    env = fastcatan.BatchedEnv(TABLES, 1)
    env.reset()
    return env


def catan() -> float:
    """Step 256 matches of Catan at random, with observations and masks; return the microseconds per match and step."""
    import fastcatan

    env, seconds = _catan(), 0.0
    masks = np.zeros((TABLES, fastcatan.MASK_WORDS), np.uint64)
    seen = np.zeros((TABLES, fastcatan.OBS_SIZE), np.float32)
    rewards, ended = np.zeros(TABLES, np.float32), np.zeros(TABLES, np.uint8)
    env.write_masks(masks)
    for _ in range(10 * STEPS):
        legal = np.unpackbits(masks.view(np.uint8), axis=1, count=fastcatan.NUM_ACTIONS, bitorder="little")
        actions = _chosen(legal).astype(np.uint32)
        began = process_time()
        env.step(actions, rewards, ended)
        env.write_masks(masks)
        env.write_obs(seen)
        seconds += process_time() - began
    return seconds / (10 * STEPS * TABLES) * 1e6


def in_turn(game: str) -> float:
    """Play one decision in each of a batch's positions in turn; return the microseconds per decision.

    The rules alone, as a batch has to call them: between two decisions of a match come those of 255 others.
    """
    part = _batch(game)._part
    assert part is not None, "the batch has one process"
    states, made = [state.clone() for state in part.matches.states], 0
    draw = Random(next(SEEDS)).random
    began = process_time()
    for _ in range(STEPS):
        for state in states:
            if pending := state.pending_seats():
                seat = pending[0]
                legal = state.legal_actions(seat)
                state.apply(seat, legal[int(draw() * len(legal))])
                made += 1
    return (process_time() - began) / made * 1e6


def connect_four() -> float:
    """Play random matches of connect four as PettingZoo wraps it; return the microseconds per step."""
    env, made, seconds = connect_four_env(), 0, 0.0
    for _ in range(12):
        env.reset(seed=next(SEEDS))
        draw = Random(made).random
        began = process_time()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(draw() * len(legal))]))
            made += 1
        seconds += process_time() - began
    return seconds / made * 1e6


@cache
def _hearts() -> Any:  # noqa: ANN401
    return rl_environment.Environment("hearts")


def hearts() -> float:
    """Play a random match of hearts through OpenSpiel's `rl_environment`; return the microseconds per step."""
    env, made = _hearts(), 0
    draw = Random(next(SEEDS)).random
    time_step = env.reset()
    began = process_time()
    while not time_step.last():
        legal = time_step.observations["legal_actions"][time_step.observations["current_player"]]
        time_step = env.step([legal[int(draw() * len(legal))]])
        made += 1
    return (process_time() - began) / made * 1e6
