"""The matches that compare entrants: those of several seats, and single-seat matches on the same deal put together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.results import MatchResult, SeatResult


def comparisons(matches: Iterable[MatchResult]) -> list[MatchResult]:
    """Return matches of several seats unchanged, and one table per deal for matches of a single seat.

    If an entrant played a deal more than once, only its first match in canonical order counts.
    """
    tables: list[MatchResult] = []
    deals: defaultdict[str, dict[BotVersion, MatchResult]] = defaultdict(dict)
    for match in sorted(matches, key=lambda match: match.order):
        if len(match.seats) == 1:
            deals[match.deal].setdefault(match.seats[0].entrant, match)
        else:
            tables.append(match)
    return [*tables, *(compared([*alone.values()]) for alone in deals.values())]


def compared(alone: Sequence[MatchResult]) -> MatchResult:
    """Combine matches of one seat into one table, placed by their results; equal results are tied."""
    seats = [match.seats[0] for match in alone]
    ranked = sorted(map(_rank, seats))
    placed = tuple(replace(seat, placement=1 + ranked.index(_rank(seat))) for seat in seats)
    return replace(alone[0], seats=placed, rivals=())


def _rank(seat: SeatResult) -> tuple[bool, int, float]:
    """Return a sort key, best first: the place among the rivals, then the points; vacated seats come last."""
    return (True, 0, 0.0) if seat.vacated else (False, seat.placement, -seat.score)
