"""The published ratings of a large league compared with one pass of the `trueskill` package over the same matches."""

from functools import cache
from itertools import pairwise
from time import process_time

import numpy as np
import trueskill

from ballcourt.leaderboard.model.fit.arrays import Tables
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.jackknife import covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA, MU, SIGMA
from tests.bench.measure import Line, in_turns
from tests.calibrate.worlds import World, draw_bots, play

BUDGET = 1 / 40
BLOCKS = 25_000
SAMPLE = 250


def lines(rounds: int) -> list[Line]:
    """Measure 100,000 matches of 100 bots; the package, which takes as long for each match, on a few of them."""
    return [in_turns("100,000 matches of 100 bots, against trueskill: match", fitted, one_pass, rounds, BUDGET)]


@cache
def league() -> Tables:
    """Play the league once."""
    chance, world = np.random.default_rng(1), World(bots=100, blocks=BLOCKS)
    return play(world, draw_bots(world, chance), chance)


def fitted() -> float:
    """Fit ratings and intervals; return the CPU time per match in microseconds."""
    tables, model = league(), TrueSkill()
    start = process_time()
    fit = fit_pairs(tables, model)
    covariance(Blocks(tables), fit, model)
    solve(tables, fit, model)
    return (process_time() - start) * 1e6 / len(tables.sizes)


def one_pass() -> float:
    """Rate a few matches one after another; return the CPU time per match in microseconds."""
    tables, environment = league(), trueskill.TrueSkill(MU, SIGMA, BETA, 0.0, 0.02)
    ratings: dict[int, trueskill.Rating] = {}
    start = process_time()
    for first, last in pairwise(tables.starts[: SAMPLE + 1].tolist()):
        entrants = tables.entrant[first:last].tolist()
        groups = [(ratings.get(entrant) or environment.create_rating(),) for entrant in entrants]
        rated = environment.rate(groups, ranks=tables.place[first:last].tolist())
        ratings.update((entrant, rating) for entrant, (rating,) in zip(entrants, rated, strict=True))
    return (process_time() - start) * 1e6 / SAMPLE
