"""The history of a rating as terminal tables (rich), as JSON and as CSV."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rich.table import Table

from ballcourt.arena.printable import printable
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.show.forms import csv_lines, ladder_cells, ladder_json
from ballcourt.leaderboard.show.terminal import title
from ballcourt.leaderboard.studies.history import Change, Checkpoint

FORMAT: Final = "ballcourt-history-1"
MOST_PARTS: Final = 12
COLUMNS: Final = ("checkpoint", "matches", "all_matches", "time", "rating", "sigma", "low", "high", "rank", "entrants")


def to_table(ladder: Ladder, bot: str, found: Iterable[Checkpoint]) -> Table:
    """Return the checkpoints of a bot as a table."""
    table = Table(title=printable(f"{bot} in {title(ladder)}"), title_justify="left", title_style="bold")
    for heading in ("#", "matches", "until (UTC)", "rating", "95% interval", "rank"):
        table.add_column(heading, justify="right")
    for one in found:
        interval, rank = f"{one.low:.1f} to {one.high:.1f}", f"{one.rank} of {one.field}"
        time = printable(one.time[:16].replace("T", " ")) or "-"
        table.add_row(str(one.number), str(one.matches), time, f"{one.rating:.1f}", interval, rank)
    return table


def change_table(found: Change) -> Table:
    """Return the largest parts of a change as a table; the last rows add the others up."""
    heading = f"why {found.start.rating:.2f} became {found.end.rating:.2f} ({found.points:+.2f})"
    table = Table(title=heading, title_justify="left", title_style="bold")
    table.add_column("played", overflow="fold")
    table.add_column("matches", justify="right")
    table.add_column("points", justify="right")
    for part in found.parts[:MOST_PARTS]:
        name = part.name if part.played else f"{part.name} (of others)"
        table.add_row(printable(name), str(part.matches), f"{part.points:+.2f}")
    if others := found.parts[MOST_PARTS:]:
        points = sum(part.points for part in others)
        table.add_row(f"{len(others)} others", str(sum(part.matches for part in others)), f"{points:+.2f}")
    table.add_row("not explained", "", f"{found.rest:+.2f}")
    return table


def to_json(ladder: Ladder, found: list[Checkpoint], why: Change | None) -> dict[str, Any]:
    """Return checkpoints, and a change between two, as JSON values, as `schemas/history.json` describes them."""
    return {**ladder_json(ladder), "checkpoints": [_values(one) for one in found], "change": why and _change(why)}


def to_csv(found: Mapping[Ladder, list[Checkpoint]]) -> str:
    """Return the checkpoints of all ladders as CSV."""
    return csv_lines(COLUMNS, _lines(found))


def _lines(found: Mapping[Ladder, list[Checkpoint]]) -> Iterator[list[object]]:
    for ladder, checkpoints in found.items():
        for one in checkpoints:
            yield [*ladder_cells(ladder), *_values(one).values()]


def _values(one: Checkpoint) -> dict[str, object]:
    values = (
        one.number, one.matches, one.all_matches, one.time, round(one.rating, 4), round(one.error, 4),
        round(one.low, 4), round(one.high, 4), one.rank, one.field,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _change(why: Change) -> dict[str, Any]:
    return {
        "from": why.start.number,
        "to": why.end.number,
        "points": round(why.points, 4),
        "parts": [
            {"name": part.name, "matches": part.matches, "points": round(part.points, 6), "played": part.played}
            for part in why.parts
        ],
        "not_explained": round(why.rest, 6),
    }
