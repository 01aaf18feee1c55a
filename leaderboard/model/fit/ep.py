"""TrueSkill solved to its fixed point over all tables at once: expectation propagation on arrays.

The factor graph is that of Herbrich, Minka and Graepel (2007), "TrueSkill: A Bayesian Skill Rating System", with one
player per team: skill, performance, and the difference of each two neighbours in the final order, which is truncated
to "above" or "level". One sweep passes every message once, for all tables of a chunk together.

Two things make it fast. Tables are handled in a few chunks one after another, so that results need no damping unless
hundreds of them say the same: where one entrant wins everything, messages that all move at once overshoot, and then
they go a half, a quarter, ... of the way. And the means are solved exactly: given the messages of the truncations
everything is linear, and the means of loopy Gaussian message passing are exact (Weiss and Freeman 2001); so each sweep
may put all messages where these means hold, and what is left to iterate is local, however sparse the graph of who met
whom.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, inverted
from ballcourt.leaderboard.model.fit.pairs import PairFit
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill, truncated_above, truncated_between
from ballcourt.leaderboard.model.results import NotConverged

FEWEST_CHUNKS: Final = 8
LARGEST_CHUNK: Final = 16_384
"""Tables; the arrays of a chunk stay in the processor's cache."""
CONVERGED: Final = 1e-6
MOST_SWEEPS: Final = 50
"""Leagues take 4 to 24 with whole steps; shorter steps may take as many more."""
STEPS: Final = (1.0, 0.5, 0.25, 0.125, 0.0625)
"""Parts of the way to its new value that a message goes in a sweep; the next one where nothing comes to rest."""

Message = tuple[Floats, Floats]
"""Precisions of normal variables, and precisions times means."""


@dataclass(frozen=True, slots=True)
class Skills:
    """Mean and standard deviation of each entrant's skill, in rating points, and the sweeps it took."""

    mu: Floats
    sigma: Floats
    sweeps: int


@one_thread
def solve(tables: Tables, fit: PairFit, model: TrueSkill) -> Skills:
    """Return the fixed point, given the tie margin and the effect of each seat.

    Raises NotConverged.
    """
    for step in STEPS:
        if skills := _at_rest(tables, fit, model, step):
            return skills
    raise NotConverged("the ratings", int(MOST_SWEEPS / STEPS[-1]))


def _at_rest(tables: Tables, fit: PairFit, model: TrueSkill, step: float) -> Skills | None:
    """Sweep until nothing moves; None if that does not happen."""
    state = _State(tables.entrants, model)
    chunks = _chunks(tables, fit.seat)
    inverse = inverted(fit.curvature[: tables.entrants, : tables.entrants])
    _start(state, chunks, fit, model)
    _relax(state, chunks, inverse, model)
    before = state.moments()
    for sweeps in range(1, int(MOST_SWEEPS / step) + 1):
        for chunk in chunks:
            chunk.sweep(state, fit.margin, model, step)
        _relax(state, chunks, inverse, model)
        now = state.moments()
        if np.abs(now - before).max(initial=0.0) < CONVERGED * step:
            return Skills(now[0] + model.mean, now[1], sweeps)
        before = now
    return None


class _State:
    """The skills as normal distributions around the prior mean, in natural parameters."""

    def __init__(self, entrants: int, model: TrueSkill) -> None:
        self.prior: Floats = np.full(entrants, model.sigma**-2)
        self.lead = self.prior * model.lead
        self.precision = self.prior.copy()
        self.shifted = self.lead.copy()
        """Precision times mean."""

    def moments(self) -> Floats:
        """Return means and standard deviations."""
        return np.array([self.shifted / self.precision, self.precision**-0.5])

    def add(self, who: Integers, precision: Floats, shifted: Floats) -> None:
        """Add to the natural parameters of entrants, each as often as it is named."""
        self.precision += np.bincount(who, precision, self.precision.size)
        self.shifted += np.bincount(who, shifted, self.precision.size)


