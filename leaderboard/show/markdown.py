"""Standings as Markdown, for READMEs, issues and wikis."""

from collections.abc import Iterator, Mapping

from ballcourt.arena.printable import markdown_text
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.model.standings import Board
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.show.explanation import explanation
from ballcourt.leaderboard.show.terminal import TEXTS, Boards, columns, title


def to_markdown(boards: Boards, placing: PlacingPage | None = None) -> str:
    """Return all ladders with all columns of their tables; below each, what its columns mean.

    The placing by the rules of a tournament comes first.
    """
    first = [*_table(by_rules.title(placing), by_rules.columns(placing))] if placing else []
    return "\n".join((*first, *(line for ladder, board in boards.items() for line in _lines(ladder, board))))


def _lines(ladder: Ladder, board: Board) -> Iterator[str]:
    yield from _table(title(ladder), columns(board.rows, board.unplayed))
    for paragraph in explanation(board, width=None):
        yield markdown_text(paragraph)
        yield ""


def _table(title: str, cells: Mapping[str, list[str]]) -> Iterator[str]:
    yield f"### {markdown_text(title)}"
    yield ""
    yield _row(list(cells))
    yield _row([":---" if heading in TEXTS else "---:" for heading in cells], escape=False)
    for row in zip(*cells.values(), strict=True):
        yield _row(row)
    yield ""


def _row(cells: list[str] | tuple[str, ...], *, escape: bool = True) -> str:
    return f"| {' | '.join(map(markdown_text, cells) if escape else cells)} |"
