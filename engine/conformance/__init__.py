"""Checks that every game must pass, as a library and as `ballcourt check-game`.

`check(game)` plays random matches and puts every position through all of `CHECKS`; the `Report` says in sentences
what a game breaks and in which match to find it.
"""

from ballcourt.engine.conformance.battery import CHECKS, Check, Report, Result, check
from ballcourt.engine.conformance.walk import Walk

__all__ = ["CHECKS", "Check", "Report", "Result", "Walk", "check"]
