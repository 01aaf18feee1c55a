"""Other ratings of the same tables: TrueSkill's own model, which has no seats, and one pass of openskill's models."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA

OPENSKILL = (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull)


def batch_ep(tables: Tables, fit: PairFit, model: TrueSkill) -> Floats:
    """Return the fixed point of TrueSkill, which knows no seats, less its mean."""
    return centred(solve(tables, replace(fit, seat=np.zeros_like(fit.seat)), model).mu)


def openskill(tables: Tables, chance: np.random.Generator) -> Iterator[Floats]:
    """Yield the ratings by each model of openskill, less their mean, after one pass in a random order."""
    order = chance.permutation(len(tables.sizes))
    spans = list(pairwise(tables.starts.tolist()))
    for kind in OPENSKILL:
        model: Any = kind()
        ratings = [model.rating() for _ in range(tables.entrants)]
        for first, last in (spans[table] for table in order):
            entrants = tables.entrant[first:last].tolist()
            teams = [[ratings[entrant]] for entrant in entrants]
            rated = model.rate(teams, ranks=tables.place[first:last].tolist())
            for entrant, team in zip(entrants, rated, strict=True):
                ratings[entrant] = team[0]
        yield centred(np.array([rating.mu for rating in ratings]))


def centred(values: Floats) -> Floats:
    """Return the values less their mean."""
    return np.asarray(values - values.mean())


def squared_error(found: Floats, true: Floats) -> float:
    """Return the mean squared error in units of beta."""
    return float(np.mean((found - true) ** 2) / BETA**2)


def rescaled_error(found: Floats, true: Floats) -> float:
    """Return the same after the best common factor: ratings on other scales may be as good in order."""
    factor = float(found @ true) / max(float(found @ found), 1e-12)
    return squared_error(factor * found, true)
