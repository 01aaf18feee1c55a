"""What a seat is worth: the fitted effect of each seat of a ladder, and how often it was placed above the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

from rich.table import Table

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import Columns, columns_of, informative
from ballcourt.leaderboard.model.estimates import MODEL
from ballcourt.leaderboard.model.fit.blocks import Blocks
from ballcourt.leaderboard.model.fit.jackknife import seat_covariance
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.questions import placed_above
from ballcourt.leaderboard.model.fit.shares import by_seat
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.model.scale import Z95
from ballcourt.leaderboard.show.forms import Count, LadderForm, Portion, csv_of, ladder_json
from ballcourt.leaderboard.show.terminal import table_of, title
from ballcourt.leaderboard.studies.head_to_head import Share, share_of


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat; both pairs of low and high are the ends of 95 % intervals."""

    seat: Count
    effect: float
    """Rating points from the mean seat."""
    effect_low: float
    effect_high: float
    meetings: Count
    blocks: Count
    share: Portion | None
    """How often it was placed above, a tie counting half; null without meetings."""
    low: Portion
    high: Portion


@dataclass(frozen=True, slots=True)
class LadderSeats(LadderForm):
    """Matches with ratings in common."""

    by_seat: list[SeatRow]


@dataclass(frozen=True, slots=True)
class SeatsPage:
    """What `ballcourt study seats --json` prints."""

    format: Literal["ballcourt-seats-1"] = field(default="ballcourt-seats-1", init=False)
    ladders: list[LadderSeats]


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """One seat. The effect, in rating points, is relative to the mean of the seats and allows for who sat there."""

    seat: int
    effect: float
    error: float
    """Standard error of the effect."""
    share: Share
    """How often the entrant in this seat was placed above an opponent, over all entrants."""

    @property
    def low(self) -> float:
        """Lower end of the effect's 95 % interval."""
        return self.effect - Z95 * self.error

    @property
    def high(self) -> float:
        """Upper end of the effect's 95 % interval."""
        return self.effect + Z95 * self.error


def seat_results(matches: Iterable[MatchResult], bot: BotVersion | None = None) -> list[SeatEffect]:
    """Return what each seat of a ladder is worth; an empty list if matches have one seat.

    The effects are those of the whole ladder; with a bot, the shares are those of that bot.

    The fit uses all matches. Raises ValueError if the bot has not played in any.
    """
    return seat_results_of(columns_of(matches), bot)


def seat_results_of(columns: Columns, bot: BotVersion | None = None) -> list[SeatEffect]:
    """Return what each seat is worth, see `seat_results`."""
    entrants, tables = columns.entrants, informative(columns.tables)
    if tables.seats == 1:
        return []
    fit = fit_pairs(tables, MODEL)
    known = seat_covariance(Blocks(tables), fit, MODEL)
    shares = by_seat(tables, entrants.index(bot) if bot else None)
    effects = (fit.seat - fit.seat.mean()).tolist()
    return [
        SeatEffect(seat, effect, sqrt(max(float(known[seat, seat]), 0.0)), share_of(shares, seat))
        for seat, effect in enumerate(effects)
    ]


def to_table(ladder: Ladder, rows: list[SeatEffect], bot: str = "") -> Table:
    """Return the seats of a ladder as a table."""
    about = f"{bot} in {title(ladder)}" if bot else title(ladder)
    lines = (
        (
            str(row.seat),
            f"{row.effect:+.1f} ({row.low:+.1f} to {row.high:+.1f})",
            str(row.share.meetings),
            row.share.text,
        )
        for row in rows
    )
    return table_of(about, ("seat", "effect (95%)", "meetings", "above (95%)"), lines)


def explanation(rows: list[SeatEffect]) -> str:
    """Return what the numbers mean, in two sentences."""
    best, worst = max(rows, key=lambda row: row.effect), min(rows, key=lambda row: row.effect)
    share = placed_above(best.effect - worst.effect, MODEL)
    return (
        f"Of two equal bots, the one in seat {best.seat} is placed above the one in seat {worst.seat} in {share:.0%} "
        'of the tables. "effect" allows for who sat where, in rating points from the mean seat; "above" does not.'
    )


def to_json(found: Mapping[Ladder, list[SeatEffect]]) -> SeatsPage:
    """Return the seats of all ladders for programs."""
    return SeatsPage([LadderSeats(**ladder_json(ladder), by_seat=[*map(_row, rows)]) for ladder, rows in found.items()])


def to_csv(found: Mapping[Ladder, list[SeatEffect]]) -> str:
    """Return the seats of all ladders as CSV."""
    return csv_of(SeatRow, {ladder: map(_row, rows) for ladder, rows in found.items()})


def _row(row: SeatEffect) -> SeatRow:
    return SeatRow(row.seat, round(row.effect, 4), round(row.low, 4), round(row.high, 4), **row.share.values())
