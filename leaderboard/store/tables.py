"""The tables of a results database.

`packs` holds what ratings are made of, see `packs`. The rows of `matches` and `seats` serve lists of matches.

The path of a match's record is stored relative to the folder of an SQLite database if the record is below it, as in the
output folder of a tournament, which can be moved as a whole; else it is absolute.
"""

from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import Final

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
    literal_column,
    select,
)

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import parse_json
from ballcourt.arena.records.decisions import termination_number
from ballcourt.leaderboard.model.results import OK, Ladder

METADATA = MetaData()
ABOUT = Table(
    "ballcourt",
    METADATA,
    Column("digest", String(32), primary_key=True),  # see `digest_of`
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
    Column("identity", String(32), nullable=False, unique=True),
    Column("key", String(100), nullable=False),
    Column("deal", String(32), nullable=False),
    Column("started", String(20), nullable=False),
    Column("record", Text, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("rivals", Text, nullable=False),  # JSON
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
PACKS = Table(
    "packs",
    METADATA,
    Column("ladder", ForeignKey(LADDERS.c.id), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("checksum", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("rivals", Text, nullable=False),
)
BOARDS = Table(
    "boards",
    METADATA,
    Column("question", String(64), primary_key=True),  # see `snapshot`
    Column("digest", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),  # seconds since 1970, see `Database.keep`
    Column("checksum", BigInteger, nullable=False),
    Column("content", Text, nullable=False),
)
LOST: Final = SEATS.c.termination != literal_column(str(termination_number(OK)))
"""Whether a bot lost its seat. Written out, so that a database recognises the condition of an index."""
FAULTY: Final = SEATS.c.fault.is_(True)
# the indices that lists of matches use, see `listing`; no result depends on them
Index("matches_by_ladder", MATCHES.c.ladder, MATCHES.c.id)
Index("matches_by_key", MATCHES.c.key)
Index("matches_by_start", MATCHES.c.started, MATCHES.c.id)
Index("seats_by_entrant", SEATS.c.entrant, SEATS.c.match)
Index("seats_lost", SEATS.c.termination, SEATS.c.match, sqlite_where=LOST, postgresql_where=LOST)
Index("seats_with_faults", SEATS.c.match, sqlite_where=FAULTY, postgresql_where=FAULTY)

NAMES: Final = ("name", "version", "content_hash")
"""The columns of `ENTRANTS` by which a bot is known."""
Owned = tuple[BotVersion, str]
"""An entrant and its owner: what `ENTRANTS` has a row of. Ratings do not depend on the owner."""


def digest_of(connection: Connection) -> str:
    """Hash what ratings are made of: entrants, ladders, and the checksums of all packs."""
    packs = select(PACKS.c.ladder, PACKS.c.number, PACKS.c.checksum).order_by(PACKS.c.ladder, PACKS.c.number)
    queries = (select(ENTRANTS).order_by(ENTRANTS.c.id), select(LADDERS).order_by(LADDERS.c.id), packs)
    rows = [[*map(tuple, connection.execute(query))] for query in queries]
    return sha256(repr(rows).encode()).hexdigest()[:32]


def checked_digest(connection: Connection) -> str:
    """Return the digest of a database. Raises ValueError if anything that ratings are made of was changed."""
    digest = str(connection.execute(select(ABOUT.c.digest)).scalar())
    if digest != digest_of(connection):
        raise ValueError("bots, ladders or packs were changed or removed")
    return digest


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
            row.game, row.rules_version, int(row.seats), tuple(sorted(parse_json(row.options).items())), row.after
        )
        for row in rows
    }


def stored(record: str, home: Path | None) -> str:
    """Return a record's path as it is stored: relative to the home if it is below it, so that both can be moved."""
    return record.removeprefix(f"{home}/") if home else record


def restored(stored: str, home: Path | None) -> str:
    """Return the absolute path of a record."""
    return str(home / stored) if stored and home else stored
