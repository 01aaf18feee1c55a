"""A bot that waits with its third answer until the file exists that its argument names."""

import sys
import time
from pathlib import Path

from ballcourt import Bot, Decision, run


class Waiting(Bot):
    asked = 0

    def choose(self, decision: Decision) -> int:
        self.asked += 1
        while self.asked == 3 and not Path(sys.argv[-1]).exists():
            time.sleep(0.01)
        return decision.legal[0]


if __name__ == "__main__":
    run(Waiting)
