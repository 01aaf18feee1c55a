"""How often intervals contain the truth, and how often the bot rated highest is the best."""

from dataclasses import dataclass

import numpy as np

from ballcourt.leaderboard.fit.arrays import Floats
from ballcourt.leaderboard.fit.ep import solve
from ballcourt.leaderboard.fit.jackknife import covariance
from ballcourt.leaderboard.fit.model import Model
from ballcourt.leaderboard.fit.pairs import fit_pairs
from ballcourt.leaderboard.fit.questions import ranks
from ballcourt.leaderboard.scale import BETA, Z95
from tests.calibrate.worlds import World, draw_bots, play, truth


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares over all leagues of a world, 0 to 1: of ratings and differences inside their 95 % intervals."""

    ratings: float
    differences: float
    ranks: float
    """Share of true ranks inside their ranges."""
    said_best: float
    """Mean stated probability that the bot with the highest rating is the best."""
    was_best: float
    """Share of leagues in which it was."""
    rmse: float
    """Root of the mean squared error of ratings, in units of beta."""


def coverage(world: World, leagues: int, seed: int = 0) -> Coverage:
    """Simulate leagues of a world."""
    children = np.random.SeedSequence([seed, 1]).spawn(leagues)
    found = [_league(world, np.random.default_rng(child)) for child in children]
    ratings, differences, rank, said, was, squares = np.mean(found, axis=0)
    return Coverage(ratings, differences, rank, said, was, float(np.sqrt(squares)))


def _league(world: World, chance: np.random.Generator) -> tuple[float, ...]:
    model = Model()
    bots = draw_bots(world, chance)
    true = truth(world, bots, chance, model)
    tables = play(world, bots, chance)
    fit = fit_pairs(tables, model)
    known = covariance(tables, fit, model)
    rating = solve(tables, fit, model).mu - model.mean
    open_ranks = ranks(rating, known)
    true_rank = np.argsort(np.argsort(-true)) + 1
    best = int(np.argmax(rating))
    return (
        float(np.mean(np.abs(rating - true) <= Z95 * np.sqrt(np.diag(known)))),
        _differences(rating - true, known),
        float(np.mean((open_ranks.first <= true_rank) & (true_rank <= open_ranks.last))),
        float(open_ranks.best[best]),
        float(true[best] == true.max()),
        float(np.mean((rating - true) ** 2) / BETA**2),
    )


def _differences(error: Floats, known: Floats) -> float:
    """Return the share of pairs whose difference is inside its interval."""
    one, other = np.triu_indices(error.size, 1)
    variance = known[one, one] + known[other, other] - 2 * known[one, other]
    return float(np.mean(np.abs(error[one] - error[other]) <= Z95 * np.sqrt(variance)))
