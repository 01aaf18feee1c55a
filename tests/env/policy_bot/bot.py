"""A policy in whole numbers, so that it decides alike for one decision and for many."""

import numpy as np

from ballcourt import run
from ballcourt.env.bots import PolicyBot
from ballcourt.env.single import Masks
from ballcourt.env.tensors import Floats, Ints

TENTHS = 10


class WholeNumbers(PolicyBot):
    def decide(self, observations: Floats, masks: Masks) -> Ints:
        features = np.rint(observations * TENTHS).astype(np.int64)
        weights = np.arange(features.shape[1]) * 7919 % 101
        liking = (features @ weights)[:, None] * np.arange(1, masks.shape[1] + 1) % 1009
        actions: Ints = np.where(masks > 0, liking, -1).argmax(axis=1)
        return actions


if __name__ == "__main__":
    run(WholeNumbers)
