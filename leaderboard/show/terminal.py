"""Standings as a terminal table (rich), as JSON and as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import printable
from ballcourt.arena.tournament.schedules.placing import STATUSES, PlacingPage
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.model.scale import Z95
from ballcourt.leaderboard.model.standings import Board, Standing
from ballcourt.leaderboard.show.forms import (
    BotForm,
    Count,
    Error,
    LadderForm,
    Portion,
    Rank,
    RankForm,
    cells_of,
    column_names,
    csv_lines,
    entrant_json,
    form_of,
    ladder_cells,
    ladder_json,
    rounded,
)

if TYPE_CHECKING:
    from rich.table import Table

    from ballcourt.leaderboard.model.certainty import ByPoints, CyclicShare

Boards = Mapping[Ladder, Board]

TEXTS = ("bot", "version", "decided by")
"""Columns of a table that hold text, not numbers."""
DISPENSABLE = (
    "above next",
    "by points",
    "95% interval",
    "faults",
    "beaten",
    "wins",
    "score",
    "matches",
    "ranks",
    "version",
)
"""Columns that a narrow table leaves out, in this order."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table for people: its heading, what it shows of a row, and for which rows it is there."""

    title: str
    value: Callable[[Any], str]
    shown_if: Callable[[Sequence[Any]], bool] = lambda _: True


@dataclass(frozen=True, slots=True)
class BoardRow(BotForm, RankForm):
    """One bot version; ratings in rating points. Values that need a fit may be null."""

    rating: float
    sigma: Error
    """Standard error of the rating."""
    low: float
    """Lower end of the rating's 95 % interval."""
    high: float
    first_rank: Rank | None
    last_rank: Rank | None
    best: Portion | None
    """Probability that it is the strongest of the ladder."""
    separated: bool | None
    """Whether it is known to be behind the next better rank, as `first_rank` is known; null for the best."""
    above_next: Portion | None
    """How often it is placed above the bot with the next rank; null for the last."""
    matches: Rank
    beaten: Portion | None
    """Mean share of opponents placed lower; null without opponents."""
    wins: Portion
    score: float | None
    """Mean points, in the game's own measure; a lost seat counts below all others of its table; null without any."""
    points_ahead: float | None
    """By how many points it is ahead of the mean of the field, given whom it met; null with fewer than 6 blocks."""
    points_error: Error | None
    """Standard error of that."""
    points_overtake: bool | None
    """Whether by points it is ahead of the bot with the next better rank, with 95 % confidence: places and points
    disagree."""
    faults: Count
    own_decisions: Portion
    """Mean share of its decisions in a match that the bot chose itself; in the others it fell back, as it says."""
    rivals: dict[str, float | None]
    """Mean points of each player without a bot."""
    status: Annotated[str, Field(json_schema_extra={"enum": STATUSES})]
    owners: list[str]
    """Who entered it, as the organiser stated."""


@dataclass(frozen=True, slots=True)
class BotInMix(BotForm):
    """The part of a bot in a mix."""

    share: Portion


@dataclass(frozen=True, slots=True)
class CyclesForm:
    """The part of the differences that no ranking can show, and the mix of bots that none beats."""

    share: Annotated[float, Field(le=1)]
    error: Error
    mix: list[BotInMix]


@dataclass(frozen=True, slots=True)
class UnplayedBot(BotForm):
    """A bot that has no rating, as it has no match."""

    status: Annotated[str, Field(json_schema_extra={"enum": STATUSES})]


@dataclass(frozen=True, slots=True)
class LadderBoard(LadderForm):
    """Matches with ratings in common."""

    standings: list[BoardRow]
    cycles: CyclesForm | None
    groups: Count
    """In how many groups the bots are that no chain of matches connects; between groups, ranks are guesses."""
    unplayed: list[UnplayedBot]
    """The entrants of the tournament without a match here."""
    cautions: list[str]
    """Sentences about what of these ratings is less certain than it looks."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """What `ballcourt leaderboard --json` prints."""

    format: Literal["ballcourt-board-1"] = field(default="ballcourt-board-1", init=False)
    """Changes when a program written for the previous version would misread this one."""
    placing: PlacingPage | None
    """All bots by the rules of the tournament's format; null if it leaves the order to ratings, or is not known."""
    ladders: list[LadderBoard]


def title(ladder: Ladder) -> str:
    """Return a title of one line for a ladder."""
    return ", ".join((short_title(ladder), *options(ladder)))


