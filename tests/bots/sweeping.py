"""A bot that reads more memory for each decision than caches hold: `python sweeping.py seconds S` or `times N`."""

import sys
import time

from ballcourt import Bot, Decision, run

BLOCK = bytearray(32 << 20)


class Sweeper(Bot):
    """Copies a block of memory for some seconds, or some number of times, and chooses the lowest action."""

    def choose(self, decision: Decision) -> int:
        unit, amount = sys.argv[1], float(sys.argv[2])
        begun, times = time.monotonic(), 0
        while (times if unit == "times" else time.monotonic() - begun) < amount:
            bytes(BLOCK)
            times += 1
        return decision.legal[0]


if __name__ == "__main__":
    run(Sweeper)
