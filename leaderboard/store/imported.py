"""Results of other arenas: CSV and JSON lines with a row for each seat of a match, and PGN of games for two."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

from pydantic import ConfigDict, Field

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import bounded, open_regular
from ballcourt.arena.models import LAX, Model
from ballcourt.arena.printable import cut, printable
from ballcourt.leaderboard.model.results import IMPORTED, Ladder, LeaderboardError, MatchResult, SeatResult

Raw = Iterator[tuple[int, Mapping[str, Any]]]
"""Rows as a file has them, with the numbers of their lines, from 1."""
Text = Annotated[str, LAX, Field(min_length=1, max_length=200)]

MOST_SEATS: Final = 100
LONGEST: Final = 1 << 16
"""Characters of the longest line."""
TAG: Final = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*')
POINTS: Final = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
"""The results of PGN, for White and Black."""
UNFINISHED: Final = "*"
EXAMPLE: Final = '{"match": 1, "name": "ann", "place": 1}'


class Row(Model):
    """The result of one seat of a match."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    match: Text
    """What the rows of a match have in common."""
    name: Text
    """The program; spaces become underscores."""
    version: Text = "1"
    """Other versions are rated as other programs."""
    place: Annotated[int, LAX, Field(ge=1, le=MOST_SEATS)] | None = None
    """1 is best; those that share a place have the same number. It follows from points if they are given instead."""
    points: Annotated[float, LAX, Field(allow_inf_nan=False)] | None = None
    """More is better. Without them, a seat has one for each opponent that is placed below it, a half for a tie."""
    seat: Annotated[int, LAX, Field(ge=0, le=MOST_SEATS)] | None = None
    """Where it sat, in any numbering; by default rows are in the order of seats."""
    game: Text = "results"
    """Each game has a table of its own."""
    block: Text | None = None
    """What matches have in common that shared their luck, such as the deal; by default none did."""
    owner: Text | None = None
    """Who entered the program."""


def imported(path: Path) -> list[MatchResult]:
    """Return the matches in a file, in its order. Raises LeaderboardError, which names the row that is wrong."""
    matches: dict[tuple[str, str], list[tuple[int, Row]]] = {}
    number = 0
    try:
        with open_regular(path) as file, open(file.fileno(), encoding="utf-8-sig", newline="", closefd=False) as text:
            for number, values in READERS[path.suffix.lower()](text):
                row = Row.read(values, _row(path, number), LeaderboardError)
                matches.setdefault((row.game, row.match), []).append((number, row))
    except OSError as error:
        raise LeaderboardError(f"cannot read {path}: {error.strerror or error}") from None
    except (csv.Error, ValueError, RecursionError) as error:
        if isinstance(error, LeaderboardError):
            raise
        place = f"{path}, after row {number}" if number else str(path)
        why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else cut(str(error))
        raise LeaderboardError(f"{place}: {why}") from None
    return [_match(path, rows) for rows in matches.values()]


def _row(path: Path, number: int) -> str:
    return f"{path}, row {number}"


def _match(path: Path, numbered: Sequence[tuple[int, Row]]) -> MatchResult:
    """Return the result of a match from its rows. Raises LeaderboardError."""
    rows, (last, first) = [row for _, row in numbered], (numbered[-1][0], numbered[0][1])

    def refuse(why: str) -> LeaderboardError:
        return LeaderboardError(f"{_row(path, last)}: match '{cut(first.match)}' {why}")

    if len(rows) == 1:
        raise refuse("has this row only; give one for each seat, at least 2")
    if len(rows) > MOST_SEATS:
        raise refuse(f"has {len(rows)} rows; at most {MOST_SEATS} are read")
    seats = [row.seat for row in rows if row.seat is not None]
    if len({*seats}) != (len(rows) if seats else 0):
        raise refuse("has seats that are missing or the same; give each of its rows another one, or none to all")
    if len({row.block for row in rows}) > 1:
        raise refuse("is in several blocks; give all its rows the same")
    if seats:
        rows.sort(key=lambda row: row.seat or 0)
    points = [row.points for row in rows if row.points is not None]
    places = [row.place for row in rows if row.place is not None]
    if len(points) not in (0, len(rows)) or len(places) not in (0, len(rows)) or not (points or places):
        raise refuse("has rows without a result; give place or points in each")
    if not places:
        places = [1 + sum(other > mine for other in points) for mine in points]
    if max(places) > len(rows):
        raise refuse(f"has place {max(places)}; there are {len(rows)} seats")
    if not points:
        points = [sum((other > mine) + (other == mine) / 2 for other in places) - 0.5 for mine in places]
    results = tuple(
        SeatResult(BotVersion(_name(row.name), _name(row.version)), place, score + 0.0, False, owner=row.owner or "")
        for row, place, score in zip(rows, places, points, strict=True)
    )
    key, shared = f"{first.game} {first.match}", f"{first.game} {first.block}" if first.block else ""
    return MatchResult(key, key, shared or f"{key} alone", Ladder(first.game, "", len(rows), ()), results)


def _name(text: str) -> str:
    return "_".join(printable(text).split()) or "_"


def _of_csv(text: TextIO) -> Raw:
    reader = csv.DictReader(text, restkey="more columns than the header", strict=True)
    for row in reader:
        yield reader.line_num, {name: value for name, value in row.items() if value}


def _of_json(text: TextIO) -> Raw:
    for number, line in enumerate(_lines(text), 1):
        if line.strip():
            found = json.loads(bounded(line.encode()))
            if not isinstance(found, dict):
                raise ValueError(f"a line is {cut(repr(found))}; it must be an object: {EXAMPLE}")
            given = {name: value for name, value in found.items() if value is not None}
            # as a number, true would be 1
            yield number, {name: str(value) if isinstance(value, bool) else value for name, value in given.items()}


def _of_pgn(text: TextIO) -> Raw:
    tags: dict[str, str] = {}
    games, in_moves, depth = 0, False, 0

    def rows(number: int) -> Raw:
        result = tags.get("Result", "")
        if tags and result not in (*POINTS, UNFINISHED):
            allowed = ", ".join((*POINTS, UNFINISHED))
            raise ValueError(f"game {games + 1} has the result '{cut(result)}'; it must be one of {allowed}")
        for seat, name in enumerate(("White", "Black") if result in POINTS else ()):
            found = {"match": games + 1, "game": tags.get("Variant") or "chess", "points": POINTS[result][seat]}
            yield number, found | ({"name": tags[name]} if tags.get(name) else {})

    number = 0
    for number, line in enumerate(_lines(text), 1):
        tag = None if depth else TAG.match(line)
        if tag and in_moves:
            yield from rows(number - 1)
            games, tags, in_moves = games + 1, {}, False
        if tag:
            tags[tag[1]] = tag[2]
        elif line.strip():
            in_moves = True
            depth = max(0, depth + line.count("{") - line.count("}"))
    yield from rows(number)


def _lines(text: TextIO) -> Iterator[str]:
    """Yield lines. Raises ValueError for one that is too long."""
    while line := text.readline(LONGEST):
        if len(line) == LONGEST:
            raise ValueError(f"a line has more than {LONGEST} characters")
        yield line


READERS: Final[Mapping[str, Callable[[TextIO], Raw]]] = dict(zip(IMPORTED, (_of_csv, _of_json, _of_pgn), strict=True))
