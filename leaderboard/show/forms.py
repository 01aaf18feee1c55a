"""What the CSV and JSON forms of all pages about a leaderboard have in common."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ballcourt.arena.printable import csv_text
from ballcourt.leaderboard.model.results import Entrant, Ladder

LADDER: Final = ("game", "rules_version", "seats", "options")
"""The first columns of every CSV."""


def csv_lines(columns: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return lines, which begin with the cells of a ladder, as CSV with a header row."""
    return csv_table([*LADDER, *columns], lines)


def csv_table(columns: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return lines as CSV with a header row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for line in lines:
        writer.writerow([csv_text(cell) if isinstance(cell, str) else cell for cell in line])
    return text.getvalue()


def ladder_cells(ladder: Ladder) -> list[object]:
    """Return the first cells of a line of CSV."""
    options = " ".join(f"{name}={value}" for name, value in ladder.options)
    return [ladder.game, ladder.rules_version, ladder.seats, options]


def entrant_json(entrant: Entrant) -> dict[str, str]:
    """Return a bot version as JSON values."""
    return {"bot": entrant.name, "version": entrant.version, "content_hash": entrant.content_hash}


def ladder_json(ladder: Ladder) -> dict[str, Any]:
    """Return a ladder as JSON values."""
    values = (ladder.game, ladder.rules_version, ladder.seats, dict(ladder.options))
    return dict(zip(LADDER, values, strict=True))
