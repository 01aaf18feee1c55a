"""How often intervals contain the truth, how often the bot rated highest is the best, and how far ratings are off."""

from dataclasses import dataclass

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.jackknife import allowing_for, covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.questions import ranks
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import Z95
from tests.calibrate.peers import batch_ep, centred, openskill, rescaled_error, squared_error
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
    best_error: float
    """Standard error of the difference between the two, if what is said is right."""
    rmse: float
    """Root of the mean squared error of ratings, in units of beta."""
    of_ep: float
    """The same as a multiple of that of TrueSkill's fixed point, which knows no seats."""
    of_openskill: float
    """The same, both after the best common factor, as a multiple of that of openskill's best model."""


def coverage(world: World, leagues: int, seed: int = 0) -> Coverage:
    """Simulate leagues of a world."""
    children = np.random.SeedSequence([seed, 1]).spawn(leagues)
    found = np.array([_league(world, np.random.default_rng(child)) for child in children])
    ratings, differences, rank, claimed, was, own, ep, rescaled, *peers = found.mean(axis=0)
    error = np.sqrt((found[:, 3] * (1 - found[:, 3])).sum()) / leagues
    return Coverage(
        ratings, differences, rank, claimed, was, error, np.sqrt(own), np.sqrt(own / ep), np.sqrt(rescaled / min(peers))
    )


def _league(world: World, chance: np.random.Generator) -> tuple[float, ...]:
    model = TrueSkill()
    bots = draw_bots(world, chance)
    true = truth(world, bots, chance, model)
    tables = play(world, bots, chance)
    fit = fit_pairs(tables, model)
    rating = solve(tables, fit, model).mu - model.mean
    known = allowing_for(rating - centred(fit.skill), covariance(Blocks(tables), fit, model))
    open_ranks = ranks(rating, known)
    true_rank = np.argsort(np.argsort(-true)) + 1
    best = int(np.argmax(rating))
    return (
        float(np.mean(np.abs(rating - true) <= Z95 * np.sqrt(np.diag(known)))),
        _differences(rating - true, known),
        float(np.mean((open_ranks.first <= true_rank) & (true_rank <= open_ranks.last))),
        float(open_ranks.best[best]),
        float(true[best] == true.max()),
        squared_error(rating, true),
        squared_error(batch_ep(tables, fit, model), true),
        rescaled_error(rating, true),
        *(rescaled_error(theirs, true) for theirs in openskill(tables, chance)),
    )


def _differences(error: Floats, known: Floats) -> float:
    """Return the share of pairs whose difference is inside its interval."""
    one, other = np.triu_indices(error.size, 1)
    variance = known[one, one] + known[other, other] - 2 * known[one, other]
    return float(np.mean(np.abs(error[one] - error[other]) <= Z95 * np.sqrt(variance)))
