"""Why a skill changed: a change of the fit split over the tables that were added.

At the old maximum the gradient of the old tables and the prior is zero, so only the added tables pull. Newton's step
H^-1 g is a sum over them. With the mean of the curvatures at both ends of the way as H, the step ends where the new
maximum is, but for terms of third order.
"""

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats, Tables, pairs_of
from ballcourt.leaderboard.model.fit.pairs import PairFit, compared, curvature_with, slopes
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill


def contributions(added: Tables, old: PairFit, lever: Floats, model: TrueSkill) -> Floats:
    """Return by how many rating points each of the added tables changes the skill that the `levers` are of.

    `old` is the fit of the tables before.
    """
    skill, margin = lever[: added.entrants], lever[-1]
    seat = lever[added.entrants : -1] if lever.size > added.entrants + 1 else np.zeros(1)
    total = np.zeros(len(added.sizes))
    for pairs in pairs_of(added):
        data = compared(added, pairs)
        found = slopes(data, old.skill, old.seat, old.margin, model)
        gap = skill[data.above] - skill[data.below] + seat[data.seat_above] - seat[data.seat_below]
        margin_pull = -found.pull
        margin_pull[found.tied] = found.margin_pull
        total += np.bincount(pairs.table, found.pull * gap + margin_pull * margin, total.size)
    return total


def levers(tables: Tables, old: PairFit, new: PairFit, entrant: int, model: TrueSkill) -> Floats:
    """Return by how much a unit of pull on each parameter moves the entrant's skill, relative to the mean skill.

    `new` is the fit of `tables`, `old` that of fewer.
    """
    curvature = (curvature_with(tables, old, model) + curvature_with(tables, new, model)) / 2
    aim = np.zeros(curvature.shape[0])
    aim[: tables.entrants] = -1 / tables.entrants
    aim[entrant] += 1
    return np.asarray(np.linalg.solve(curvature, aim), np.float64)
