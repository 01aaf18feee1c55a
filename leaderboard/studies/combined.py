"""One table over several ladders: the mean rating of the bots that have played in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean
from typing import Final, Literal

from rich.table import Table

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import csv_text
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError
from ballcourt.leaderboard.model.scale import MU, Estimated
from ballcourt.leaderboard.model.standings import Board, Standing
from ballcourt.leaderboard.show.forms import (
    BotForm,
    Error,
    LadderForm,
    RankForm,
    cells_of,
    column_names,
    csv_table,
    entrant_json,
    form_of,
    ladder_json,
)
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.show.terminal import INTERVAL, RATING, VERSION, Column, cells_by_title, table_of

COLUMNS: Final = (
    Column("#", lambda row: str(row.rank)),
    Column("bot", lambda row: row.entrant.name),
    VERSION,
    RATING,
    INTERVAL,
)
"""The columns before those of the ladders."""


@dataclass(frozen=True, slots=True)
class Combined(Estimated):
    """One bot version. Ratings and their standard errors are in rating points."""

    rank: int
    entrant: BotVersion
    rating: float
    sigma: float
    ratings: tuple[float, ...]
    """Its rating in each ladder, relative to the mean of the bots in this table, which is 25."""


@dataclass(frozen=True, slots=True)
class CombinedRow(BotForm, RankForm):
    """One bot version; ratings in rating points."""

    rating: float
    """Mean of `ratings`."""
    sigma: Error
    low: float
    """Lower end of the rating's 95 % interval."""
    high: float
    ratings: list[float]
    """The rating in each of the ladders, relative to the mean of these bots, which is 25."""


@dataclass(frozen=True, slots=True)
class CombinedPage:
    """What `ballcourt leaderboard --combined --json` prints."""

    format: Literal["ballcourt-combined-1"] = field(default="ballcourt-combined-1", init=False)
    ladders: list[LadderForm]
    """The tables that were combined."""
    standings: list[CombinedRow]


def combined(boards: Mapping[Ladder, Board]) -> list[Combined]:
    """Rank the bots that have played in all ladders by their mean rating, every ladder counting the same.

    In each ladder the ratings are taken relative to the mean of these bots, so it does not matter who else played
    there. Without ladders there are no bots. Raises LeaderboardError if fewer than two have played in all ladders.
    """
    if not boards:
        return []
    ladders = [{row.entrant: row for row in board.rows} for board in boards.values()]
    common = sorted(set.intersection(*map(set, ladders)))
    if len(common) < 2:
        raise LeaderboardError(
            f"{len(common) or 'none'} of the bots played in all {len(ladders)} tables, and a combined table needs two; "
            "choose tables with --game and --seats"
        )
    means = [fmean(rows[entrant].rating for entrant in common) for rows in ladders]
    errors = [_errors(rows, common) for rows in ladders]
    found = []
    for entrant in common:
        ratings = tuple(MU + rows[entrant].rating - mean for rows, mean in zip(ladders, means, strict=True))
        error = sqrt(sum(of[entrant] ** 2 for of in errors)) / len(ladders)
        found.append((fmean(ratings), error, entrant, ratings))
    found.sort(key=lambda one: (-round(one[0], 6), one[2]))
    return [
        Combined(rank, entrant, rating, error, ratings)
        for rank, (rating, error, entrant, ratings) in enumerate(found, start=1)
    ]


def _errors(rows: Mapping[BotVersion, Standing], common: Sequence[BotVersion]) -> dict[BotVersion, float]:
    """Return the standard errors of the ratings of some bots of a ladder, relative to the mean of these bots.

    The spreads in a board are relative to the mean of all. Each bot is given an error of its own, independent of the
    others, that agrees with them: a quasi-variance (Firth and de Menezes 2004).
    """
    spread = {entrant: row.estimate.spread if row.estimate else row.sigma for entrant, row in rows.items()}
    if len(common) == len(rows):
        return spread
    mean = sum(error**2 for error in spread.values()) / (len(rows) - 1)
    own = {entrant: max(0.0, (spread[entrant] ** 2 - mean / len(rows)) / (1 - 2 / len(rows))) for entrant in common}
    of_mean = sum(own.values()) / len(common) ** 2
    return {entrant: sqrt(own[entrant] * (1 - 2 / len(common)) + of_mean) for entrant in common}


def to_table(ladders: Sequence[Ladder], rows: Sequence[Combined]) -> Table:
    """Return the rows as a table with a column for each ladder."""
    shown = cells(ladders, rows)
    return table_of(f"{len(ladders)} tables combined", shown, zip(*shown.values(), strict=True))


def cells(ladders: Sequence[Ladder], rows: Sequence[Combined]) -> dict[str, list[str]]:
    """Return the cells of each column by its heading, as they are read by people; not escaped."""
    by_ladder = {
        in_words(ladder): [f"{row.ratings[index]:.1f}" for row in rows] for index, ladder in enumerate(ladders)
    }
    return cells_by_title(COLUMNS, rows) | by_ladder


def to_json(ladders: Sequence[Ladder], rows: Sequence[Combined]) -> CombinedPage:
    """Return the rows for programs."""
    return CombinedPage([LadderForm(**ladder_json(ladder)) for ladder in ladders], [*map(_row, rows)])


def to_csv(ladders: Sequence[Ladder], rows: Sequence[Combined]) -> str:
    """Return the rows as CSV with a header row and a column for each ladder."""
    columns = column_names(CombinedRow)[:-1]
    lines = ([*cells_of(row)[:-1], *row.ratings] for row in map(_row, rows))
    return csv_table([*columns, *(csv_text(_short(ladder)) for ladder in ladders)], lines)


def _short(ladder: Ladder) -> str:
    """Return what distinguishes a ladder from the others, as the heading of a column."""
    options = "".join(f" {name}={value}" for name, value in ladder.options)
    return f"{ladder.game} {ladder.rules_version} x{ladder.seats}{options}"


def _row(row: Combined) -> CombinedRow:
    ratings = [round(rating, 4) for rating in row.ratings]
    return form_of(CombinedRow, row, **entrant_json(row.entrant), ratings=ratings)
