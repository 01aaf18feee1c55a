"""The table of a ladder: one row per entrant, from the results alone."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from leaderboard.ratings import Ratings, rate
from leaderboard.results import Entrant, Ladder, MatchResult, SeatResult


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. The interval is rating ± 2 sigma, about 95 %; `beaten` and `wins` are shares from 0 to 1."""

    rank: int
    entrant: Entrant
    rating: float
    sigma: float
    matches: int
    beaten: float | None
    """Mean share of opponents placed below, ties half; None where there are no opponents."""
    wins: float
    """Share of matches won, a shared first place divided."""
    score: float
    """Mean points in the game's own measure."""
    faults: int
    """Matches in which it lost its seat: crash, timeout, illegal action and the like."""

    @property
    def low(self) -> float:
        """Lower end of the rating's interval."""
        return self.rating - 2 * self.sigma

    @property
    def high(self) -> float:
        """Upper end of the rating's interval."""
        return self.rating + 2 * self.sigma


def by_ladder(matches: Iterable[MatchResult]) -> dict[Ladder, list[MatchResult]]:
    """Sort matches into their ladders, both in canonical order."""
    ladders: defaultdict[Ladder, list[MatchResult]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.order):
        ladders[match.ladder].append(match)
    return dict(sorted(ladders.items()))


def standings(matches: Iterable[MatchResult], ratings: Ratings | None = None) -> list[Standing]:
    """Rank the entrants of one ladder by rating; the table does not depend on the order of the matches.

    `ratings` replaces the ratings that are computed from the matches, where a quick look is enough.
    """
    played = sorted(matches, key=lambda match: match.order)
    ratings = ratings or rate(played)
    seats: defaultdict[Entrant, list[tuple[SeatResult, MatchResult]]] = defaultdict(list)
    for match in played:
        for seat in match.seats:
            seats[seat.entrant].append((seat, match))
    ranked = sorted(seats, key=lambda entrant: (-ratings.of(entrant)[0], entrant))
    return [_standing(rank, entrant, ratings, seats[entrant]) for rank, entrant in enumerate(ranked, start=1)]


def _standing(rank: int, entrant: Entrant, ratings: Ratings, seats: list[tuple[SeatResult, MatchResult]]) -> Standing:
    mu, sigma = ratings.of(entrant)
    shares = [share for seat, match in seats if (share := _beaten(seat, match)) is not None]
    return Standing(
        rank=rank,
        entrant=entrant,
        rating=mu,
        sigma=sigma,
        matches=len(seats),
        beaten=fmean(shares) if shares else None,
        wins=fmean(_won(seat, match) for seat, match in seats),
        score=fmean(seat.score for seat, _ in seats),
        faults=sum(seat.fault for seat, _ in seats),
    )


def _beaten(seat: SeatResult, match: MatchResult) -> float | None:
    opponents = len(match.seats) - 1
    if opponents == 0:
        return None
    below = sum(other.placement > seat.placement for other in match.seats)
    level = sum(other.placement == seat.placement for other in match.seats) - 1
    return (below + level / 2) / opponents


def _won(seat: SeatResult, match: MatchResult) -> float:
    first = [other for other in match.seats if other.placement == 1]
    return 1 / len(first) if seat.placement == 1 else 0.0
