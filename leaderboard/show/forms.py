"""What the CSV and JSON forms of all pages about a leaderboard have in common.

A form is a dataclass whose fields have the names of the JSON properties, or of the columns, in their order. Their types
and docstrings are what the schemas in `leaderboard/schemas` are made of: `make schemas` writes them.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Final, TypeVar

from pydantic import Field

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import csv_text
from ballcourt.leaderboard.model.results import Ladder

Row = TypeVar("Row")
LADDER: Final = ("game", "rules_version", "seats", "options")
"""The first columns of every CSV."""

Count = Annotated[int, Field(ge=0)]
Rank = Annotated[int, Field(ge=1)]
Portion = Annotated[float, Field(ge=0, le=1)]
Error = Annotated[float, Field(ge=0)]
"""A standard error."""


@dataclass(frozen=True, slots=True)
class LadderForm:
    """Matches with ratings in common."""

    game: str
    rules_version: str
    seats: Rank
    options: dict[str, str]


@dataclass(frozen=True)
class RankForm:
    """What a row begins with that has a rank: as the last of its bases, its fields come first."""

    rank: Rank


@dataclass(frozen=True)
class BotForm:
    """A bot version."""

    bot: str
    version: str
    content_hash: str


def column_names(form: type) -> list[str]:
    """Return the names of the values of a form."""
    return [field.name for field in fields(form)]


def cells_of(form: object) -> list[object]:
    """Return the values of a form."""
    return [getattr(form, name) for name in column_names(type(form))]


def form_of(form: type[Row], source: object, **given: Any) -> Row:  # noqa: ANN401
    """Return a form of what is given, and for the rest of the attributes of `source`, as precisely as published."""
    for name in column_names(form):
        if name not in given:
            value = getattr(source, name)
            given[name] = round(value, 4) if isinstance(value, float) else value
    return form(**given)


def rounded(value: float | None) -> float | None:
    """Return a number as precisely as it is published."""
    return None if value is None else round(value, 4)


def csv_lines(columns: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return lines, which begin with the cells of a ladder, as CSV with a header row."""
    return csv_table([*LADDER, *columns], lines)


def csv_of(form: type, found: Mapping[Ladder, Iterable[object]]) -> str:
    """Return the rows of all ladders, which have this form, as CSV."""
    lines = ([*ladder_cells(ladder), *cells_of(row)] for ladder, rows in found.items() for row in rows)
    return csv_lines(column_names(form), lines)


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


def entrant_json(entrant: BotVersion) -> dict[str, Any]:
    """Return a bot version as JSON values."""
    return {"bot": entrant.name, "version": entrant.version, "content_hash": entrant.content_hash}


def ladder_json(ladder: Ladder) -> dict[str, Any]:
    """Return a ladder as JSON values."""
    values = (ladder.game, ladder.rules_version, ladder.seats, dict(ladder.options))
    return dict(zip(LADDER, values, strict=True))
