"""The rows of a table of a ladder that a page shows: which, in which order, on which of its pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.filters import is_named
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.model.standings import Standing
from ballcourt.leaderboard.pages.charts import Axis
from ballcourt.leaderboard.pages.summaries import LadderSummary, bot_id
from ballcourt.leaderboard.show.terminal import columns

SORTED_BY: Final = {
    "rank": lambda row: row.rank,
    "bot": lambda row: (row.entrant.name.lower(), row.entrant.version),
    "rating": lambda row: -row.rating,
    "matches": lambda row: -row.matches,
    "beaten": lambda row: -(row.beaten or 0),
    "wins": lambda row: -row.wins,
    "score": lambda row: -(row.score or 0),
    "faults": lambda row: -row.faults,
}
"""How rows can be sorted on the server: the order that most want first."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows of a table are wanted, in which order."""

    sort: str = "rank"
    reverse: bool = False
    words: str = ""
    page: int = 1


FIRST: Final = Rows()


@dataclass(frozen=True, slots=True)
class TablePage:
    """Some rows of the table of a ladder."""

    info: LadderSummary
    cells: Mapping[str, list[str]]
    rows: Sequence[Standing]
    count: int
    """How many rows there are on all pages."""
    pages: int
    axis: Axis
    unplayed: Sequence[tuple[BotVersion, str]] = ()
    """Entrants without a match, below the last row."""
    sorts: Sequence[str] = (*SORTED_BY,)

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows."""
        return len(self.rows) == self.info.bots

    def trend(self, bot: BotVersion) -> tuple[float, ...]:
        """Return the ratings of a bot after more and more matches."""
        return tuple(point.rating for point in self.info.histories.get(bot_id(bot), ()))


def table_page(info: LadderSummary, rows: Rows, most: int) -> TablePage:
    """Return one page of a table, with at most this many rows. Raises LeaderboardError."""
    chosen = _chosen(info.board.rows, rows)
    shown = chosen[most * (rows.page - 1) : most * rows.page]
    pages = max(1, -(-len(chosen) // most))
    unplayed = info.board.unplayed if rows.page == pages and not rows.words else []
    cells = columns(shown, unplayed)
    return TablePage(info, cells, shown, len(chosen), pages, _axis(info.board.rows), unplayed)


def _chosen(standings: Sequence[Standing], rows: Rows) -> list[Standing]:
    """Return the rows with all these words, sorted. Raises LeaderboardError for a column that does not exist."""
    if rows.sort not in SORTED_BY:
        raise LeaderboardError(f"sort is '{rows.sort}'; it must be one of {', '.join(SORTED_BY)}")
    words = rows.words.lower().split()
    found = [
        row
        for row in standings
        if not words or is_named(rows.words, row.entrant) or all(word in str(row.entrant).lower() for word in words)
    ]
    return sorted(found, key=SORTED_BY[rows.sort], reverse=rows.reverse)


def _axis(rows: Sequence[Standing]) -> Axis:
    return Axis(min((row.low for row in rows), default=0), max((row.high for row in rows), default=1), 4, 116)
