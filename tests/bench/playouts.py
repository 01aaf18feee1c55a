"""Random playouts and clones of every game beside those of OpenSpiel's backgammon, which is written in C++.

Both are driven from Python, one call per question, as a search bot would.
"""

import random
from functools import partial
from itertools import count
from time import process_time
from typing import Any

import pyspiel

from ballcourt.engine.core import Game, State
from ballcourt.engine.registry import games
from tests.bench.measure import COMPILED, Line, in_turns

PLAYOUT_BUDGET = 1 / 3 if COMPILED else 1.0
CLONE_BUDGET = 1.0
MATCHES = 12
CLONED_EVERY = 10
CLONES = 200

BACKGAMMON: Any = pyspiel.load_game("backgammon")
SEEDS = count()


def lines(rounds: int) -> list[Line]:
    """Measure the smallest and the largest table of every game."""
    found = []
    for game in games().values():
        for seats in (game.seat_counts[0], game.seat_counts[-1]):
            name = f"{game.name}, {seats} seats, beside backgammon:"
            found += [
                in_turns(f"{name} decision", partial(decision, game, seats), their_decision, rounds, PLAYOUT_BUDGET),
                in_turns(f"{name} clone", partial(clone, game, seats), their_clone, rounds, CLONE_BUDGET),
            ]
    return found


def decision(game: Game, seats: int) -> float:
    """Play random matches; microseconds per decision."""
    seconds, decisions = 0.0, 0
    for _ in range(MATCHES):
        seed = next(SEEDS)
        state, draw = game.initial_state(seats, seed), random.Random(seed).random
        began = process_time()
        while pending := state.pending_seats():
            legal = state.legal_actions(pending[0])
            state.apply(pending[0], legal[int(draw() * len(legal))])
            decisions += 1
        seconds += process_time() - began
    return seconds / decisions * 1e6


def their_decision() -> float:
    """Play random matches of backgammon; microseconds per decision of a player, the dice included."""
    seconds, decisions = 0.0, 0
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
                decisions += 1
        seconds += process_time() - began
    return seconds / decisions * 1e6


def clone(game: Game, seats: int) -> float:
    """Clone positions all along a random match; microseconds per clone."""
    return _clone_time(_positions(game, seats, next(SEEDS)))


def _positions(game: Game, seats: int, seed: int) -> list[State]:
    state, chance = game.initial_state(seats, seed), random.Random(seed)
    positions: list[State] = []
    for number in count():
        if not (pending := state.pending_seats()):
            break
        if number % CLONED_EVERY == 0:
            positions.append(state.clone())
        state.apply(pending[0], chance.choice(state.legal_actions(pending[0])))
    return positions


def their_clone() -> float:
    """Clone positions all along a random match of backgammon; microseconds per clone."""
    state, chance = BACKGAMMON.new_initial_state(), random.Random(next(SEEDS))
    positions = []
    for number in count():
        if state.is_terminal():
            break
        if number % CLONED_EVERY == 0:
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