def short_title(ladder: Ladder) -> str:
    """Return a title for a ladder, without its options."""
    seats = "seat" if ladder.seats == 1 else "seats"
    rules = f", rules {ladder.rules_version}" if ladder.rules_version else ""  # results of others have none
    return printable(f"{ladder.game}{rules}, {ladder.seats} {seats}")


def options(ladder: Ladder) -> list[str]:
    """Return the options of a ladder, each as "name = value"."""
    return [printable(f"{name} = {value}") for name, value in ladder.options]


def to_table(
    ladder: Ladder, rows: list[Standing], width: int | None = None, unplayed: Sequence[tuple[BotVersion, str]] = ()
) -> Table:
    """Return the standings of a ladder as a table. Entrants with the same name and version show their content hash.

    If the table would be wider than `width` characters, it leaves out some columns, but never rank, bot and rating.
    """
    shown = _fitting(columns(rows, unplayed), width)
    table = table_of(title(ladder), shown, zip(*shown.values(), strict=True))
    for column in table.columns:
        column.no_wrap = column.header not in TEXTS
    return table


def table_of(
    heading: str, headings: Iterable[str], rows: Iterable[Iterable[str]], texts: Collection[str] = TEXTS
) -> Table:
    """Return rows as a table; `texts` are the headings of its columns that do not hold numbers."""
    from rich.table import Table  # to import it takes longer than to print a table as JSON

    table = Table(title=printable(heading), title_justify="left", title_style="bold")
    for name in headings:
        table.add_column(printable(name), justify="left" if name in texts else "right", overflow="fold")
    for cells in rows:
        table.add_row(*map(printable, cells))
    return table


def columns_left_out(board: Board, width: int) -> list[str]:
    """Return the headings of the columns that a table of this width leaves out."""
    everything = columns(board.rows, board.unplayed)
    shown = _fitting(dict(everything), width)
    return [heading for heading in everything if heading not in shown]


def to_json(boards: Boards, placing: PlacingPage | None = None) -> BoardPage:
    """Return all ladders for programs, and the placing by the rules of a tournament."""
    return BoardPage(placing, [_board(ladder, board) for ladder, board in boards.items()])


def to_csv(boards: Boards) -> str:
    """Return all ladders as one CSV table with a header row."""
    return csv_lines(
        column_names(BoardRow), (line for ladder, board in boards.items() for line in _lines(ladder, board))
    )


def _lines(ladder: Ladder, board: Board) -> Iterator[list[object]]:
    for row in board.rows:
        rivals = " ".join(f"{name}={score:.4f}" for name, score in row.rivals.items())
        *cells, _, status, _ = cells_of(_row(row))
        yield [*ladder_cells(ladder), *cells, rivals, status, " ".join(row.owners)]
    for entrant, status in board.unplayed:
        known = {**entrant_json(entrant), "matches": 0, "status": status}
        yield [*ladder_cells(ladder), *(known.get(name) for name in column_names(BoardRow))]


def columns(rows: list[Standing], unplayed: Sequence[tuple[BotVersion, str]] = ()) -> dict[str, list[str]]:
    """Return the cells of each column by its heading, as they are read by people; not escaped.

    Entrants without a match come last, without a rating.
    """
    at = [column.title for column in COLUMNS].index("faults")
    rivals = [Column(name, _points_of(name)) for name in sorted({name for row in rows for name in row.rivals})]
    found = cells_by_title((*COLUMNS[:at], *rivals, *COLUMNS[at:]), rows)
    for entrant, status in unplayed:
        known = {"bot": with_status(entrant.name, status), "version": entrant.version, "matches": "0"}
        for heading, cells in found.items():
            cells.append(known.get(heading, "-"))
    entrants = [row.entrant for row in rows] + [entrant for entrant, _ in unplayed]
    same = Counter(map(str, entrants))
    found["version"] = [
        f"{entrant.version} {entrant.content_hash[:8]}" if same[str(entrant)] > 1 else entrant.version
        for entrant in entrants
    ]
    return found


def cells_by_title(columns: Iterable[Column], rows: Sequence[Any]) -> dict[str, list[str]]:
    """Return the cells of the columns that these rows show, by heading."""
    return {column.title: [*map(column.value, rows)] for column in columns if column.shown_if(rows)}


