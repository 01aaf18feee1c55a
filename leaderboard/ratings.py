"""TrueSkill ratings of entrants, with workarounds for four pitfalls of the `trueskill` package.

- Its factor graph treats tied seats differently depending on their position, so seats are sorted into one order first.
- With draw probability 0 a tie would increase the uncertainty, so the probability is measured and is never 0.
- A very large gap in strength makes it raise FloatingPointError, so its two factors are clamped.
- Its `tau` lets ratings drift over time, but a bot version does not change, so `tau` is 0.
"""

from collections import defaultdict
from collections.abc import Iterable
from math import erfc, exp, inf, pi, sqrt
from statistics import NormalDist, fmean
from typing import Final

from trueskill import Rating, TrueSkill
from trueskill.mathematics import Gaussian

from ballcourt.leaderboard.comparisons import compared, comparisons
from ballcourt.leaderboard.results import Entrant, MatchResult

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
"""The rating gap at which the stronger of two entrants finishes ahead in about three matches out of four."""

TYPICAL_TIE_RATE: Final = 0.02
"""The prior for the rate of ties; it weighs as much as `TIE_PRIOR_PAIRS` observed pairs of neighbours."""
TIE_PRIOR_PAIRS: Final = 50

CONVERGED: Final = 0.001
MOST_PASSES: Final = 50

_EDGE: Final = 1e-9

Evidence = dict[Entrant, Gaussian]
"""What one match says about each of its entrants."""


class Ratings:
    """The ratings after the matches added so far. A match is rated against the ratings that earlier ones led to."""

    def __init__(self, tie_rate: float = TYPICAL_TIE_RATE) -> None:
        self._environment = _Environment(tie_rate)
        self._ratings: dict[Entrant, Gaussian] = {}
        self._alone: defaultdict[str, list[MatchResult]] = defaultdict(list)

    def add(self, match: MatchResult) -> None:
        """Rate a match. A match of one seat is compared with each earlier one on the same deal."""
        for table in self._met(match):
            if is_rated(table):
                self.weigh(table, {})

    def of(self, entrant: Entrant) -> tuple[float, float]:
        """Return mu and sigma of an entrant; before its first match, the initial values."""
        rating = self._rating(entrant)
        return float(rating.mu), float(rating.sigma)

    def centred(self) -> dict[Entrant, tuple[float, float]]:
        """Return mu and sigma of every entrant, with all mus shifted equally so that their mean is `MU`.

        Matches only measure differences, so the exact solution keeps the mean of the equal priors. Repeated passes
        make the differences converge quickly, but the mean very slowly.
        """
        shift = MU - fmean(rating.mu for rating in self._ratings.values()) if self._ratings else 0.0
        return {entrant: (rating.mu + shift, rating.sigma) for entrant, rating in self._ratings.items()}

    def centre(self) -> None:
        """Replace the ratings by the centred ones."""
        self._ratings = {entrant: Gaussian(*rating) for entrant, rating in self.centred().items()}

    def weigh(self, match: MatchResult, evidence: Evidence) -> Evidence:
        """Remove the earlier evidence of a match, rate the match again, and return its new evidence."""
        seats = sorted(match.seats, key=lambda seat: (seat.placement, seat.entrant))
        entrants = [seat.entrant for seat in seats]
        priors = [_without(self._rating(entrant), evidence.get(entrant)) for entrant in entrants]
        groups = [(Rating(prior),) for prior in priors]
        rated = self._environment.rate(groups, ranks=[seat.placement for seat in seats])
        self._ratings.update((entrant, rating) for entrant, (rating,) in zip(entrants, rated, strict=True))
        return {entrant: rating / prior for entrant, prior, (rating,) in zip(entrants, priors, rated, strict=True)}

    def _met(self, match: MatchResult) -> list[MatchResult]:
        if len(match.seats) > 1:
            return [match]
        earlier = self._alone[match.deal]
        tables = [compared([other, match]) for other in earlier]
        earlier.append(match)
        return tables

    def _rating(self, entrant: Entrant) -> Gaussian:
        return self._ratings.get(entrant) or self._environment.create_rating()


def is_rated(match: MatchResult) -> bool:
    """Return whether a match counts for ratings: it has several seats, all taken by different entrants."""
    return len(match.seats) > 1 and len({seat.entrant for seat in match.seats}) == len(match.seats)


def rate(matches: Iterable[MatchResult]) -> Ratings:
    """Rate the matches of one ladder so that every match counts the same, whenever it was played.

    Matches of one seat are rated by comparing the entrants that played the same deal.

    After one pass over the matches the ratings depend on their order. So the passes are repeated, each match being
    weighed against all others again (expectation propagation), until no rating moves by `CONVERGED` or more. The
    passes follow the canonical order, so the result does not depend on the order of `matches` at all.
    """
    rated = sorted(filter(is_rated, comparisons(matches)), key=lambda match: match.order)
    ratings = Ratings(tie_rate(rated))
    evidence: list[Evidence] = [{} for _ in rated]
    before: dict[Entrant, tuple[float, float]] = {}
    for _ in range(MOST_PASSES):
        evidence = [ratings.weigh(match, said) for match, said in zip(rated, evidence, strict=True)]
        now = ratings.centred()
        if _distance(before, now) < CONVERGED:
            break
        before = now
    ratings.centre()
    return ratings


def tie_rate(matches: Iterable[MatchResult]) -> float:
    """Return how often neighbours in the final order are tied; a prior keeps it above 0."""
    pairs, ties = float(TIE_PRIOR_PAIRS), TIE_PRIOR_PAIRS * TYPICAL_TIE_RATE
    for match in matches:
        pairs += len(match.seats) - 1
        ties += len(match.seats) - len({seat.placement for seat in match.seats})
    return min(ties / pairs, 0.9)


class _Environment(TrueSkill):  # type: ignore[misc]
    """TrueSkill with the C library's normal distribution, and with factors clamped to the open interval (0, 1)."""

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


def _distance(before: dict[Entrant, tuple[float, float]], now: dict[Entrant, tuple[float, float]]) -> float:
    """Return the largest change of any mu or sigma; infinity if there were no ratings before."""
    if len(before) != len(now):
        return inf
    moves = (abs(was - is_now) for entrant in now for was, is_now in zip(before[entrant], now[entrant], strict=True))
    return max(moves, default=0.0)


def _without(rating: Gaussian, evidence: Gaussian | None) -> Gaussian:
    return rating / evidence if evidence else rating


def _cdf(x: float) -> float:
    return 0.5 * erfc(-x / sqrt(2))


def _pdf(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def _inside(factor: float) -> float:
    return min(max(factor, _EDGE), 1 - _EDGE)
