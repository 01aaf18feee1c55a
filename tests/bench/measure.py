"""Measuring in turns, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import ballcourt.engine.core.state

COMPILED = not str(ballcourt.engine.core.state.__file__).endswith(".py")

Measurement = Callable[[], float]
"""Does some work and returns its microseconds per piece."""


@dataclass(frozen=True, slots=True)
class Line:
    """Our cost beside a peer's, in microseconds per piece, and the most that the ratio of the two should be."""

    name: str
    ours: float
    theirs: float
    ratio: float
    budget: float | None = None

    @property
    def held(self) -> bool:
        """Tell whether the budget is held; a line without one cannot miss it."""
        return self.budget is None or self.ratio <= self.budget

    def text(self) -> str:
        """Write the line for people."""
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
    """Summarise measurements that were taken in pairs: medians, and the median of the pairs' ratios."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Line(name, median(ours), median(theirs), median(ratios), budget)


def in_turns(name: str, ours: Measurement, theirs: Measurement, rounds: int, budget: float | None = None) -> Line:
    """Measure both, one after the other, again and again; the first round only warms up."""
    ours()
    theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return compare(name, [pair[0] for pair in pairs], [pair[1] for pair in pairs], budget)
