"""The fixed point of the `trueskill` package's own update: slow, and independent of ours."""

from collections.abc import Iterable
from statistics import NormalDist, fmean

from trueskill import Rating, TrueSkill
from trueskill.mathematics import Gaussian

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.comparisons import comparisons
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import BETA, MU, SIGMA

Evidence = dict[BotVersion, Gaussian]
"""The message of one match about each of its entrants."""


def fixed_point(
    matches: Iterable[MatchResult], margin: float, most: int = 100
) -> dict[BotVersion, tuple[float, float]]:
    """Repeat the updates until they converge; return mu and sigma of each entrant."""
    tie_rate = 2 * NormalDist().cdf(margin / (2**0.5 * BETA)) - 1
    environment = TrueSkill(MU, SIGMA, BETA, 0.0, tie_rate)
    played = comparisons(matches)
    ratings = {seat.entrant: Gaussian(MU, SIGMA) for match in played for seat in match.seats}
    evidence: list[Evidence] = [{} for _ in played]
    before = _centred(ratings)
    for _ in range(most):
        evidence = [_weigh(environment, ratings, match, known) for match, known in zip(played, evidence, strict=True)]
        now = _centred(ratings)
        if max(abs(now[entrant][0] - before[entrant][0]) for entrant in now) < 1e-6:
            break
        before = now
    return before


def _centred(ratings: dict[BotVersion, Gaussian]) -> dict[BotVersion, tuple[float, float]]:
    """Shift all mus equally so that their mean is that of the prior: passes alone converge to it very slowly."""
    shift = MU - fmean(rating.mu for rating in ratings.values())
    return {entrant: (rating.mu + shift, rating.sigma) for entrant, rating in ratings.items()}


def _weigh(
    environment: TrueSkill, ratings: dict[BotVersion, Gaussian], match: MatchResult, known: Evidence
) -> Evidence:
    """Remove the previous message of a match and compute it again; return the new one."""
    seats = sorted(match.seats, key=lambda seat: seat.placement)  # tied ones by seat
    entrants = [seat.entrant for seat in seats]
    priors = [ratings[one] / known[one] if known else ratings[one] for one in entrants]
    ranks = [seat.placement for seat in seats]
    rated = environment.rate([(Rating(prior),) for prior in priors], ranks=ranks, min_delta=1e-8)
    ratings.update((one, Gaussian(rating.mu, rating.sigma)) for one, (rating,) in zip(entrants, rated, strict=True))
    return {one: ratings[one] / prior for one, prior in zip(entrants, priors, strict=True)}
