"""The tables of a results database, and matches as rows of them.

`matches`, `seats` and `rivals` hold what ratings are made of, in narrow columns that load into arrays; `packs` repeats
most of it in a form that loads faster; `records` holds the names by which a match is known and found. The seal in
`matches` is over what ratings are made of, the one in `records` over the names and the times.

The path of a match's record is stored relative to the folder of an SQLite database if the record is below it, as in the
output folder of a tournament, which can be moved as a whole; else it is absolute.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    literal_column,
    select,
)

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.decisions import termination_number
from ballcourt.leaderboard.model.blocks import block_name
from ballcourt.leaderboard.model.results import OK, Ladder, MatchResult, RivalResult, SeatResult
from ballcourt.leaderboard.model.seals import RANGE, bits, mixed, signed, text_seal

METADATA = MetaData()
ABOUT = Table(
    "ballcourt",
    METADATA,
    Column("digest", String(32), primary_key=True),  # see `writer`
    Column("schema", String(32), nullable=False),
)
ENTRANTS = Table(
    "entrants",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("version", String(100), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("owner", String(100), nullable=False),
    UniqueConstraint("name", "version", "content_hash", "owner"),
)
LADDERS = Table(
    "ladders",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("game", String(100), nullable=False),
    Column("rules_version", String(100), nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("options", Text, nullable=False),
    Column("after", String(100), nullable=False),
)
MATCHES = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("ladder", ForeignKey(LADDERS.c.id), nullable=False),
    Column("deal", BigInteger, nullable=False),  # hashes: equal for matches of one deal, of one block
    Column("block", BigInteger, nullable=False),
    Column("seal", BigInteger, nullable=False),
)
SEATS = Table(
    "seats",
    METADATA,
    Column("match", ForeignKey(MATCHES.c.id), primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("entrant", ForeignKey(ENTRANTS.c.id), nullable=False),
    Column("placement", Integer, nullable=False),
    Column("score", Float(53), nullable=False),
    Column("fault", Boolean, nullable=False),
    Column("termination", Integer, nullable=False),  # the number of the protocol's enum
    Column("think_us", BigInteger, nullable=False),
    Column("longest_think_us", BigInteger, nullable=False),
    Column("own", Float(53), nullable=False),  # the share of its decisions that the bot chose itself
    sqlite_with_rowid=False,
)
RIVALS = Table(
    "rivals",
    METADATA,
    Column("match", ForeignKey(MATCHES.c.id), primary_key=True),
    Column("number", SmallInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("placement", Integer, nullable=False),
    Column("score", Float(53), nullable=False),
    sqlite_with_rowid=False,
)
RECORDS = Table(
    "records",
    METADATA,
    Column("match", ForeignKey(MATCHES.c.id), primary_key=True),
    Column("identity", String(32), nullable=False, unique=True),
    Column("key", String(100), nullable=False),
    Column("deal", String(32), nullable=False),
    Column("started", String(20), nullable=False),
    Column("record", Text, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("seal", BigInteger, nullable=False),
)
PACK: Final = 8192
"""How many numbers of matches belong to a pack. Databases depend on it."""
PACKS = Table(
    "packs",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),  # see `packs`
)
BOARDS = Table(
    "boards",
    METADATA,
    Column("question", String(64), primary_key=True),  # see `snapshot`
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("digest", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),  # seconds since 1970, see `Database.keep`
    Column("seal", String(64), nullable=False),
    Column("content", Text, nullable=False),
)
LOST: Final = SEATS.c.termination != literal_column(str(termination_number(OK)))
"""Whether a bot lost its seat. Written out, so that a database recognises the condition of an index."""
FAULTY: Final = SEATS.c.fault.is_(True)
# the indices that lists of matches use, see `listing`; no result depends on them
Index("matches_by_ladder", MATCHES.c.ladder, MATCHES.c.id)
Index("records_by_key", RECORDS.c.key)
Index("records_by_start", RECORDS.c.started, RECORDS.c.match)
Index("seats_by_entrant", SEATS.c.entrant, SEATS.c.match)
Index("seats_lost", SEATS.c.termination, SEATS.c.match, sqlite_where=LOST, postgresql_where=LOST)
Index("seats_with_faults", SEATS.c.match, sqlite_where=FAULTY, postgresql_where=FAULTY)
OF_MATCH: Final = {MATCHES: MATCHES.c.id, SEATS: SEATS.c.match, RIVALS: RIVALS.c.match, RECORDS: RECORDS.c.match}
"""The tables that have rows of each match, and the column with its number."""

Row = dict[str, Any]
Owned = tuple[BotVersion, str]
"""An entrant and its owner: what `ENTRANTS` has a row of. Ratings do not depend on the owner."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers by which a database knows entrants and ladders."""

    entrants: Mapping[Owned, int]
    ladders: Mapping[Ladder, int]


