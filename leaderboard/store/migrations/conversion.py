"""From schema 5, which had names in every row and a seal of text for each match, to the newest schema at once.

All matches are read and written again, so no migration between the two is needed.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    insert,
    select,
)

from ballcourt.leaderboard.model.results import Entrant, Ladder, LeaderboardError, MatchResult, RivalResult, SeatResult
from ballcourt.leaderboard.store.tables import ABOUT, METADATA
from ballcourt.leaderboard.store.writer import BATCH, EMPTY, Writer

PREFIX = "schema_5_"
_OLD = MetaData()
_MATCHES = Table(
    f"{PREFIX}matches",
    _OLD,
    *(Column(name, Text) for name in ("identity", "key", "deal", "game", "rules_version", "options")),
    *(Column(name, Text) for name in ("started", "record", "checksum", "seal")),
)
_SEATS = Table(
    f"{PREFIX}seats",
    _OLD,
    Column("identity", String),
    Column("seat", Integer),
    Column("name", String),
    Column("version", String),
    Column("content_hash", String),
    Column("placement", Integer),
    Column("score", Float(53)),
    Column("fault", Boolean),
    Column("termination", String),
    Column("think_us", Integer),
    Column("longest_think_us", Integer),
)
_RIVALS = Table(
    f"{PREFIX}rivals",
    _OLD,
    Column("identity", String),
    Column("number", Integer),
    Column("name", String),
    Column("placement", Integer),
    Column("score", Float(53)),
)


def convert(connection: Connection) -> None:
    """Copy all matches, then drop the old tables. Raises LeaderboardError if a match does not match its seal."""
    op = Operations(MigrationContext.configure(connection))
    for table in (_MATCHES, _SEATS, _RIVALS):
        op.rename_table(table.name.removeprefix(PREFIX), table.name)
    op.drop_table("boards")
    op.drop_table("ballcourt")
    METADATA.create_all(connection)
    connection.execute(insert(ABOUT).values(digest=EMPTY))
    writer = Writer(connection, home=None)  # the paths of records are copied as they are
    remaining = _matches(connection)
    while batch := {match.identity: match for match in islice(remaining, BATCH)}:
        writer.add(batch)
    writer.finish()
    for table in (_SEATS, _RIVALS, _MATCHES):
        op.drop_table(table.name)


def _matches(connection: Connection) -> Iterator[MatchResult]:
    identities = connection.execute(select(_MATCHES.c.identity)).scalars().all()
    for start in range(0, len(identities), BATCH):
        some = identities[start : start + BATCH]
        seats, rivals = (_by_match(connection, table, some) for table in (_SEATS, _RIVALS))
        for row in connection.execute(select(_MATCHES).where(_MATCHES.c.identity.in_(some))).mappings():
            yield _match(row, seats.get(row["identity"], []), rivals.get(row["identity"], []))


def _by_match(connection: Connection, table: Table, identities: Sequence[str]) -> dict[str, list[RowMapping]]:
    """Return the rows of some matches in a table by identity, in their order."""
    query = select(table).where(table.c.identity.in_(identities)).order_by(table.c.identity, table.columns[1])
    rows = connection.execute(query).mappings()
    return {identity: list(group) for identity, group in groupby(rows, key=itemgetter("identity"))}


def _match(row: RowMapping, seats: Sequence[RowMapping], rivals: Sequence[RowMapping]) -> MatchResult:
    if _seal(row, seats, rivals) != row["seal"]:
        raise LeaderboardError(f"the rows of match {row['identity']} do not match their seal")
    ladder = Ladder(row["game"], row["rules_version"], len(seats), _options(row))
    results = tuple(
        SeatResult(
            Entrant(seat["name"], seat["version"], seat["content_hash"]),
            *(seat[name] for name in ("placement", "score", "fault", "termination", "think_us", "longest_think_us")),
        )
        for seat in seats
    )
    players = tuple(RivalResult(rival["name"], rival["placement"], rival["score"]) for rival in rivals)
    about = (row[name] for name in ("started", "record", "checksum"))
    return MatchResult(row["key"], row["identity"], row["deal"], ladder, results, players, *about)


def _seal(row: RowMapping, seats: Sequence[RowMapping], rivals: Sequence[RowMapping]) -> str:
    words = [
        [row[name] for name in ("key", "identity", "deal", "started", "checksum")],
        [row["game"], row["rules_version"], _options(row)],
        *([str(value) for name, value in part.items() if name != "identity"] for part in (*seats, *rivals)),
    ]
    return sha256(json.dumps(words).encode()).hexdigest()


def _options(row: RowMapping) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(json.loads(row["options"]).items()))