class _Chunk:
    """Some tables, larger ones first, and their messages.

    Lists are by position in the final order; their arrays hold the tables that have this position, always the first.
    """

    def __init__(self, tables: Tables, chosen: Integers, seat: Floats) -> None:
        sizes = tables.sizes[chosen]
        counts = [int(np.count_nonzero(sizes > position)) for position in range(int(sizes.max()))]
        rows = [tables.starts[chosen[:count]] + position for position, count in enumerate(counts)]
        self.who = [tables.entrant[row] for row in rows]
        self.effect = [seat[tables.seat[row]] for row in rows]
        self.level = [
            np.flatnonzero(tables.place[row] == tables.place[above[: row.size]]) for above, row in pairwise(rows)
        ]
        self.to_skill = [(np.zeros(count), np.zeros(count)) for count in counts]
        self.to_gap = [(np.zeros(count), np.zeros(count)) for count in counts[1:]]
        self.from_below: list[Message | None]
        self.from_below = [*((np.zeros(count), np.zeros(count)) for count in counts[:-1]), None]

    def sweep(self, state: _State, margin: float, model: TrueSkill, step: float = 1.0) -> None:
        """Pass all messages: down the final order, then up, with new truncations both times, then to the skills.

        The last go a `step` of the way.
        """
        priors = [self._prior(position, state, model) for position in range(len(self.who))]
        from_above = self._down(priors, margin)
        self._up(priors, from_above, margin)
        for position, (above, below) in enumerate(zip(from_above, self.from_below, strict=True)):
            precision, shifted = _sum(above, below)
            weaker = 1 / (1 + model.beta**2 * precision)
            new = precision * weaker, (shifted - precision * self.effect[position]) * weaker
            old = self.to_skill[position]
            if step < 1:
                new = old[0] + step * (new[0] - old[0]), old[1] + step * (new[1] - old[1])
            state.add(self.who[position], new[0] - old[0], new[1] - old[1])
            self.to_skill[position] = new

    def pulls(self, skill: Floats, model: TrueSkill) -> list[Floats]:
        """Return how each seat's table pulls at its skill, if all truncations are as they are and the means `skill`.

        The gaps of a table have a tridiagonal covariance, which is solved by elimination from the top.
        """
        means = [skill.take(who) + effect for who, effect in zip(self.who, self.effect, strict=True)]
        solved: list[tuple[Floats, Floats]] = []
        for position, (precision, shifted) in enumerate(self.to_gap):
            count = precision.size
            right = shifted - precision * (means[position][:count] - means[position + 1])
            side = model.beta**2 * precision
            pivot = 1 + 2 * side
            if solved:
                factor, value = solved[-1][0][:count], solved[-1][1][:count]
                pivot, right = pivot - side * factor, right + side * value
            solved.append((side / pivot, right / pivot))
        pulls = [np.zeros(mean.size) for mean in means]
        for position in range(len(solved) - 1, -1, -1):
            factor, value = solved[position]
            if position + 1 < len(solved):
                next_value = solved[position + 1][1]
                value[: next_value.size] += factor[: next_value.size] * next_value
            pulls[position][: value.size] += value
            pulls[position + 1][: value.size] -= value
        return pulls

    def _prior(self, position: int, state: _State, model: TrueSkill) -> tuple[Floats, Floats]:
        """Return mean and variance of a performance, from the messages of all other tables."""
        who, (precision, shifted) = self.who[position], self.to_skill[position]
        rest = 1 / (state.precision.take(who) - precision)
        return (state.shifted.take(who) - shifted) * rest + self.effect[position], rest + model.beta**2

    def _down(self, priors: list[tuple[Floats, Floats]], margin: float) -> list[Message | None]:
        """Recompute the truncations; return the messages to each performance from those above it."""
        from_above: list[Message | None] = [None]
        for position in range(len(self.who) - 1):
            count = self.who[position + 1].size
            mean, variance = _product(priors[position], from_above[position], count)
            below, below_variance = _product(priors[position + 1], self.from_below[position + 1], count)
            gap = self._truncated(position, mean - below, variance + below_variance, margin)
            weaker = 1 / (1 + variance * gap[0])
            from_above.append((gap[0] * weaker, (gap[0] * mean - gap[1]) * weaker))
        return from_above

    def _truncated(self, position: int, mean: Floats, variance: Floats, margin: float) -> tuple[Floats, Floats]:
        """Return the message that makes a difference with this mean and variance as positive or small as it was."""
        scale = np.sqrt(variance)
        v, w = truncated_above((mean - margin) / scale)
        if (level := self.level[position]).size:
            v[level], w[level] = truncated_between(mean[level] / scale[level], margin / scale[level])
        rest = 1 / (variance * (1 - w))
        self.to_gap[position] = (w * rest, (mean * w + scale * v) * rest)
        return self.to_gap[position]

    def _up(self, priors: list[tuple[Floats, Floats]], from_above: list[Message | None], margin: float) -> None:
        """Recompute the truncations; make the messages to each performance from those below it."""
        last = len(self.who) - 1
        for position in range(last, 0, -1):
            count = self.who[position].size
            mean, variance = _product(priors[position], self.from_below[position], count)
            if position < last:  # the last truncation is new
                upper, upper_variance = _product(priors[position - 1], from_above[position - 1], count)
                self._truncated(position - 1, upper - mean, upper_variance + variance, margin)
            precision, shifted = self.to_gap[position - 1]
            weaker = 1 / (1 + variance * precision)
            above = self.from_below[position - 1]
            assert above
            above[0][:count] = precision * weaker
            above[1][:count] = (precision * mean + shifted) * weaker


