"""Thurstone-Mosteller ratings: every pair of seats at a table is a comparison of two normal performances.

The likelihood of skills, seat effects and tie margin is log-concave, so Newton's method finds its maximum. Pairs of one
table are not independent; their weight makes up for that in the estimate, and the jackknife over blocks in its
uncertainty.
"""

from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx, ndtr, ndtri

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Pairs, Tables, pairs_of, solved
from ballcourt.leaderboard.model.fit.sums import Grouped, Slopes, laplacian
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill, truncated_above
from ballcourt.leaderboard.model.results import NotConverged

CONVERGED: Final = 1e-3
"""Rating points of the last step. Each step squares the distance that is left and makes a tenth of it: 1e-7."""
ROUGHLY: Final = 0.5
"""The last step on a sample, whose maximum is about that far from the maximum of all comparisons."""
MOST_AT_FIRST: Final = 200_000
"""With more comparisons, the first steps are made on a sample of them, which leads close to the maximum of all."""
SAMPLE: Final = 11
"""A sample has every 11th comparison. Comparisons are in the order of tables, and a prime takes all pairs of seats."""
PART: Final = 32_768
"""Comparisons whose derivatives are computed at a time, so that they stay in the processor's cache."""
MOST_STEPS: Final = 1000
"""Leagues take about five; bots in a row, of which each wins everything against the next, some hundred."""
LONGEST_STEP: Final = 5.0
"""Rating points; it keeps the first steps inside the region where Newton's method converges."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Pairs to fit, by index: `above` was placed above `below`, or tied with it, `weight` times."""

    above: NDArray[np.int32]
    below: NDArray[np.int32]
    seat_above: NDArray[np.int8]
    seat_below: NDArray[np.int8]
    tied: NDArray[np.bool_]
    weight: Floats

    def chosen(self, chosen: slice) -> "Comparisons":
        """Return some of the comparisons."""
        return Comparisons(
            self.above[chosen],
            self.below[chosen],
            self.seat_above[chosen],
            self.seat_below[chosen],
            self.tied[chosen],
            self.weight[chosen],
        )


@dataclass(frozen=True, slots=True)
class PairFit:
    """The most probable parameters, in rating points, and the curvature of the log-posterior there.

    The order of parameters in `curvature` is: skills, seat effects (none if there is one seat only), margin.
    """

    skill: Floats
    seat: Floats
    margin: float
    curvature: Floats
    prior: Floats
    """What the prior adds to the diagonal of the curvature."""


@one_thread
def fit_pairs(tables: Tables, model: TrueSkill) -> PairFit:
    """Find the most probable skills, seat effects and margin by Newton's method. Raises NotConverged."""
    seats = seat_parameters(tables)
    theta, curvature = _maximum(_collected(tables), tables.entrants, seats, model)
    skill, seat = theta[: tables.entrants] + model.mean, theta[tables.entrants : -1]
    margin = float(theta[-1])
    return PairFit(
        skill, seat if seats else np.zeros(1), margin, curvature, _prior(tables.entrants, seat, margin, model)
    )


def curvature_with(tables: Tables, fit: PairFit, model: TrueSkill) -> Floats:
    """Return the curvature that the log-posterior of some tables has at the parameters of another fit."""
    seats = seat_parameters(tables)
    effects = fit.seat if fit.seat.size == seats else np.zeros(seats)
    theta = np.concatenate([fit.skill - model.mean, effects, [fit.margin]])
    data = _collected(tables)
    bend = np.empty(data.weight.size)
    return _posterior(data, _cells(data, tables.entrants), bend, theta, tables.entrants, seats, model)[1]


def seat_parameters(tables: Tables) -> int:
    """Count the seat effects to estimate: one per seat, or none where there is only one seat."""
    return tables.seats if tables.seats > 1 else 0


def slopes(data: Comparisons, skill: Floats, seat: Floats, margin: float, model: TrueSkill) -> Slopes:
    """Evaluate the derivatives of each pair at given parameters."""
    strength = np.add.outer(skill, seat).ravel()
    gap = strength.take(data.above * seat.size + data.seat_above)
    gap -= strength.take(data.below * seat.size + data.seat_below)
    gap /= model.spread
    pull, bend = truncated_above(gap - margin / model.spread)
    weight = data.weight / model.spread
    pull *= weight
    bend *= weight / model.spread
    return _with_ties(pull, bend, data, gap, margin / model.spread, model.spread)


