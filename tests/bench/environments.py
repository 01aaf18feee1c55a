"""Steps of environments compared with the bare rules, and with PettingZoo's connect four and OpenSpiel's hearts.

A step of a batch fills vectors and masks; the choice of actions is not measured. By instructions, it is about twice a
bare decision. It takes longer than that, as the positions and vectors of 256 matches do not stay in the cache: "rules
in turn" are the bare rules over these positions. While other programs use the caches and the memory, a batch takes up
to twice as long and the bare rules do not, so the ratio means little then.
"""

from functools import cache, partial
from itertools import count
from random import Random
from time import process_time
from typing import Any

import numpy as np
from open_spiel.python import rl_environment
from pettingzoo.classic.connect_four.connect_four import env as connect_four_env

from ballcourt.engine.core import Game
from ballcourt.engine.registry import games
from ballcourt.env import BatchEnv, Env
from tests.bench.measure import Line, in_turns
from tests.bench.playouts import decision

SEATS = 4
TABLES = 256
STEPS = 20
STEP_BUDGET = 1.5
BATCH_BUDGET = 2.5
CONNECT_FOUR_BUDGET = 1 / 8
HEARTS_BUDGET = 1 / 20
SEEDS = count()


def lines(rounds: int) -> list[Line]:
    """Measure every game at four seats; forced decisions count, as they do for the others."""
    found = []
    for game in games().values():
        name = f"{game.name}, {SEATS} seats,"
        batch = partial(batch_step, game.name)
        found += [
            in_turns(
                f"{name} step against rules", partial(step, game), partial(decision, game, SEATS), rounds, STEP_BUDGET
            ),
            in_turns(f"{name} batch against rules", batch, partial(decision, game, SEATS), rounds, BATCH_BUDGET),
            in_turns(f"{name} batch against rules in turn", batch, partial(in_turn, game.name), rounds),
            in_turns(f"{name} batch against connect four", batch, connect_four, rounds, CONNECT_FOUR_BUDGET),
            in_turns(f"{name} batch against hearts", batch, hearts, rounds, HEARTS_BUDGET),
        ]
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
def _batch(game: str) -> BatchEnv:
    """Return a batch whose matches are at different points of the game."""
    batch = BatchEnv(game, TABLES, SEATS, skip_forced=False)
    batch.reset(seed=1)
    for _ in range(10 * STEPS):
        batch.step(_chosen(batch))
    return batch


def _chosen(batch: BatchEnv) -> Any:  # noqa: ANN401
    rng = np.random.default_rng(next(SEEDS))
    return (rng.random(batch.masks.shape, np.float32) * batch.masks).argmax(axis=1)


def batch_step(game: str) -> float:
    """Step 256 matches at random; return the microseconds per match and step."""
    batch, seconds = _batch(game), 0.0
    for _ in range(STEPS):
        actions = _chosen(batch)
        began = process_time()
        batch.step(actions)
        seconds += process_time() - began
    return seconds / (STEPS * TABLES) * 1e6


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
