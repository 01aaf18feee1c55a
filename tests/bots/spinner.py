"""A bot whose two helpers compute continuously: one in its process group, one in a separate session.

With the arguments `slow MS` it has no helpers, and takes MS milliseconds for every decision.
"""

import subprocess
import sys
import time

from ballcourt import Bot, Decision, run

BUSY = [sys.executable, "-c", "while True: pass"]


class Spinner(Bot):
    def match_started(self) -> None:
        self.helpers = [subprocess.Popen(BUSY), subprocess.Popen(BUSY, start_new_session=True)]

    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


class Slow(Bot):
    def choose(self, decision: Decision) -> int:
        time.sleep(int(sys.argv[2]) / 1000)
        return decision.legal[0]


if __name__ == "__main__":
    run(Slow if "slow" in sys.argv else Spinner)
