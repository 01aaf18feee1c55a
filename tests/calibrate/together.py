"""Simulated teams that test many ideas: how many of those that are believed are wrong."""

import numpy as np

from ballcourt.evaluation.betting import log_wealth
from ballcourt.evaluation.together import discoveries
from tests.calibrate.versions import WORLDS

BLOCKS = 600
REAL = 0.58
"""The share of duels that an idea wins which is better."""


def wrong_share(ideas: int, better: int, tests: int) -> tuple[float, float, float]:
    """Return the mean share of wrong ones among those believed, alone and together, and how many better ones are found.

    A team stops each comparison when it looks best, as people do.
    """
    chance = np.random.default_rng(3)
    world = WORLDS["normal, 4 seats"]
    shares = [world.with_share(REAL if idea < better else 0.5)(chance, (tests, BLOCKS)) for idea in range(ideas)]
    courses = np.array([log_wealth(blocks, 0.5, 0.55) for blocks in shares])
    # each stops at its first wealth of 20, which it would call better alone, or at the end
    reached = courses >= np.log(20)
    stops = np.where(reached.any(axis=-1), reached.argmax(axis=-1), BLOCKS - 1)
    alone = np.take_along_axis(courses, stops[..., None], axis=-1)[..., 0]
    ends = courses[..., -1]
    together = np.array([discoveries(list(column)) for column in ends.T]).T
    return _wrong(alone >= np.log(20), better), _wrong(together, better), float(together[:better].sum(axis=0).mean())


def _wrong(believed: np.ndarray, better: int) -> float:
    return float(np.mean(believed[better:].sum(axis=0) / np.maximum(believed.sum(axis=0), 1)))
