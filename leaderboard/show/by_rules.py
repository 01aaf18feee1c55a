"""The placing of a tournament by the rules of its format, as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ballcourt.arena.tournament.schedules.placing import POINTS, Placed, PlacingPage
from ballcourt.leaderboard.show.terminal import table_of, with_status

if TYPE_CHECKING:
    from rich.table import Table


def title(page: PlacingPage) -> str:
    """Return what the table is."""
    return f"By the rules of {page.schedule}" + ("" if page.is_over else ", so far")


def columns(page: PlacingPage, places: Sequence[Placed] | None = None) -> dict[str, list[str]]:
    """Return the cells of each column by its heading, as they are read by people; not escaped.

    They are those of all places, or of some. Rules that decide nothing are left out.
    """
    rows = page.placing.places if places is None else places
    bots = [page.bots[row.entrant] for row in rows]
    shown = {row.decided_by for row in rows} | {*POINTS[:2]}
    rules = dict.fromkeys(rule for row in rows for rule in row.values if rule in shown)
    return {
        "place": [str(row.place) for row in rows],
        "bot": [with_status(bot.name, bot.status) for bot in bots],
        "version": [bot.version for bot in bots],
        **{rule: [_value(row, rule) for row in rows] for rule in rules},
        "byes": [str(row.byes) for row in rows],
        "decided by": [row.decided_by or "-" for row in rows],
    }


def to_table(page: PlacingPage) -> Table:
    """Return the placing as a table."""
    shown = columns(page)
    return table_of(title(page), shown, zip(*shown.values(), strict=True))


def lines(page: PlacingPage) -> Iterator[str]:
    """Yield the placing as sentences: who is where, and who had byes."""
    places = page.placing.places
    yield f"{title(page)}: {', '.join(f'{row.place}. {page.bots[row.entrant].name}' for row in places)}"
    if byes := [f"{page.bots[row.entrant].name} ({row.byes})" for row in places if row.byes]:
        yield f"byes: {', '.join(byes)}"


def _value(row: Placed, rule: str) -> str:
    return f"{row.values[rule]:.2f}".rstrip("0").rstrip(".") if rule in row.values else "-"