def last_match(connection: Connection) -> int:
    """Return the highest number of a match; 0 if there is none."""
    return int(connection.execute(select(func.max(MATCHES.c.id))).scalar() or 0)


def read_entrants(connection: Connection, numbers: Collection[int] | None = None) -> dict[int, Owned]:
    """Return the entrants with these numbers, or all, by their numbers."""
    query = select(ENTRANTS)
    rows = connection.execute(query if numbers is None else query.where(ENTRANTS.c.id.in_(numbers)))
    return {int(row.id): (BotVersion(row.name, row.version, row.content_hash), row.owner) for row in rows}


def read_ladders(connection: Connection) -> dict[int, Ladder]:
    """Return all ladders by their numbers. Raises ValueError, TypeError or AttributeError if they are damaged."""
    rows = connection.execute(select(LADDERS))
    return {
        int(row.id): Ladder(
            row.game, row.rules_version, int(row.seats), tuple(sorted(json.loads(row.options).items())), row.after
        )
        for row in rows
    }


def entrant_row(owned: Owned, number: int) -> Row:
    """Return the row of an entrant in `ENTRANTS`."""
    bot, owner = owned
    return {
        "id": number,
        "name": bot.name,
        "version": bot.version,
        "content_hash": bot.content_hash,
        "owner": owner,
    }


def ladder_row(ladder: Ladder, number: int) -> Row:
    """Return the row of a ladder in `LADDERS`."""
    options = json.dumps(dict(ladder.options))
    return {
        "id": number,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "seats": ladder.seats,
        "options": options,
        "after": ladder.after,
    }


def match_row(match: MatchResult, home: Path | None, numbers: Numbers) -> Row:
    """Return the row of a match in `MATCHES`, without its number."""
    deal, block = text_seal(match.deal), text_seal(*block_name(match, stored(match.record, home)))
    seats = sum(seat_seal(seat, result) for seat, result in enumerate(match.seats)) % RANGE
    rivals = sum(rival_seal(number, rival) for number, rival in enumerate(match.rivals)) % RANGE
    return {
        "ladder": numbers.ladders[match.ladder],
        "deal": signed(deal),
        "block": signed(block),
        "seal": signed(mixed([ladder_seal(match.ladder), deal, block, seats, rivals])),
    }


def record_row(match: MatchResult, home: Path | None) -> Row:
    """Return the row of a match in `RECORDS`, without its number."""
    row = {
        "identity": match.identity,
        "key": match.key,
        "deal": match.deal,
        "started": match.started,
        "record": stored(match.record, home),
        "checksum": match.checksum,
    }
    times = [str(time) for seat in match.seats for time in (seat.think_us, seat.longest_think_us)]
    return {**row, "seal": signed(text_seal(*row.values(), *times))}


def seat_rows(match: MatchResult, number: int, numbers: Numbers) -> Iterator[Row]:
    """Yield the rows of a match in `SEATS`."""
    for seat, result in enumerate(match.seats):
        yield {
            "match": number,
            "seat": seat,
            "entrant": numbers.entrants[result.entrant, result.owner],
            "placement": result.placement,
            "score": result.score,
            "fault": result.fault,
            "termination": termination_number(result.termination),
            "think_us": result.think_us,
            "longest_think_us": result.longest_think_us,
            "own": result.own,
        }


def rival_rows(match: MatchResult, number: int) -> Iterator[Row]:
    """Yield the rows of a match in `RIVALS`."""
    for index, rival in enumerate(match.rivals):
        yield {
            "match": number,
            "number": index,
            "name": rival.name,
            "placement": rival.placement,
            "score": rival.score,
        }


@lru_cache
def ladder_seal(ladder: Ladder) -> int:
    """Hash a ladder."""
    options = [word for option in ladder.options for word in option]
    return text_seal(ladder.game, ladder.rules_version, str(ladder.seats), *options, *filter(None, [ladder.after]))


@lru_cache(maxsize=4096)
def entrant_seal(entrant: BotVersion, owner: str) -> int:
    """Hash an entrant and its owner."""
    return text_seal(entrant.name, entrant.version, entrant.content_hash, *filter(None, [owner]))


def seat_seal(seat: int, result: SeatResult) -> int:
    """Hash the result of a seat, without its times."""
    ended = termination_number(result.termination)
    numbers = (seat, result.placement, result.score, result.fault, ended, result.own)
    return int(mixed([entrant_seal(result.entrant, result.owner), *bits(*numbers)]))


def rival_seal(number: int, rival: RivalResult) -> int:
    """Hash the result of a rival."""
    return int(mixed([text_seal(rival.name), *bits(number, rival.placement, rival.score)]))


def stored(record: str, home: Path | None) -> str:
    """Return a record's path as it is stored: relative to the home if it is below it, so that both can be moved."""
    return record.removeprefix(f"{home}/") if home else record


def restored(stored: str, home: Path | None) -> str:
    """Return the absolute path of a record."""
    return str(home / stored) if stored and home else stored
