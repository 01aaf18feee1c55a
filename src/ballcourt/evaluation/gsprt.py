"""The generalized sequential probability ratio test, as fishtest uses it for chess engines.

The ratio is that of normal distributions with the two means and the most likely variance of each, which agrees with
fishtest's pentanomial model where there are two seats. It is a little faster than betting, and wrong where differences
are rare and skewed: see `ballcourt docs ratings`.
"""

from math import log
from typing import Final

import numpy as np

from ballcourt.evaluation.betting import Floats
from ballcourt.evaluation.question import Question

PRIOR: Final = 0.125
"""Added to both sums of squares, so that the first blocks do not decide when they are all alike."""


def log_ratio(shares: Floats, question: Question) -> Floats:
    """Return the logarithm of the likelihood ratio of `effect` and `floor` after each block, along the last axis."""
    count = np.arange(1, shares.shape[-1] + 1)
    at_floor, at_effect = (
        PRIOR + np.cumsum((shares - mean) ** 2, axis=-1) for mean in (question.floor, question.effect)
    )
    found: Floats = count / 2 * np.log(at_floor / at_effect)
    return found


def bounds(question: Question) -> tuple[float, float]:
    """Return the ratios, as logarithms, at which the test ends: below for giving up, above for "better"."""
    return log(question.beta / (1 - question.alpha)), log((1 - question.beta) / question.alpha)
