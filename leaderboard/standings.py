"""The standings of a ladder: one row per entrant, computed from the results alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from ballcourt.leaderboard.certainty import CyclicShare, Estimate
from ballcourt.leaderboard.comparisons import comparisons
from ballcourt.leaderboard.results import Entrant, Ladder, MatchResult, SeatResult
from ballcourt.leaderboard.scale import Z95

if TYPE_CHECKING:
    from ballcourt.leaderboard.ratings import Ratings


Played = tuple[SeatResult, MatchResult]
"""The result of an entrant in a match, and the match."""

Seats = defaultdict[Entrant, list[Played]]


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. Ratings and their errors are in rating points; `beaten` and `wins` are shares from 0 to 1."""

    rank: int
    entrant: Entrant
    rating: float
    sigma: float
    """Standard error of the rating."""
    matches: int
    beaten: float | None
    """Mean share of opponents placed lower; a tie counts half. None without opponents. In matches of one seat, the
    opponents are the entrants that played the same deal."""
    wins: float
    """Share of matches won, against rivals too; a shared first place is divided."""
    score: float | None
    """Mean points in the game's own measure, over the matches in which the bot kept its seat. None without such
    matches: the points of a seat that was lost are those of the arena, which played on in it."""
    faults: int
    """Number of matches with a fault of the bot, tolerated or not: a crash, timeout, illegal action and so on."""
    rivals: Mapping[str, float]
    """Mean points of each rival (a player without a bot) that it met, by name."""
    status: str = ""
    """Whether the tournament makes it sit out: "disqualified", "on probation", or nothing."""
    estimate: Estimate | None = None
    """What else the fit says; None for the provisional ratings of a running tournament."""

    @property
    def low(self) -> float:
        """Lower end of the rating's 95 % interval."""
        return self.rating - Z95 * self.sigma

    @property
    def high(self) -> float:
        """Upper end of the rating's 95 % interval."""
        return self.rating + Z95 * self.sigma


@dataclass(frozen=True, slots=True)
class Board:
    """The published table of a ladder, and what is known of cycles among its entrants."""

    rows: list[Standing]
    cycles: CyclicShare | None = None


def by_ladder(matches: Iterable[MatchResult]) -> dict[Ladder, list[MatchResult]]:
    """Group matches by ladder; ladders and matches are in canonical order."""
    ladders: defaultdict[Ladder, list[MatchResult]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.order):
        ladders[match.ladder].append(match)
    return dict(sorted(ladders.items()))


def board(matches: Iterable[MatchResult], anchors: Collection[str] = ()) -> Board:
    """Fit the results of one ladder and rank its entrants; the order and names of matches do not matter.

    Ratings are relative to the mean of the bots named as anchors, if any. Raises LeaderboardError if an anchor has not
    played.
    """
    from ballcourt.leaderboard.estimates import estimate

    played = list(matches)
    field = estimate(played, anchors)
    ratings = {found.entrant: (found.rating, found.error) for found in field.estimates}
    rows = _rows([found.entrant for found in field.estimates], ratings, played)
    by_rank = zip(rows, field.estimates, strict=True)
    return Board([replace(row, estimate=found) for row, found in by_rank], field.cycles)


def standings(matches: Iterable[MatchResult], ratings: Ratings) -> list[Standing]:
    """Rank the entrants of one ladder by the provisional ratings of a running tournament."""
    played = list(matches)
    found = {seat.entrant: ratings.of(seat.entrant) for match in played for seat in match.seats}
    return _rows(sorted(found, key=lambda entrant: (-found[entrant][0], entrant)), found, played)


def _rows(
    ranked: Iterable[Entrant], ratings: Mapping[Entrant, tuple[float, float]], matches: list[MatchResult]
) -> list[Standing]:
    played = sorted(matches, key=lambda match: match.order)
    seats, met = _by_entrant(played), _by_entrant(comparisons(played))
    return [
        _standing(rank, entrant, ratings[entrant], seats[entrant], met[entrant])
        for rank, entrant in enumerate(ranked, start=1)
    ]


def _by_entrant(matches: Iterable[MatchResult]) -> Seats:
    seats: Seats = defaultdict(list)
    for match in matches:
        for seat in match.seats:
            seats[seat.entrant].append((seat, match))
    return seats


def marked(board: Board, statuses: Mapping[Entrant, str]) -> Board:
    """Return the board with the status of each entrant; rows and ranks stay as they are."""
    return replace(board, rows=[replace(row, status=statuses.get(row.entrant, "")) for row in board.rows])


def _standing(
    rank: int, entrant: Entrant, rating: tuple[float, float], seats: list[Played], met: list[Played]
) -> Standing:
    shares = [share for seat, match in met if (share := _beaten(seat, match)) is not None]
    scores = [seat.score for seat, _ in seats if not seat.vacated]
    return Standing(
        rank=rank,
        entrant=entrant,
        rating=rating[0],
        sigma=rating[1],
        matches=len(seats),
        beaten=fmean(shares) if shares else None,
        wins=fmean(_won(seat, match) for seat, match in seats),
        score=fmean(scores) if scores else None,
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