def compared(tables: Tables, pairs: Pairs) -> Comparisons:
    """Look up who and which seat is compared in pairs of flat indices."""
    above, below = pairs.above, pairs.below
    return Comparisons(
        tables.entrant.take(above).astype(np.int32),
        tables.entrant.take(below).astype(np.int32),
        tables.seat.take(above).astype(np.int8),
        tables.seat.take(below).astype(np.int8),
        pairs.tied,
        pairs.weight,
    )


def _maximum(
    data: Comparisons, entrants: int, seats: int, model: TrueSkill, last_step: float = CONVERGED
) -> tuple[Floats, Floats]:
    """Return the most probable parameters, and the curvature there.

    The last step is that long at most, in rating points; for the margin, a tenth, since it is small itself. Raises
    NotConverged.
    """
    if data.weight.size > MOST_AT_FIRST:
        theta, _ = _maximum(data.chosen(slice(None, None, SAMPLE)), entrants, seats, model, ROUGHLY)
    else:
        theta = np.concatenate([_first_skills(data, entrants, model), np.zeros(seats), [_first_margin(data, model)]])
    cells, bend = _cells(data, entrants), np.empty(data.weight.size)
    for _ in range(MOST_STEPS):
        gradient, curvature = _posterior(data, cells, bend, theta, entrants, seats, model)
        step = solved(curvature, gradient)
        step *= min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-300))
        margin = theta[-1]
        theta += step
        theta[-1] = min(max(theta[-1], margin / 3), margin * 3)
        if max(np.abs(step[:-1]).max(initial=0.0), 10 * abs(step[-1])) < last_step:
            return theta, curvature
    raise NotConverged("the strengths", MOST_STEPS)


