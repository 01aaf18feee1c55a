"""A bot that reads more memory for each decision than caches hold: `python sweeping.py seconds S` or `times N`.

With `helpers N` it has processes that do so all the time, and decides at once.
"""

import subprocess
import sys
import time

from ballcourt import Bot, Decision, run

BLOCK = bytearray(32 << 20)
HELPER = [sys.executable, "-c", f"block = bytearray({len(BLOCK)})\nwhile True: bytes(block)"]


class Sweeper(Bot):
    """Copies a block of memory for some seconds, or some number of times, and chooses the lowest action."""

    def match_started(self) -> None:
        helpers = int(sys.argv[2]) if sys.argv[1] == "helpers" else 0
        self.helpers = [subprocess.Popen(HELPER) for _ in range(helpers)]

    def choose(self, decision: Decision) -> int:
        unit, amount = sys.argv[1], float(sys.argv[2])
        begun, times = time.monotonic(), 0
        while unit != "helpers" and (times if unit == "times" else time.monotonic() - begun) < amount:
            bytes(BLOCK)
            times += 1
        return decision.legal[0]


if __name__ == "__main__":
    run(Sweeper)
