"""Positions along random matches, for tests of environments."""

from collections.abc import Iterator
from random import Random

from ballcourt.engine.core import Game, State
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.registry import games

TABLES = [(name, seats) for name in ("ahau", "maya", "tzolkin") for seats in games()[name].seat_counts]
"""Every game of ours at every number of seats."""

ENDS = [(name, games()[name].seat_counts[end]) for name in ("ahau", "maya", "tzolkin") for end in (0, -1)]
"""Every game of ours at its fewest and its most seats."""


def positions(game: Game, seats: int, seed: int, every: int = 1) -> Iterator[State]:
    """Yield each `every`-th position of a random match with random options, the last one included; not copies."""
    draw = Random(seed)
    state = game.initial_state(seats, seed, _options(game, seats, draw))
    yield state
    for number, _ in enumerate(decisions(state, draw.choice, draw.choice), start=1):
        if number % every == 0 or not state.pending_seats():
            yield state


def _options(game: Game, seats: int, draw: Random) -> dict[str, str]:
    """Draw options one by one; keep those that go together."""
    options: dict[str, str] = {}
    for option in game.options:
        wanted = {**options, option.name: draw.choice(option.choices)}
        try:
            options = game.check(seats, wanted)
        except ValueError:
            continue
    return options
