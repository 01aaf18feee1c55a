"""The compliance checks of a bot: a numbered list, with figures, and advice for each failure.

The launcher, streams, clocks and referee are those of a tournament. Only the other seats have no bots: they choose
random actions in the arena's own process.
"""

from ballcourt.arena.checks.bot_check import BotCheck
from ballcourt.arena.checks.check import CheckResult, Item, Outcome, percentile

__all__ = ["BotCheck", "CheckResult", "Item", "Outcome", "percentile"]