def _sum(one: Message | None, other: Message | None) -> Message:
    """Add messages, of which at least one is there."""
    if one and other:
        return one[0] + other[0], one[1] + other[1]
    found = one or other
    assert found
    return found


def _product(prior: tuple[Floats, Floats], message: Message | None, count: int) -> tuple[Floats, Floats]:
    """Return mean and variance of the first `count` normal variables, each times its message, if there is one."""
    mean, variance = prior[0][:count], prior[1][:count]
    if not message:
        return mean, variance
    precision, shifted = message[0][:count], message[1][:count]
    weaker = 1 / (1 + variance * precision)
    return (mean + variance * shifted) * weaker, variance * weaker


def _start(state: _State, chunks: list[_Chunk], fit: PairFit, model: TrueSkill) -> None:
    """Make first messages as if the pairs fit were what all other tables say: they are nearly the right ones."""
    mean, precision = fit.skill - model.mean, np.diag(fit.curvature)[: fit.skill.size]
    for chunk in chunks:
        others = _State(mean.size, model)
        others.precision, others.shifted = precision.copy(), precision * mean
        chunk.sweep(others, fit.margin, model)
        for who, (found, _) in zip(chunk.who, chunk.to_skill, strict=True):
            state.precision += np.bincount(who, found, mean.size)
    state.shifted = state.precision * mean


def _relax(state: _State, chunks: list[_Chunk], inverse: Floats, model: TrueSkill) -> None:
    """Move all means towards their exact solution, and set all messages as they are where these means hold.

    A message from a table to a skill is then its precision times the mean of the skill, plus the table's pull there.
    """
    mean = state.shifted / state.precision
    pull = state.lead - state.prior * mean
    for chunk in chunks:
        for who, part in zip(chunk.who, chunk.pulls(mean, model), strict=True):
            pull += np.bincount(who, part, mean.size)
    mean += inverse @ pull
    state.shifted[:] = state.lead
    for chunk in chunks:
        for position, part in enumerate(chunk.pulls(mean, model)):
            who, (precision, _) = chunk.who[position], chunk.to_skill[position]
            shifted = precision * mean.take(who) + part
            chunk.to_skill[position] = precision, shifted
            state.shifted += np.bincount(who, shifted, mean.size)


def _chunks(tables: Tables, seat: Floats) -> list[_Chunk]:
    order = np.argsort(-tables.sizes, kind="stable")
    count = min(max(FEWEST_CHUNKS, order.size // LARGEST_CHUNK), order.size)
    return [_Chunk(tables, order[first::count], seat) for first in range(count)]
