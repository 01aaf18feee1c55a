"""How often intervals contain the truth, how often the bot rated highest is the best, and how far ratings are off."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.jackknife import allowing_for, covariance
from ballcourt.leaderboard.model.fit.pairs import PairFit, fit_pairs
from ballcourt.leaderboard.model.fit.questions import ranks
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import Z95
from tests.calibrate.peers import batch_ep, centred, openskill, rescaled_error, squared_error
from tests.calibrate.worlds import World, draw_bots, play, truth

FIRST_END = 10
"""After how many blocks a league may be ended by friends of a bot."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares over all leagues of a world, 0 to 1: of ratings and differences inside their 95 % intervals."""

    ratings: float
    differences: float
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
    ratings, differences, claimed, was, own, ep, rescaled, *peers = found.mean(axis=0)
    error = np.sqrt((found[:, 2] * (1 - found[:, 2])).sum()) / leagues
    return Coverage(
        ratings, differences, claimed, was, error, np.sqrt(own), np.sqrt(own / ep), np.sqrt(rescaled / min(peers))
    )


def _league(world: World, chance: np.random.Generator) -> tuple[float, ...]:
    model = TrueSkill()
    bots = draw_bots(world, chance)
    true = truth(world, bots, chance, model)
    tables = play(world, bots, chance)
    fit = fit_pairs(tables, model)
    rating, known = _rated(tables, fit, model)
    best = int(np.argmax(rating))
    return (
        float(np.mean(np.abs(rating - true) <= Z95 * np.sqrt(np.diag(known)))),
        _differences(rating - true, known),
        float(ranks(rating, known, tables).best[best]),
        float(true[best] == true.max()),
        squared_error(rating, true),
        squared_error(batch_ep(tables, fit, model), true),
        rescaled_error(rating, true),
        *(rescaled_error(theirs, true) for theirs in openskill(tables, chance)),
    )


def looked_at(world: World, leagues: int, seed: int = 0) -> tuple[float, float, list[tuple[int, float]]]:
    """Look at leagues of a world after each of the first blocks, then whenever 7 % more have been played.

    Return the share of leagues in which all ranges of ranks held at every look, 0 to 1; the share in which the rating
    of a bot would have been inside its interval if its friends had ended the league when it looked best; and how many
    ranks a range has on average, by the number of blocks.
    """
    looks = [1]
    while looks[-1] < world.blocks:
        looks.append(min(world.blocks, max(looks[-1] + 1, int(looks[-1] * 1.07))))
    children = np.random.SeedSequence([seed, 2]).spawn(leagues)
    found = (_looks(world, looks, np.random.default_rng(child)) for child in children)
    held, favourites, widths = zip(*found, strict=True)
    return fmean(held), fmean(favourites), [*zip(looks, np.mean(widths, axis=0).tolist(), strict=True)]


def _looks(world: World, looks: Sequence[int], chance: np.random.Generator) -> tuple[bool, bool, list[float]]:
    model, bots = TrueSkill(), draw_bots(world, chance)
    true, tables, widths, held = truth(world, bots, chance, model), play(world, bots, chance), [], True
    above, level = (true > true[:, None]).sum(axis=1), (true >= true[:, None]).sum(axis=1)  # equals have either rank
    favourite, highest, inside = world.bots // 2, -np.inf, True
    for count in looks:
        some = _of_blocks(tables, count)
        rating, known = _rated(some, fit_pairs(some, model), model)
        if count >= FIRST_END and rating[favourite] > highest:
            highest = rating[favourite]
            inside = bool(abs(highest - true[favourite]) <= Z95 * np.sqrt(known[favourite, favourite]))
        found = ranks(rating, known, some)
        held = held and bool(((found.first <= level) & (found.last > above)).all())
        widths.append(float((found.last - found.first + 1).mean()))
    return held, inside, widths


def _of_blocks(tables: Tables, count: int) -> Tables:
    """Return the tables of the first blocks."""
    kept = tables.block < count
    entry = np.repeat(kept, tables.sizes)
    starts = np.concatenate([[0], np.cumsum(tables.sizes[kept])])
    return Tables(
        tables.entrants, starts, tables.entrant[entry], tables.place[entry], tables.seat[entry], tables.block[kept]
    )


def _rated(tables: Tables, fit: PairFit, model: TrueSkill) -> tuple[Floats, Floats]:
    """Return ratings, less the mean of the prior, and their covariance, as tables have them."""
    rating = solve(tables, fit, model).mu - model.mean
    return rating, allowing_for(rating - centred(fit.skill), covariance(Blocks(tables), fit, model))


def _differences(error: Floats, known: Floats) -> float:
    """Return the share of pairs whose difference is inside its interval."""
    one, other = np.triu_indices(error.size, 1)
    variance = known[one, one] + known[other, other] - 2 * known[one, other]
    return float(np.mean(np.abs(error[one] - error[other]) <= Z95 * np.sqrt(variance)))
