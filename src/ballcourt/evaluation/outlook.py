"""What a comparison will take, before it is played: simulated tests of blocks that scatter as recorded ones."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from ballcourt.arena.tournament.schedules.formats.comparison import copies
from ballcourt.evaluation.betting import PRIOR_BLOCKS, Floats
from ballcourt.evaluation.duels import Duel, share_won
from ballcourt.evaluation.evidence import Measure, Method, Weighing, curves
from ballcourt.evaluation.points import in_points, points_share, typical_worth
from ballcourt.evaluation.question import Question
from ballcourt.leaderboard.model.scale import REACH

TESTS: Final = 400
FIRST_BLOCKS: Final = 128
MOST_BLOCKS: Final = 8192
CLIPPED: Final = 0.92
"""The variance of a normal margin in which no more than the reach counts, as a part of that of the whole margin."""
MOST_IN_TEN: Final = 0.9


@dataclass(frozen=True, slots=True)
class Fate:
    """How comparisons would end if NEW won `truth` of the duels; shares are from 0 to 1."""

    truth: float
    better: float
    short: float
    undecided: float
    """The share that has not ended after 8,192 blocks."""
    blocks: float
    """The mean number of blocks."""
    most_blocks: int
    """Nine of ten comparisons have ended by then."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a comparison by one measure takes."""

    by: Measure
    variance: float
    """Of what a block shows, which is from 0 to 1."""
    recorded: int
    """How many blocks show the variance; 0: it is that of normal performances that do not depend on each other."""
    fates: tuple[Fate, ...]


def outlooks(weighing: Weighing, seats: int, matches: int, played: Sequence[Sequence[Duel]]) -> list[Outlook]:
    """Return what a comparison takes by duels, and by points where they are weighed.

    A block has this number of matches; `played` are the duels of the blocks that have been played.
    """
    question, spread = weighing.question, weighing.spread
    truths = sorted(
        {question.floor, (question.floor + question.effect) / 2, question.effect, 2 * question.effect - 0.5}
    )
    new = copies(seats)
    old = max(seats - new, 1)
    found = [
        _outlook(
            *(Measure.DUELS, truths, truths, question, weighing.method),
            (new + old + 1) / (12 * new * old) / (matches if seats > 1 else 1),
            np.array([share_won(block) for block in played]),
        )
    ]
    if spread is not None:
        means = [typical_worth(truth) for truth in truths]
        variance = CLIPPED * (1 / new + 1 / old) / 2 / (2 * REACH) ** 2 / (matches if seats > 1 else 1)
        shown = np.array([points_share(block, spread) for block in played])
        found.append(_outlook(Measure.POINTS, truths, means, in_points(question), weighing.method, variance, shown))
    return found


def _outlook(
    by: Measure,
    truths: Sequence[float],
    means: Sequence[float],
    question: Question,
    method: Method,
    assumed: float,
    shown: Floats,
) -> Outlook:
    away = shown - shown.mean() if shown.size else shown
    variance = (PRIOR_BLOCKS * assumed + float(away @ away)) / (PRIOR_BLOCKS + shown.size)
    fates = [_fate(truth, mean, variance, question, method) for truth, mean in zip(truths, means, strict=True)]
    return Outlook(by, variance, shown.size, tuple(fates))


def _fate(truth: float, mean: float, variance: float, question: Question, method: Method) -> Fate:
    """Simulate tests on blocks of a beta distribution, with a look after every block; always the same ones."""
    chance = np.random.default_rng(1)
    weight = mean * (1 - mean) / min(variance, 0.9 * mean * (1 - mean)) - 1
    better, short, blocks = np.zeros(TESTS, bool), np.zeros(TESTS, bool), np.full(TESTS, MOST_BLOCKS)
    going, shares = np.arange(TESTS), np.zeros((TESTS, 0))
    while going.size and shares.shape[1] < MOST_BLOCKS:
        more = chance.beta(weight * mean, weight * (1 - mean), (going.size, max(FIRST_BLOCKS, shares.shape[1])))
        shares = np.hstack([shares, more])
        is_better, is_short = (side >= 1 for side in curves(shares, question, method))
        ended = (is_better | is_short).any(axis=1)
        last = (is_better | is_short).argmax(axis=1)
        rows = np.flatnonzero(ended)
        better[going[rows]], short[going[rows]] = is_better[rows, last[rows]], is_short[rows, last[rows]]
        blocks[going[rows]] = last[rows] + 1
        going, shares = going[~ended], shares[~ended]
    most = int(np.quantile(blocks, MOST_IN_TEN, method="higher"))
    return Fate(truth, float(better.mean()), float(short.mean()), going.size / TESTS, float(blocks.mean()), most)


def rows(found: Sequence[Outlook], matches: int) -> Iterator[tuple[str, ...]]:
    """Yield a table of what comparisons take, in matches."""
    yield ("if new wins", *(cell for one in found for cell in (f"by {one.by}: better", "matches", "9 in 10 by")))
    for fates in zip(*(one.fates for one in found), strict=True):
        cells = (
            (f"{fate.better:.0%}", f"{fate.blocks * matches:.0f}", f"{fate.most_blocks * matches}") for fate in fates
        )
        yield (f"{100 * fates[0].truth:.4g}%", *(cell for three in cells for cell in three))


def to_json(found: Sequence[Outlook], matches: int) -> dict[str, object]:
    """Return what comparisons take as JSON values; blocks have this number of matches."""
    return {"format": "ballcourt-comparison-plan-1", "matches_per_block": matches, "by": [asdict(one) for one in found]}
