"""TrueSkill ratings of entrants, with the traps of the `trueskill` package closed.

- Its factor graph treats tied seats differently by their position, so seats are put in one canonical order.
- A tie under draw probability 0 makes it less certain than before, so the probability is measured and never 0.
- A huge gap in strength makes it raise FloatingPointError, so the two factors are kept inside their limits.
- Its `tau` lets ratings drift with time, and a bot version does not change: 0 here.
"""

from collections.abc import Iterable
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import Final

from trueskill import Rating, TrueSkill

from leaderboard.results import Entrant, MatchResult

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
"""The gap in rating at which the stronger of two is placed above the weaker three times in four."""

TYPICAL_TIE_RATE: Final = 0.02
"""Assumed before anything is measured, with the weight of `TIE_PRIOR_PAIRS` pairs of neighbours."""
TIE_PRIOR_PAIRS: Final = 50

_EDGE: Final = 1e-9


class Ratings:
    """Ratings as they stand after the matches added so far, in the order in which they were added."""

    def __init__(self, tie_rate: float = TYPICAL_TIE_RATE) -> None:
        self._environment = _Environment(tie_rate)
        self._ratings: dict[Entrant, Rating] = {}

    def add(self, match: MatchResult) -> None:
        """Rate a match. One with a single seat, or with one entrant in several, says nothing about strength."""
        seats = sorted(match.seats, key=lambda seat: (seat.placement, seat.entrant))
        entrants = [seat.entrant for seat in seats]
        if len(set(entrants)) < max(2, len(entrants)):
            return
        groups = [(self._rating(entrant),) for entrant in entrants]
        rated = self._environment.rate(groups, ranks=[seat.placement for seat in seats])
        self._ratings.update((entrant, rating) for entrant, (rating,) in zip(entrants, rated, strict=True))

    def of(self, entrant: Entrant) -> tuple[float, float]:
        """Return mu and sigma of an entrant; those of a newcomer before its first match."""
        rating = self._rating(entrant)
        return float(rating.mu), float(rating.sigma)

    def _rating(self, entrant: Entrant) -> Rating:
        return self._ratings.get(entrant) or self._environment.create_rating()


def rate(matches: Iterable[MatchResult]) -> Ratings:
    """Rate a set of matches of one ladder: the outcome does not depend on the order in which they are given."""
    ordered = sorted(matches, key=lambda match: match.order)
    ratings = Ratings(tie_rate(ordered))
    for match in ordered:
        ratings.add(match)
    return ratings


def tie_rate(matches: Iterable[MatchResult]) -> float:
    """Measure how often neighbours in the final order are tied, starting from the typical rate; never 0."""
    pairs, ties = float(TIE_PRIOR_PAIRS), TIE_PRIOR_PAIRS * TYPICAL_TIE_RATE
    for match in matches:
        pairs += len(match.seats) - 1
        ties += len(match.seats) - len({seat.placement for seat in match.seats})
    return min(ties / pairs, 0.9)


class _Environment(TrueSkill):  # type: ignore[misc]
    """TrueSkill on the C library's normal distribution, with factors that stay inside (0, 1)."""

    def __init__(self, tie_rate: float) -> None:
        backend = (_cdf, _pdf, NormalDist().inv_cdf)
        super().__init__(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=tie_rate, backend=backend)

    def w_win(self, diff: float, draw_margin: float) -> float:
        x = diff - draw_margin
        v = self.v_win(diff, draw_margin)
        return _inside(v * (v + x))

    def w_draw(self, diff: float, draw_margin: float) -> float:
        try:
            return _inside(float(super().w_draw(diff, draw_margin)))
        except FloatingPointError:
            return 1 - _EDGE


def _cdf(x: float) -> float:
    return 0.5 * erfc(-x / sqrt(2))


def _pdf(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def _inside(factor: float) -> float:
    return min(max(factor, _EDGE), 1 - _EDGE)
