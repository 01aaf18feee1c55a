"""A bot that answers the questions of several matches in one call, and notes in which process and with how many.

With the argument "exit" it ends its process when it is asked two questions at once.
"""

import os
import sys
from collections.abc import Sequence

from ballcourt.bots.sdk.python import Bot, Decision, run


class Batching(Bot):
    """Plays the lowest legal action."""

    @classmethod
    def choose_together(cls, asked: Sequence[tuple[Bot, Decision]]) -> Sequence[int]:
        """Answer all questions."""
        if len(asked) > 1 and "exit" in sys.argv:
            os._exit(3)
        for _, decision in asked:
            decision.thoughts = f"{os.getpid()} {len(asked)}"
        return [decision.legal[0] for _, decision in asked]


if __name__ == "__main__":
    run(Batching)
