"""A bot that keeps the contract: it answers with the lowest legal action, or with a random one when told `random`."""

import sys

from bots.sdk.python import Bot, Decision, run


class Lowest(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


class Random(Bot):
    observes = True

    def choose(self, decision: Decision) -> int:
        return self.random.choice(list(decision.legal))


if __name__ == "__main__":
    run(Random if "random" in sys.argv else Lowest)
