"""A bot that keeps the contract: it plays the lowest legal action, or the one that its argument says, `highest` or
`random`.

With the lowest action it sends its process id as its thoughts.
"""

import os
import sys

from ballcourt import Bot, Decision, run


class Lowest(Bot):
    def choose(self, decision: Decision) -> int:
        decision.thoughts = str(os.getpid())
        return decision.legal[0]


class Highest(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[-1]


class Random(Bot):
    observes = True

    def choose(self, decision: Decision) -> int:
        return self.random.choice(list(decision.legal))


if __name__ == "__main__":
    run({"random": Random, "highest": Highest}.get(sys.argv[-1], Lowest))
