"""Whether a seat is asked at all, which others can tell by the time, in positions that look the same to them."""

from collections.abc import Iterator
from random import Random

import pytest

from ballcourt.engine.core import Game, State
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import SPECTATOR, observe
from tests.engine.conformance.test_games import GAMES

EVERY = 7
SEEDS = range(2)
KNOWN = {"maya": {"PlantMore", "PlantTile", "ExpandTile"}}
"""The questions that a seat is not asked if what others cannot see leaves it one action; see the page on threats."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_others_cannot_tell_a_secret_by_whether_a_seat_is_asked(game: Game) -> None:
    found = {type(state.frames[-1]).__name__ for state in _positions(game) if _depends_on_secrets(game, state)}
    assert found <= KNOWN.get(game.name, set())
    assert bool(found) == (game.name in KNOWN), "the page on threats says so"


def _positions(game: Game) -> Iterator[State]:
    """Yield every n-th position of some random matches at the largest table."""
    for seed in SEEDS:
        state, random, number = game.initial_state(game.seat_counts[-1], seed), Random(seed), 0
        while pending := state.pending_seats():
            if number % EVERY == 0:
                yield state
            state.apply(pending[0], random.choice(state.legal_actions(pending[0])))
            number += 1


def _depends_on_secrets(game: Game, state: State) -> bool:
    """Return whether for some observer another position is possible in which a seat is forced here or there alone."""
    chance = Stream(1)
    for observer in range(SPECTATOR, state.seats):
        other = game.sample(observe(state, observer), chance)
        if other.pending_seats() == state.pending_seats():  # no seat has answered yet, if all are asked together
            others = [seat for seat in state.pending_seats() if seat != observer]
            if any(_is_forced(state, seat) != _is_forced(other, seat) for seat in others):
                return True
    return False


def _is_forced(state: State, seat: int) -> bool:
    return len(state.legal_actions(seat)) == 1
