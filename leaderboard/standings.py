"""The standings of a ladder: one row per entrant, computed from the results alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from ballcourt.leaderboard.comparisons import comparisons
from ballcourt.leaderboard.ratings import Ratings, rate
from ballcourt.leaderboard.results import Entrant, Ladder, MatchResult, SeatResult

Played = tuple[SeatResult, MatchResult]
"""The result of an entrant in a match, and the match."""

Seats = defaultdict[Entrant, list[Played]]


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. The interval is the rating ± 2 sigma, about 95 %. `beaten` and `wins` are shares from 0 to 1."""

    rank: int
    entrant: Entrant
    rating: float
    sigma: float
    matches: int
    beaten: float | None
    """Mean share of opponents placed lower; a tie counts half. None without opponents. In matches of one seat, the
    opponents are the entrants that played the same deal."""
    wins: float
    """Share of matches won, against rivals too; a shared first place is divided."""
    score: float
    """Mean points in the game's own measure."""
    faults: int
    """Number of matches with a fault of the bot, tolerated or not: a crash, timeout, illegal action and so on."""
    rivals: Mapping[str, float]
    """Mean points of each rival (a player without a bot) that it met, by name."""
    status: str = ""
    """Why the tournament makes it sit out: "disqualified" or "on probation"; empty if it does not."""

    @property
    def low(self) -> float:
        """Lower end of the rating's interval."""
        return self.rating - 2 * self.sigma

    @property
    def high(self) -> float:
        """Upper end of the rating's interval."""
        return self.rating + 2 * self.sigma


def by_ladder(matches: Iterable[MatchResult]) -> dict[Ladder, list[MatchResult]]:
    """Group matches by ladder; ladders and matches are in canonical order."""
    ladders: defaultdict[Ladder, list[MatchResult]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.order):
        ladders[match.ladder].append(match)
    return dict(sorted(ladders.items()))


def standings(matches: Iterable[MatchResult], ratings: Ratings | None = None) -> list[Standing]:
    """Rank the entrants of one ladder by rating. The result does not depend on the order of the matches.

    Give `ratings` to save the time of computing them from the matches.
    """
    played = sorted(matches, key=lambda match: match.order)
    ratings = ratings or rate(played)
    seats, met = _by_entrant(played), _by_entrant(comparisons(played))
    ranked = sorted(seats, key=lambda entrant: (-ratings.of(entrant)[0], entrant))
    return [
        _standing(rank, entrant, ratings, seats[entrant], met[entrant]) for rank, entrant in enumerate(ranked, start=1)
    ]


def _by_entrant(matches: Iterable[MatchResult]) -> Seats:
    seats: Seats = defaultdict(list)
    for match in matches:
        for seat in match.seats:
            seats[seat.entrant].append((seat, match))
    return seats


def marked(rows: Iterable[Standing], statuses: Mapping[Entrant, str]) -> list[Standing]:
    """Return the rows with the statuses of those who sit out; rows and ranks stay as they are."""
    return [replace(row, status=statuses.get(row.entrant, "")) for row in rows]


def _standing(rank: int, entrant: Entrant, ratings: Ratings, seats: list[Played], met: list[Played]) -> Standing:
    mu, sigma = ratings.of(entrant)
    shares = [share for seat, match in met if (share := _beaten(seat, match)) is not None]
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
        rivals=_rivals([match for _, match in seats]),
    )


def _rivals(matches: Iterable[MatchResult]) -> dict[str, float]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for match in matches:
        for rival in match.rivals:
            scores[rival.name].append(rival.score)
    return {name: fmean(points) for name, points in scores.items()}


def _beaten(seat: SeatResult, match: MatchResult) -> float | None:
    opponents = len(match.seats) - 1
    if opponents == 0:
        return None
    below = sum(other.placement > seat.placement for other in match.seats)
    level = sum(other.placement == seat.placement for other in match.seats) - 1
    return (below + level / 2) / opponents


def _won(seat: SeatResult, match: MatchResult) -> float:
    places = [other.placement for other in match.seats] + [rival.placement for rival in match.rivals]
    return 1 / places.count(1) if seat.placement == 1 else 0.0