def _collected(tables: Tables) -> Comparisons:
    """Collect all pairs; equal ones in one cell where that is shorter."""
    shape = (tables.entrants, tables.entrants, tables.seats, tables.seats, 2)
    cells = int(np.prod(shape))
    size = int((tables.sizes * (tables.sizes - 1) // 2).sum())
    found = (compared(tables, pairs) for pairs in pairs_of(tables))
    if cells > size:
        return _joined(list(found))
    weight = np.zeros(cells)
    for part in found:
        index = (part.above.astype(np.int64), part.below, part.seat_above, part.seat_below, part.tied.astype(np.int8))
        weight += np.bincount(np.ravel_multi_index(index, shape), part.weight, cells)
    used = np.flatnonzero(weight)
    above, below, seat_above, seat_below, tied = np.unravel_index(used, shape)
    return Comparisons(
        above.astype(np.int32), below.astype(np.int32), seat_above.astype(np.int8), seat_below.astype(np.int8),
        tied.astype(np.bool_), weight[used],
    )  # fmt: skip


def _joined(parts: list[Comparisons]) -> Comparisons:
    if not parts:
        nothing = np.zeros(0)
        index, seat = nothing.astype(np.int32), nothing.astype(np.int8)
        return Comparisons(index, index, seat, seat, nothing.astype(np.bool_), nothing)
    return Comparisons(
        np.concatenate([part.above for part in parts]),
        np.concatenate([part.below for part in parts]),
        np.concatenate([part.seat_above for part in parts]),
        np.concatenate([part.seat_below for part in parts]),
        np.concatenate([part.tied for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


def _first_skills(data: Comparisons, entrants: int, model: TrueSkill) -> Floats:
    """Start from the skills that explain how often each was above others, if all met alike.

    If skills have the standard deviation `d`, one of skill `s` is above in `Phi(s / sqrt(2 beta^2 + d^2))`.
    """
    won = np.where(data.tied, data.weight / 2, data.weight)
    wins = np.bincount(data.above, won, entrants) + np.bincount(data.below, data.weight - won, entrants)
    met = np.bincount(data.above, data.weight, entrants) + np.bincount(data.below, data.weight, entrants)
    score = ndtri((wins + 1) / (met + 2))
    score -= score.sum() / max(entrants, 1)
    variance = float(score @ score) / max(entrants, 1)
    return np.asarray(score * model.spread / sqrt(1 - min(variance, 0.9)), np.float64)


def _first_margin(data: Comparisons, model: TrueSkill) -> float:
    """Start from the margin at which equals would tie as often as all pairs did."""
    ties = float(data.weight[data.tied].sum()) + model.tie_rate * model.tie_pairs
    rate = ties / (float(data.weight.sum()) + model.tie_pairs)
    return float(model.spread * ndtri((1 + min(rate, 0.99)) / 2))


def _cells(data: Comparisons, entrants: int) -> Integers:
    """Return the entrant above and the one below as one number each."""
    cells = data.above.astype(np.int64)
    cells *= entrants
    cells += data.below
    return cells


def _posterior(
    data: Comparisons, cells: Integers, bend: Floats, theta: Floats, entrants: int, seats: int, model: TrueSkill
) -> tuple[Floats, Floats]:
    """Return gradient and negative curvature of the log-posterior; `cells` are those of the data.

    `bend` has room for a value of each comparison: new memory would be cleared in each step.
    """
    skill, margin = theta[:entrants], float(theta[-1])
    seat = theta[entrants:-1] if seats else np.zeros(1)
    prior = _prior(entrants, theta[entrants:-1], margin, model)
    gradient, curvature = -prior * theta, np.diag(prior)
    gradient[:entrants] += prior[:entrants] * model.lead
    gradient[-1] = _margin_prior(margin, model)[0]
    everything = np.zeros(PART, np.int64)
    for start in range(0, bend.size, PART):
        part = data.chosen(slice(start, start + PART))
        found = slopes(part, skill, seat, margin, model)
        group = everything[: part.above.size]
        ends = part.above, part.below, part.seat_above, part.seat_below
        grouped = Grouped(group, 1, *ends, entrants, seats)
        gradient += grouped.gradient(found)[0]
        curvature[:, entrants:] += grouped.cross_curvature(found)[0]
        bend[start : start + PART] = found.bend
    curvature[entrants:, :entrants] = curvature[:entrants, entrants:].T
    between = np.asarray(np.bincount(cells, bend, entrants**2), np.float64)
    curvature[:entrants, :entrants] += laplacian(between.reshape(1, entrants, entrants))[0]
    return gradient, curvature


def _prior(entrants: int, seat: Floats, margin: float, model: TrueSkill) -> Floats:
    """Return the negative second derivatives of the log-prior by each parameter.

    For a seat it is that of the normal prior that touches the Cauchy distribution at its effect, so that steps towards
    a maximum stay such steps where the distribution itself bends the other way.
    """
    precisions = [np.full(entrants, model.sigma**-2), 2 / (2 * model.seat_sigma**2 + seat**2)]
    return np.concatenate([*precisions, [_margin_prior(margin, model)[1]]])


def _margin_prior(margin: float, model: TrueSkill) -> tuple[float, float]:
    """Return the derivatives of the prior: pairs of equals that tied at the typical rate."""
    x = margin / model.spread
    density, tied = sqrt(2 / pi) * exp(-x * x / 2), float(2 * ndtr(x) - 1)
    ties, others = model.tie_pairs * model.tie_rate, model.tie_pairs * (1 - model.tie_rate)
    pull = density * (ties / tied - others / (1 - tied))
    bend = x * pull + density**2 * (ties / tied**2 + others / (1 - tied) ** 2)
    return pull / model.spread, bend / model.spread**2


def _with_ties(pull: Floats, bend: Floats, data: Comparisons, gap: Floats, margin: float, spread: float) -> Slopes:
    """Put the derivatives of log(Phi(gap + margin) - Phi(gap - margin)) where a pair is tied.

    The gaps and the margin are in units of the `spread`.
    """
    tied = np.flatnonzero(data.tied)
    sign, size, weight = np.sign(gap[tied]), np.abs(gap[tied]), data.weight[tied]
    near, far = size - margin, size + margin
    ratio = np.exp(-2 * size * margin)  # density at the far end over density at the near end
    # both divided by the density at the near end
    mass = sqrt(pi / 2) * (erfcx(sqrt(0.5) * near) - erfcx(sqrt(0.5) * far) * ratio)
    slope, margin_slope = (ratio - 1) / mass, (ratio + 1) / mass
    straight, crossed = (near - far * ratio) / mass, (-near - far * ratio) / mass
    pull[tied] = weight * sign * slope / spread
    bend[tied] = weight * (slope**2 - straight) / spread**2
    return Slopes(
        pull,
        bend,
        tied,
        margin_pull=weight * margin_slope / spread,
        margin_bend=weight * (margin_slope**2 - straight) / spread**2,
        mixed=weight * sign * (slope * margin_slope - crossed) / spread**2,
    )
