"""The checks that every game must pass, as a library and as `ballcourt check game`.

`check(game)` plays random matches and puts every position through all of `CHECKS`. The `ConformanceReport` says what a
game breaks, and in which match.
"""

from ballcourt.engine.conformance.battery import CHECKS, Check, ConformanceReport, Result, check
from ballcourt.engine.conformance.walk import Walk

__all__ = ["CHECKS", "Check", "ConformanceReport", "Result", "Walk", "check"]