def with_status(name: str, status: str) -> str:
    """Return the name of a bot as tables show it."""
    return f"{name} ({status})" if status else name


def _rank(row: Standing) -> str:
    """Write a rank, with "=" if the results leave open whether it is behind the rank before."""
    tied = row.estimate is not None and row.estimate.separated is False
    return f"{row.rank}=" if tied else str(row.rank)


def _ahead(points: ByPoints | None) -> str:
    """Write by how many points an entrant is ahead, with "!" where that contradicts its rank."""
    return f"{points.ahead:+.1f} ± {Z95 * points.error:.1f}{'!' if points.overtakes else ''}" if points else "-"


def _points_of(rival: str) -> Callable[[Standing], str]:
    return lambda row: f"{row.rivals[rival]:.1f}" if rival in row.rivals else "-"


def _share(share: float | None, none: str) -> str:
    return none if share is None else f"{share:.0%}"


def _is_estimated(rows: Sequence[Standing]) -> bool:
    """Whether the ratings are fitted, not provisional."""
    return all(row.estimate for row in rows)


VERSION: Final = Column("version", lambda row: row.entrant.version)
RATING: Final = Column("rating", lambda row: f"{row.rating:.1f}")
INTERVAL: Final = Column("95% interval", lambda row: f"{row.low:.1f} to {row.high:.1f}")
COLUMNS: Final = (
    Column("#", _rank),
    Column("bot", lambda row: with_status(row.entrant.name, row.status)),
    VERSION,
    RATING,
    INTERVAL,
    Column("ranks", lambda row: "-".join(map(str, dict.fromkeys(row.estimate.ranks))), _is_estimated),
    Column("above next", lambda row: _share(row.estimate.above_next, ""), _is_estimated),
    Column("matches", lambda row: str(row.matches)),
    Column("beaten", lambda row: _share(row.beaten, "-")),
    Column("wins", lambda row: f"{row.wins:.0%}"),
    Column("score", lambda row: "-" if row.score is None else f"{row.score:.1f}"),
    Column("by points", lambda row: _ahead(row.by_points), lambda rows: any(row.by_points for row in rows)),
    Column("faults", lambda row: str(row.faults)),
    Column("own decisions", lambda row: f"{row.own:.0%}", lambda rows: any(row.own < 1 for row in rows)),
)
"""The columns of a rating table. Those of rivals come before the faults."""


def _board(ladder: Ladder, board: Board) -> LadderBoard:
    return LadderBoard(
        **ladder_json(ladder),
        standings=[*map(_row, board.rows)],
        cycles=_cycles(board.cycles),
        groups=board.groups,
        unplayed=[UnplayedBot(**entrant_json(entrant), status=status) for entrant, status in board.unplayed],
        cautions=list(board.cautions),
    )


def _cycles(cycles: CyclicShare | None) -> CyclesForm | None:
    if cycles is None:
        return None
    mix = [BotInMix(**entrant_json(bot), share=round(share, 4)) for bot, share in cycles.mix]
    return CyclesForm(round(cycles.share, 4), round(cycles.error, 4), mix)


def _fitting(columns: dict[str, list[str]], width: int | None) -> dict[str, list[str]]:
    """Drop dispensable columns until the table fits."""
    for heading in DISPENSABLE:
        if width is None or _width(columns) <= width:
            break
        columns.pop(heading, None)  # some are not there while ratings are provisional
    return columns


def _width(columns: dict[str, list[str]]) -> int:
    """Return the width of a row in characters: cells padded by one space on each side, and the lines between them."""
    from rich.cells import cell_len

    return 1 + sum(max(map(cell_len, (heading, *cells))) + 3 for heading, cells in columns.items())


def _row(row: Standing) -> BoardRow:
    estimate, points = row.estimate, row.by_points
    return form_of(
        BoardRow,
        row,
        **entrant_json(row.entrant),
        first_rank=estimate.ranks[0] if estimate else None,
        last_rank=estimate.ranks[1] if estimate else None,
        best=round(estimate.best, 4) if estimate else None,
        separated=estimate.separated if estimate else None,
        above_next=rounded(estimate.above_next) if estimate else None,
        points_ahead=rounded(points.ahead) if points else None,
        points_error=rounded(points.error) if points else None,
        points_overtake=points.overtakes if points else None,
        own_decisions=rounded(row.own),
        rivals={name: round(score, 4) for name, score in row.rivals.items()},
        owners=[*row.owners],
    )
