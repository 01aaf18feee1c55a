"""Random playouts and clones of every game compared with those of OpenSpiel's backgammon, which is written in C++.

Both are driven from Python, one call per question, as a search bot would.
"""

import random
from functools import partial
from itertools import count
from time import process_time
from typing import Any

import pyspiel

from ballcourt.engine.core import Game, State
from ballcourt.engine.core.playout import Choice, decisions, playout
from ballcourt.engine.registry import games
from tests.bench.measure import COMPILED, Line, in_turns

PLAYOUT_BUDGET = 1 / 3 if COMPILED else 1.0
CLONE_BUDGET = 1.0
MATCHES = 12
EVERY = 10
CLONES = 200

BACKGAMMON: Any = pyspiel.load_game("backgammon")
SEEDS = count()


def lines(rounds: int) -> list[Line]:
    """Measure the smallest and the largest table of every game."""
    found = []
    for game in games().values():
        for seats in (game.seat_counts[0], game.seat_counts[-1]):
            name = f"{game.name}, {seats} seats, against backgammon:"
            found += [
                in_turns(f"{name} decision", partial(decision, game, seats), their_decision, rounds, PLAYOUT_BUDGET),
                in_turns(f"{name} clone", partial(clone, game, seats), their_clone, rounds, CLONE_BUDGET),
            ]
    return found


def decision(game: Game, seats: int) -> float:
    """Play random matches; return the microseconds per decision."""
    seconds, made = 0.0, 0
    for _ in range(MATCHES):
        seed = next(SEEDS)
        state, choose = game.initial_state(seats, seed), _at_random(seed)
        began = process_time()
        made += playout(state, choose)
        seconds += process_time() - began
    return seconds / made * 1e6


def their_decision() -> float:
    """Play random matches of backgammon; return the microseconds per decision of a player, dice included."""
    seconds, made = 0.0, 0
    for _ in range(MATCHES):
        state, draw = BACKGAMMON.new_initial_state(), random.Random(next(SEEDS)).random
        began = process_time()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                made += 1
        seconds += process_time() - began
    return seconds / made * 1e6


def clone(game: Game, seats: int) -> float:
    """Clone positions along a random match; return the microseconds per clone."""
    return _clone_time(_positions(game, seats, next(SEEDS)))


def _positions(game: Game, seats: int, seed: int) -> list[State]:
    state = game.initial_state(seats, seed)
    following = (state.clone() for number, _ in enumerate(decisions(state, _at_random(seed)), 1) if not number % EVERY)
    return [state.clone(), *following]


def _at_random(seed: int) -> Choice:
    """Return a random policy, as fast as the one that backgammon is played with."""
    draw = random.Random(seed).random
    return lambda legal: legal[int(draw() * len(legal))]


def their_clone() -> float:
    """Clone positions along a random match of backgammon; return the microseconds per clone."""
    state, chance = BACKGAMMON.new_initial_state(), random.Random(next(SEEDS))
    positions = []
    for number in count():
        if state.is_terminal():
            break
        if number % EVERY == 0:
            positions.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return _clone_time(positions)


def _clone_time(positions: list[Any]) -> float:
    began = process_time()
    for position in positions:
        copy = position.clone
        for _ in range(CLONES):
            copy()
    return (process_time() - began) / (len(positions) * CLONES) * 1e6
