"""Measurements taken in turns, and their summary."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import ballcourt.engine.core.state

COMPILED = not str(ballcourt.engine.core.state.__file__).endswith(".py")

Measurement = Callable[[], float]
"""Does some work and returns the microseconds per item."""


@dataclass(frozen=True, slots=True)
class Line:
    """Our cost and a peer's, in microseconds per item, and the budget: the largest ratio of the two."""

    name: str
    ours: float
    theirs: float
    ratio: float
    budget: float | None = None

    @property
    def held(self) -> bool:
        """Whether the ratio is within the budget; a line without a budget always is."""
        return self.budget is None or self.ratio <= self.budget

    def text(self) -> str:
        """Return the line for people."""
        verdict = "" if self.budget is None else f"at most {self.budget:4.2f}  {'held' if self.held else 'MISSED'}"
        return f"{self.name:52} {self.ours:9.2f} us {self.theirs:9.2f} us   ratio {self.ratio:5.2f}  {verdict}".rstrip()

    def values(self) -> dict[str, object]:
        """Return the line for programs."""
        return {
            "name": self.name,
            "ours_us": self.ours,
            "theirs_us": self.theirs,
            "ratio": self.ratio,
            "budget": self.budget,
            "held": self.held,
        }


def compare(name: str, ours: list[float], theirs: list[float], budget: float | None = None) -> Line:
    """Summarise paired measurements: the medians, and the median of the pairs' ratios."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Line(name, median(ours), median(theirs), median(ratios), budget)


def in_turns(name: str, ours: Measurement, theirs: Measurement, rounds: int, budget: float | None = None) -> Line:
    """Measure both in turns, `rounds` times, after a warm-up."""
    ours()
    theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return compare(name, [pair[0] for pair in pairs], [pair[1] for pair in pairs], budget)
