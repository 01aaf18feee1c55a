"""The tables of a results database, and matches as rows of them.

Every match has the checksum of its record, and a seal: a hash of all its rows, without which none of them is believed.

The path of a match's record is stored relative to the folder of an SQLite database if the record is below it, as in the
output folder of a tournament, which can be moved as a whole; else it is absolute.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from sys import intern

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    select,
)

from ballcourt.arena.printable import printable
from ballcourt.arena.records.store import MOST_POINTS
from ballcourt.leaderboard.results import Entrant, Ladder, MatchResult, RivalResult, SeatResult

METADATA = MetaData()
ABOUT = Table(
    "ballcourt",
    METADATA,
    Column("schema", String(40), primary_key=True),
    Column("digest", String(64), nullable=False),  # see `writer`
)
MATCHES = Table(
    "matches",
    METADATA,
    Column("identity", String(32), primary_key=True),
    Column("key", String(100), nullable=False),
    Column("deal", String(32), nullable=False),
    Column("game", String(100), nullable=False),
    Column("rules_version", String(100), nullable=False),
    Column("options", Text, nullable=False),
    Column("started", String(20), nullable=False),
    Column("record", Text, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("seal", String(64), nullable=False),
)
SEATS = Table(
    "seats",
    METADATA,
    Column("identity", ForeignKey(MATCHES.c.identity, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("version", String(100), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("placement", Integer, nullable=False),
    Column("score", Float(53), nullable=False),
    Column("fault", Boolean, nullable=False),
    Column("termination", String(40), nullable=False),
    Column("think_us", BigInteger, nullable=False),
    Column("longest_think_us", BigInteger, nullable=False),
)
RIVALS = Table(
    "rivals",
    METADATA,
    Column("identity", ForeignKey(MATCHES.c.identity, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("placement", Integer, nullable=False),
    Column("score", Float(53), nullable=False),
)
BOARDS = Table(
    "boards",
    METADATA,
    Column("question", String(64), primary_key=True),  # see `snapshot`
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
    Column("seal", String(64), nullable=False),
    Column("content", Text, nullable=False),
)


def seal(match: MatchResult) -> str:
    """Hash everything about a match, except where its record is."""
    rows = [
        [match.key, match.identity, match.deal, match.started, match.checksum],
        [match.ladder.game, match.ladder.rules_version, match.ladder.options],
        *([str(value) for name, value in row.items() if name != "identity"] for row in seat_rows(match)),
        *([str(value) for name, value in row.items() if name != "identity"] for row in rival_rows(match)),
    ]
    return sha256(json.dumps(rows).encode()).hexdigest()


def match_row(match: MatchResult, home: Path | None) -> dict[str, object]:
    """Return the row of a match in `MATCHES`."""
    ladder = match.ladder
    options = json.dumps(dict(ladder.options))
    return {
        "identity": match.identity,
        "key": match.key,
        "deal": match.deal,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "options": options,
        "started": match.started,
        "record": _stored(match.record, home),
        "checksum": match.checksum,
        "seal": seal(match),
    }


def _stored(record: str, home: Path | None) -> str:
    """Return a record's path as it is stored: relative to the home if it is below it, so that both can be moved."""
    return str(Path(record).relative_to(home)) if record and home and Path(record).is_relative_to(home) else record


def restored(stored: str, home: Path | None) -> str:
    """Return the absolute path of a record."""
    return str(home / stored) if stored and home else stored


def seat_rows(match: MatchResult) -> Iterator[dict[str, object]]:
    """Yield the rows of a match in `SEATS`."""
    for seat, result in enumerate(match.seats):
        yield {
            "identity": match.identity,
            "seat": seat,
            "name": result.entrant.name,
            "version": result.entrant.version,
            "content_hash": result.entrant.content_hash,
            "placement": result.placement,
            "score": result.score,
            "fault": result.fault,
            "termination": result.termination,
            "think_us": result.think_us,
            "longest_think_us": result.longest_think_us,
        }


def rival_rows(match: MatchResult) -> Iterator[dict[str, object]]:
    """Yield the rows of a match in `RIVALS`."""
    for number, rival in enumerate(match.rivals):
        yield {
            "identity": match.identity,
            "number": number,
            "name": rival.name,
            "placement": rival.placement,
            "score": rival.score,
        }


def read_rivals(connection: Connection) -> dict[str, tuple[RivalResult, ...]]:
    """Return the rivals of all matches by the match's identity."""
    rows = connection.execute(select(RIVALS).order_by(RIVALS.c.identity, RIVALS.c.number))
    return {
        identity: tuple(RivalResult(row.name, row.placement, row.score) for row in group)
        for identity, group in groupby(rows, key=lambda row: str(row.identity))
    }


def read_match(rows: list[dict[str, object]], rivals: tuple[RivalResult, ...], home: Path | None) -> MatchResult:
    """Return a match from its rows in `MATCHES` joined with `SEATS`.

    Raises ValueError, TypeError, AttributeError or RecursionError if they are damaged.
    """
    first = rows[0]
    ladder = _ladder(str(first["game"]), str(first["rules_version"]), len(rows), str(first["options"]))
    seats = tuple(_seat(row) for row in rows)
    key, identity, deal, started, record, checksum = (
        str(first[column]) for column in ("key", "identity", "deal", "started", "record", "checksum")
    )
    match = MatchResult(key, identity, deal, ladder, seats, rivals, started, restored(record, home), checksum)
    if seal(match) != first["seal"]:
        raise ValueError(f"the rows of match {printable(key)[:100]} do not match their seal")
    if not all(
        abs(score) <= MOST_POINTS for score in [seat.score for seat in seats] + [rival.score for rival in rivals]
    ):
        raise ValueError(f"a score of match {printable(key)[:100]} is out of range")
    return match


@lru_cache
def _ladder(game: str, rules_version: str, seats: int, options: str) -> Ladder:
    """Return the same object for equal ladders: a million matches would fill the memory with copies."""
    return Ladder(game, rules_version, seats, tuple(sorted(json.loads(options).items())))


@lru_cache(maxsize=4096)
def _entrant(name: str, version: str, content_hash: str) -> Entrant:
    """Return the same object for equal entrants."""
    return Entrant(name, version, content_hash)


def _seat(row: dict[str, object]) -> SeatResult:
    entrant = _entrant(str(row["name"]), str(row["version"]), str(row["content_hash"]))
    placement, score = int(str(row["placement"])), float(str(row["score"]))
    times = (int(str(row[column])) for column in ("think_us", "longest_think_us"))
    return SeatResult(entrant, placement, score, bool(row["fault"]), intern(str(row["termination"])), *times)
