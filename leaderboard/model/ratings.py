"""Provisional TrueSkill ratings while a tournament runs, one match after another.

The published ratings come from `estimates`, which weighs all matches alike. This module works around four
pitfalls of the `trueskill` package:

- Its factor graph treats tied seats differently depending on their position, so seats are sorted into one order first.
- With draw probability 0 a tie would increase the uncertainty, so the probability is not 0.
- A very large gap in strength makes it raise FloatingPointError, so its two factors are clamped.
- Its `tau` lets ratings drift over time, but a bot version does not change, so `tau` is 0.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from statistics import NormalDist
from typing import Final

from trueskill import Rating, TrueSkill

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.comparisons import compared
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.scale import BETA, MU, SIGMA

TIE_RATE: Final = 0.02
"""Assumed share of ties between equals."""

MOST_COMPARED: Final = 8
"""A match of one seat is compared with at most this number of earlier ones on the same deal, so that a crowd on a deal
costs no more per match. Comparing it with all of them would say the same again and again."""

_EDGE: Final = 1e-9


class Ratings:
    """The ratings after the matches added so far. A match is rated against the ratings that earlier ones led to."""

    def __init__(self) -> None:
        self._environment = _Environment()
        self._ratings: dict[BotVersion, Rating] = {}
        self._alone: defaultdict[str, list[MatchResult]] = defaultdict(list)

    def add(self, match: MatchResult) -> None:
        """Rate a match. A match of one seat is compared with earlier ones on the same deal."""
        for table in self._met(match):
            if is_rated(table):
                self._rate(table)

    def of(self, entrant: BotVersion) -> tuple[float, float]:
        """Return mu and sigma of an entrant; before its first match, the initial values."""
        rating = self._rating(entrant)
        return float(rating.mu), float(rating.sigma)

    def _rate(self, match: MatchResult) -> None:
        seats = sorted(match.seats, key=lambda seat: (seat.placement, seat.entrant))
        groups = [(self._rating(seat.entrant),) for seat in seats]
        rated = self._environment.rate(groups, ranks=[seat.placement for seat in seats])
        self._ratings.update((seat.entrant, rating) for seat, (rating,) in zip(seats, rated, strict=True))

    def _met(self, match: MatchResult) -> list[MatchResult]:
        if len(match.seats) > 1:
            return [match]
        earlier = self._alone[match.deal]
        tables = [compared([other, match]) for other in _spread(earlier)]
        earlier.append(match)
        return tables

    def _rating(self, entrant: BotVersion) -> Rating:
        return self._ratings.get(entrant) or self._environment.create_rating()


def _spread(matches: Sequence[MatchResult]) -> list[MatchResult]:
    """Return at most MOST_COMPARED of the matches, evenly spread."""
    count = min(len(matches), MOST_COMPARED)
    return [matches[(2 * number + 1) * len(matches) // (2 * count)] for number in range(count)]


def is_rated(match: MatchResult) -> bool:
    """Return whether a match can be rated on its own: it has several seats, all taken by different entrants."""
    return len(match.seats) > 1 and len({seat.entrant for seat in match.seats}) == len(match.seats)


class _Environment(TrueSkill):  # type: ignore[misc]
    """TrueSkill with the C library's normal distribution, and with factors clamped to the open interval (0, 1)."""

    def __init__(self) -> None:
        backend = (_cdf, _pdf, NormalDist().inv_cdf)
        super().__init__(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=TIE_RATE, backend=backend)

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
