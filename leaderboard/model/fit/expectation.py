"""What a fit lets expect of each seat at a table, by how much that was exceeded, and whether that goes on for long."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, pairs_of
from ballcourt.leaderboard.model.fit.jackknife import Between
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


def in_streaks(found: Sequence[Between], entrants: int) -> tuple[bool, Integers]:
    """Return whether results go up and down over many blocks: those of the whole field, and of which entrants.

    The residual of an entrant in a block is its pull there, less the mean of its pulls: the prior holds a bot that wins
    all its matches below what it does, in each block. Where blocks are independent, products of residuals in
    neighbouring blocks have the mean 0; their sum is compared with the root of the sum of their squares. With a
    probability of 1 %, or less, any sum is found too large by chance.
    """
    block = np.concatenate([one.blocks.repeat(one.members.shape[1]) for one in found])
    entrant = np.concatenate([one.members.ravel() for one in found])
    beyond = np.concatenate([one.pull.sum(axis=2).ravel() for one in found])
    order = np.lexsort((block, entrant))
    block, entrant, beyond = block[order], entrant[order], beyond[order]
    mean = _sums(entrant, beyond) / np.maximum(np.bincount(entrant), 1)
    beyond = np.where(np.isclose(beyond, mean[entrant], rtol=1e-9, atol=0), 0.0, beyond - mean[entrant])
    product = np.where(entrant[1:] == entrant[:-1], beyond[1:] * beyond[:-1], 0.0)
    limit = ndtri(1 - 0.01 / (entrants + 1))
    by_entrant = _in_units_of_chance(_sums(entrant[1:], product), _sums(entrant[1:], product**2))
    by_block = _sums(block[1:], product)
    whole = _in_units_of_chance(by_block.sum(keepdims=True), (by_block**2).sum(keepdims=True))
    return bool(whole[0] > limit), np.flatnonzero(by_entrant > limit)


def _sums(group: Integers, values: Floats) -> Floats:
    return np.asarray(np.bincount(group, values), np.float64)


def _in_units_of_chance(total: Floats, squares: Floats) -> Floats:
    return np.divide(total, np.sqrt(squares), out=np.zeros_like(total), where=squares > 0)
