"""How far apart points are: where `Game.points_spread` of the games comes from.

`python -m tests.calibrate --only spreads` plays greedy and planner at all table sizes, alternating around the table,
each seed in two opposite splits. The spread is the standard deviation of the margin between two seats of the same bot,
so it does not depend on how much stronger the one is.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.engine.core import Game
from tests.bots_sdk.ladder import new_bot, table

BOTS = ("greedy", "planner")


def spread(game: Game, seeds: int) -> tuple[float, int]:
    """Play; return the spread, and of how many margins."""
    margins = [margin for seats in game.seat_counts for seed in range(seeds) for margin in _margins(game, seats, seed)]
    return float(np.sqrt(np.mean(np.square(margins)))), len(margins)


def _margins(game: Game, seats: int, seed: int) -> Iterator[float]:
    """Yield the margins between seats with the same bot: at tables of two, both seats have it."""
    for one, other in (BOTS, BOTS[::-1]):
        names = [one, one] if seats == 2 else table(one, other, seats)
        record = play_in_process(game.name, [Session(new_bot(name)) for name in names], seed=seed)
        for first, second in combinations(range(seats), 2):
            if names[first] == names[second]:
                yield record.results[first].score - record.results[second].score
