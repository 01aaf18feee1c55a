"""What a fit lets expect of each seat at a table, and by how much that was exceeded."""

from math import sqrt

import numpy as np
from scipy.special import ndtr

from ballcourt.leaderboard.model.fit.arrays import Floats, Tables, pairs_of
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.scale import BETA


def beyond_expectation(tables: Tables, fit: PairFit) -> Floats:
    """Return by how many opponents more than expected each seat was placed above, in units of a table's opponents."""
    strength = fit.skill[tables.entrant] + (fit.seat[tables.seat] if fit.seat.size else 0.0)
    beyond = np.zeros(len(tables.entrant))
    for pairs in pairs_of(tables):
        expected = ndtr((strength[pairs.above] - strength[pairs.below]) / (sqrt(2) * BETA))
        gained = np.where(pairs.tied, 0.5, 1.0) - expected
        np.add.at(beyond, pairs.above, gained)
        np.add.at(beyond, pairs.below, -gained)
    return beyond / np.repeat(tables.sizes - 1, tables.sizes)
