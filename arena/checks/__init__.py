"""Checks a bot before it enters a tournament: a numbered list, with figures, and advice for everything that fails.

The launcher, the stream, the clocks and the referee are those of a tournament; only the other seats choose at random
without being bots.
"""

from ballcourt.arena.checks.check import Check, Item, Outcome, percentile
from ballcourt.arena.checks.run import BotCheck

__all__ = ["BotCheck", "Check", "Item", "Outcome", "percentile"]
