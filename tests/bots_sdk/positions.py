"""Positions of random matches, for tests of bots that search."""

from random import Random

from ballcourt.engine.core import State
from ballcourt.engine.core.playout import decisions as play
from ballcourt.engine.registry import find_game


def position(game: str, seed: int, decisions: int, seats: int = 3) -> tuple[State, int]:
    """A position of a random match with a choice to make, and the seat that is asked first."""
    state = find_game(game).initial_state(seats, seed)
    for _ in play(state, Random(seed).choice, limit=decisions):
        pass
    while len(state.legal_actions(state.pending_seats()[0])) == 1:
        seat = state.pending_seats()[0]
        state.apply(seat, state.legal_actions(seat)[0])
    return state, state.pending_seats()[0]
