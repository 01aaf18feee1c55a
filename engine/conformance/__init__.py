"""The checks that every game must pass, as a library and as `ballcourt check-game`.

`check(game)` plays random matches and puts every position through all of `CHECKS`. The `Report` says what a game
breaks, and in which match.
"""

from ballcourt.engine.conformance.battery import CHECKS, Check, Report, Result, check
from ballcourt.engine.conformance.walk import Walk

__all__ = ["CHECKS", "Check", "Report", "Result", "Walk", "check"]
