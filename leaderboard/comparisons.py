"""What says who is stronger: tables of several entrants, and what several made of the same deal alone."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ballcourt.leaderboard.results import Entrant, MatchResult, SeatResult


def comparisons(matches: Iterable[MatchResult]) -> list[MatchResult]:
    """Return matches of several seats as they are, and those of one seat put together, deal by deal.

    Of several matches of an entrant on one deal the first in canonical order counts.
    """
    tables: list[MatchResult] = []
    deals: defaultdict[str, dict[Entrant, MatchResult]] = defaultdict(dict)
    for match in sorted(matches, key=lambda match: match.order):
        if len(match.seats) == 1:
            deals[match.deal].setdefault(match.seats[0].entrant, match)
        else:
            tables.append(match)
    return [*tables, *(compared([*alone.values()]) for alone in deals.values())]


def compared(alone: Sequence[MatchResult]) -> MatchResult:
    """Put matches of one seat at a common table, the better results at the higher places, equal ones tied."""
    seats = [match.seats[0] for match in alone]
    ranked = sorted(map(_rank, seats))
    placed = tuple(replace(seat, placement=1 + ranked.index(_rank(seat))) for seat in seats)
    return replace(alone[0], seats=placed, rivals=())


def _rank(seat: SeatResult) -> tuple[bool, int, float]:
    """Rank by the place against the rivals, then by points; whoever lost its seat is behind everybody."""
    return (True, 0, 0.0) if seat.vacated else (False, seat.placement, -seat.score)
