"""Strength against budget: the ratings of one bot with several budgets, and points per doubling."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2, sqrt
from typing import Final

import numpy as np

from ballcourt.leaderboard.model.arrays import columns_of, informative
from ballcourt.leaderboard.model.estimates import MODEL
from ballcourt.leaderboard.model.fit.arrays import Floats
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.jackknife import allowing_for, covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.model.scale import Z95

FORMAT: Final = "ballcourt-scaling-1"
LEAST_MS: Final = 0.001
"""The exactness of think times."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number of rating points and its standard error."""

    value: float
    error: float

    @property
    def text(self) -> str:
        """The number and the half of its 95 % interval."""
        return f"{self.value:.1f} ± {Z95 * self.error:.1f}"


@dataclass(frozen=True, slots=True)
class AtBudget:
    """The bot with one budget."""

    budget: float
    rating: Measured
    think_ms: float
    """Mean think time per match, in milliseconds."""
    matches: int
    per_doubling: Measured | None
    """Points per doubling of the budget from the one before; None for the smallest."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """The curve of a bot, and the slope of the straight line through it, in points per doubling."""

    curve: tuple[AtBudget, ...]
    per_doubling: Measured
    per_doubling_of_time: Measured | None
    """The same per doubling of the think time; None if that is the same with all budgets."""
    opponents: Mapping[str, Measured]

    def to_json(self) -> dict[str, object]:
        """Return it as JSON values; errors are standard errors."""
        return {"format": FORMAT, **asdict(self)}

    def rows(self, unit: str) -> Iterator[tuple[str, ...]]:
        """Yield a table; intervals are those of 95 %."""
        yield (unit, "rating", "points per doubling", "think time per match", "matches")
        for one in self.curve:
            step = one.per_doubling.text if one.per_doubling else "-"
            yield f"{one.budget:g}", one.rating.text, step, f"{one.think_ms:.0f} ms", str(one.matches)


def scaling(matches: Sequence[MatchResult], budgets: Mapping[str, float]) -> Scaling:
    """Rate all entrants of some matches; `budgets` names those that are the bot with a budget.

    Ratings are relative to the mean of the field, 25. Raises LeaderboardError if one of them has not played.
    """
    columns = columns_of(matches)
    names = [entrant.name for entrant in columns.entrants]
    if missing := sorted(budgets.keys() - set(names)):
        raise LeaderboardError(f"there is no match of {', '.join(missing)} yet; run the same command again to go on")
    tables = informative(columns.tables)
    fit = fit_pairs(tables, MODEL)
    rating = solve(tables.with_ties_by(fit.skill), fit, MODEL).mu
    difference = rating - fit.skill
    known = allowing_for(difference - difference.mean(), covariance(Blocks(tables), fit, MODEL))
    ordered = sorted(budgets, key=budgets.__getitem__)
    rows = [names.index(name) for name in ordered]
    logs = np.array([log2(budgets[name]) for name in ordered])
    steps = [_slope(logs[at : at + 2], rows[at : at + 2], rating, known) for at in range(len(rows) - 1)]
    curve = tuple(
        AtBudget(budgets[name], _measured(rating, known, row), *_thinking(matches, name), step)
        for name, row, step in zip(ordered, rows, [None, *steps], strict=True)
    )
    others = {name: _measured(rating, known, row) for row, name in enumerate(names) if name not in budgets}
    times = np.array([log2(max(one.think_ms, LEAST_MS)) for one in curve])
    of_time = _slope(times, rows, rating, known) if np.ptp(times) > 0 else None
    return Scaling(curve, _slope(logs, rows, rating, known), of_time, others)


def _slope(logs: Floats, rows: Sequence[int], rating: Floats, known: Floats) -> Measured:
    """Return the slope of the straight line through ratings, by the logarithms of their budgets."""
    away = logs - logs.mean()
    weights = away / (away @ away)
    chosen = known[np.ix_(rows, rows)]
    return Measured(float(weights @ rating[rows]), sqrt(max(float(weights @ chosen @ weights), 0.0)))


def _measured(rating: Floats, known: Floats, row: int) -> Measured:
    return Measured(float(rating[row]), sqrt(max(float(known[row, row]), 0.0)))


def _thinking(matches: Iterable[MatchResult], name: str) -> tuple[float, int]:
    """Return the mean think time per match in milliseconds, and in how many matches."""
    times = [seat.think_us for match in matches for seat in match.seats if seat.entrant.name == name]
    return sum(times) / len(times) / 1000, len(times)
