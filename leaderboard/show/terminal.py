"""Standings as a terminal table (rich), as JSON and as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

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

    from ballcourt.leaderboard.model.certainty import CyclicShare

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
class BoardRow:
    """One bot version; ratings in rating points. Values that need a fit may be null."""

    rank: Rank
    bot: str
    version: str
    content_hash: str
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
    """Whether its rating differs from the next better one with 95 % confidence; null for the best."""
    above_next: Portion | None
    """How often it is placed above the bot with the next rank; null for the last."""
    matches: Rank
    beaten: Portion | None
    """Mean share of opponents placed lower; null without opponents."""
    wins: Portion
    score: float | None
    """Mean points in matches whose seat the bot kept, in the game's own measure; null without such matches."""
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
    return printable(f"{ladder.game}, rules {ladder.rules_version}, {ladder.seats} {seats}")


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
    entrants = [row.entrant for row in rows] + [entrant for entrant, _ in unplayed]
    same = Counter((entrant.name, entrant.version) for entrant in entrants)
    rivals = sorted({name for row in rows for name in row.rivals})
    found = {
        "#": [_rank(row) for row in rows],
        "bot": [with_status(row.entrant.name, row.status) for row in rows],
        "version": [_version(row.entrant, same) for row in rows],
        "rating": [f"{row.rating:.1f}" for row in rows],
        "95% interval": [f"{row.low:.1f} to {row.high:.1f}" for row in rows],
        **_estimated(rows),
        "matches": [str(row.matches) for row in rows],
        "beaten": ["-" if row.beaten is None else f"{row.beaten:.0%}" for row in rows],
        "wins": [f"{row.wins:.0%}" for row in rows],
        "score": ["-" if row.score is None else f"{row.score:.1f}" for row in rows],
        **_by_points(rows),
        **{name: [f"{row.rivals[name]:.1f}" if name in row.rivals else "-" for row in rows] for name in rivals},
        "faults": [str(row.faults) for row in rows],
        **({"own decisions": [f"{row.own:.0%}" for row in rows]} if any(row.own < 1 for row in rows) else {}),
    }
    for entrant, status in unplayed:
        known = {"bot": with_status(entrant.name, status), "version": _version(entrant, same), "matches": "0"}
        for heading, cells in found.items():
            cells.append(known.get(heading, "-"))
    return found


def with_status(name: str, status: str) -> str:
    """Return the name of a bot as tables show it."""
    return f"{name} ({status})" if status else name


def _rank(row: Standing) -> str:
    """Write a rank, with "=" if the interval of the difference to the rank before includes zero."""
    tied = row.estimate is not None and row.estimate.separated is False
    return f"{row.rank}=" if tied else str(row.rank)


def _estimated(rows: list[Standing]) -> dict[str, list[str]]:
    """Write the columns that need a fit; none for provisional ratings."""
    found = [row.estimate for row in rows if row.estimate]
    if len(found) < len(rows):
        return {}
    return {
        "ranks": ["-".join(map(str, dict.fromkeys(estimate.ranks))) for estimate in found],
        "above next": ["" if estimate.above_next is None else f"{estimate.above_next:.0%}" for estimate in found],
    }


def _by_points(rows: list[Standing]) -> dict[str, list[str]]:
    """Write the column of points ahead, with "!" where they contradict the rank; none where nothing is known."""
    found = [row.by_points for row in rows]
    if not any(found):
        return {}
    return {
        "by points": [
            f"{one.ahead:+.1f} ± {Z95 * one.error:.1f}{'!' if one.overtakes else ''}" if one else "-" for one in found
        ]
    }


def _version(entrant: BotVersion, same: Counter[tuple[str, str]]) -> str:
    shared = same[entrant.name, entrant.version] > 1
    return f"{entrant.version} {entrant.content_hash[:8]}" if shared else entrant.version


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
