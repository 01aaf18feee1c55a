"""Standings for people (rich), for programs (JSON) and for spreadsheets (CSV)."""

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping

from rich.table import Table

from leaderboard.results import Ladder
from leaderboard.standings import Standing

Boards = Mapping[Ladder, list[Standing]]

COLUMNS = (
    "rank", "bot", "version", "content_hash", "rating", "sigma", "low", "high",
    "matches", "beaten", "wins", "score", "faults", "rivals", "status",
)  # fmt: skip


def title(ladder: Ladder) -> str:
    """Name a ladder in one line."""
    options = "".join(f", {name} = {value}" for name, value in ladder.options)
    seats = "seat" if ladder.seats == 1 else "seats"
    return f"{ladder.game}, rules {ladder.rules_version}, {ladder.seats} {seats}{options}"


def to_table(ladder: Ladder, rows: list[Standing]) -> Table:
    """Draw the standings of a ladder; entrants that share name and version show their content hash too."""
    table = Table(title=title(ladder), title_justify="left", title_style="bold")
    table.add_column("#", justify="right")
    table.add_column("bot")
    table.add_column("version")
    rivals = sorted({name for row in rows for name in row.rivals})
    for heading in ("rating", "95% interval", "matches", "beaten", "wins", "score", *rivals, "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    same = Counter((row.entrant.name, row.entrant.version) for row in rows)
    for row in rows:
        version = row.entrant.version
        if same[row.entrant.name, version] > 1:
            version += f" {row.entrant.content_hash[:8]}"
        name = f"{row.entrant.name} ({row.status})" if row.status else row.entrant.name
        table.add_row(str(row.rank), name, version, *_cells(row, rivals))
    return table


def to_json(boards: Boards) -> str:
    """Write all ladders as one JSON document."""
    ladders = [
        {
            "game": ladder.game,
            "rules_version": ladder.rules_version,
            "seats": ladder.seats,
            "options": dict(ladder.options),
            "standings": [_values(row) for row in rows],
        }
        for ladder, rows in boards.items()
    ]
    return json.dumps({"ladders": ladders}, indent=2)


def to_csv(boards: Boards) -> str:
    """Write all ladders as one CSV table with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "rules_version", "seats", "options", *COLUMNS])
    for ladder, rows in boards.items():
        options = " ".join(f"{name}={value}" for name, value in ladder.options)
        for row in rows:
            values = _values(row)
            values["rivals"] = " ".join(f"{name}={score:.4f}" for name, score in row.rivals.items())
            writer.writerow([ladder.game, ladder.rules_version, ladder.seats, options, *values.values()])
    return text.getvalue().rstrip("\n")


def _cells(row: Standing, rivals: list[str]) -> tuple[str, ...]:
    return (
        f"{row.rating:.1f}",
        f"{row.low:.1f} to {row.high:.1f}",
        str(row.matches),
        "-" if row.beaten is None else f"{row.beaten:.0%}",
        f"{row.wins:.0%}",
        f"{row.score:.1f}",
        *(f"{row.rivals[name]:.1f}" if name in row.rivals else "-" for name in rivals),
        str(row.faults),
    )


def _values(row: Standing) -> dict[str, object]:
    entrant = row.entrant
    values = (
        row.rank, entrant.name, entrant.version, entrant.content_hash, round(row.rating, 4), round(row.sigma, 4),
        round(row.low, 4), round(row.high, 4), row.matches, None if row.beaten is None else round(row.beaten, 4),
        round(row.wins, 4), round(row.score, 4), row.faults,
        {name: round(score, 4) for name, score in row.rivals.items()}, row.status,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))
