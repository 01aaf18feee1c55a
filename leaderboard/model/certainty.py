"""What results say about strength beyond a rating: how certain it is, and whether any ranking fits."""

from collections.abc import Mapping
from dataclasses import dataclass

from ballcourt.arena.bots.version import BotVersion

Beginning = Mapping[BotVersion, tuple[float, float]]
"""By how much entrants were ahead of the mean of their field under earlier rules, and the standard error of that."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the results say about an entrant's strength, in rating points."""

    entrant: BotVersion
    rating: float
    error: float
    """Standard error of the rating."""
    spread: float
    """Standard error relative to the mean of the field, which differs from `error` where there are anchors."""
    ranks: tuple[int, int]
    """The best and the worst rank that the results leave open, with 95 % confidence in all of them at any time."""
    best: float
    """Probability that it is the strongest of the ladder."""
    separated: bool | None
    """Whether it is known to be behind the next better rating, as its ranks are known; None for the best."""
    above_next: float | None
    """How often it is placed above the entrant with the next lower rating, a tie counting half; None for the last."""


@dataclass(frozen=True, slots=True)
class ByPoints:
    """By how many points an entrant is ahead of the mean of the field, given whom it met."""

    ahead: float
    error: float
    """Its standard error."""
    overtakes: bool
    """Whether it is ahead of the next better rated one with 95 % confidence, which contradicts the ranks."""


@dataclass(frozen=True, slots=True)
class CyclicShare:
    """Which part of the differences between entrants no ranking can show, and the mix that no entrant beats."""

    share: float
    error: float
    mix: tuple[tuple[BotVersion, float], ...]
    """Shares of the entrants in the mix, largest first; without those below 0.5 %."""
