"""Many comparisons at once: which of them to believe, so that few of those are wrong."""

from collections.abc import Sequence
from math import log
from typing import Final

import numpy as np

from ballcourt.evaluation.betting import log_wealth
from ballcourt.evaluation.question import Question

RATE: Final = 0.05


def wealth_of(blocks: Sequence[float], question: Question) -> float:
    """Return the logarithm of the wealth at the end of the bets that the mean of some blocks is above the floor."""
    return float(log_wealth(np.array(blocks), question.floor, question.effect)[-1])


def discoveries(evidence: Sequence[float], rate: float = RATE) -> list[bool]:
    """Return which of some comparisons to believe, given the logarithm of the wealth of the bets in each.

    Of those that are believed, the expected share of wrong ones is `rate` at most, however the comparisons depend on
    each other and whenever each was stopped: the e-BH procedure of Wang and Ramdas (2022), "False discovery rate
    control with e-values". It believes the k comparisons with the most wealth, for the largest k of which each has a
    wealth of at least n / (k `rate`). One comparison alone is believed with a wealth of 1 / `rate`, as `compare` does.

    The wealth must be that at the end; the largest one on the way is too large.
    """
    order = sorted(range(len(evidence)), key=lambda index: -evidence[index])
    enough = [
        rank for rank, index in enumerate(order, start=1) if evidence[index] >= log(len(evidence) / (rank * rate))
    ]
    believed = set(order[: max(enough, default=0)])
    return [index in believed for index in range(len(evidence))]
