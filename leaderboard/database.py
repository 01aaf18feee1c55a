"""Results in any database SQLAlchemy can reach: a cache that can be rebuilt from the match records.

The path of a match's record is stored relative to the folder of an SQLite database if the record is below it, as in the
output folder of a tournament, which can be moved as a whole; else it is absolute.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from ballcourt.leaderboard.results import Entrant, Ladder, LeaderboardError, MatchResult, RivalResult, SeatResult

SCHEMA: Final = "ballcourt-leaderboard-3"
BATCH: Final = 500
JOURNALS: Final = ("-journal", "-wal", "-shm")
"""What SQLite appends to a database's name for the files in which it keeps unfinished transactions."""

_metadata = MetaData()
_about = Table("ballcourt", _metadata, Column("schema", String(40), primary_key=True))
_matches = Table(
    "matches",
    _metadata,
    Column("identity", String(32), primary_key=True),
    Column("key", String(100), nullable=False),
    Column("deal", String(32), nullable=False),
    Column("game", String(100), nullable=False),
    Column("rules_version", String(100), nullable=False),
    Column("options", Text, nullable=False),
    Column("started", String(20), nullable=False),
    Column("record", Text, nullable=False),
)
_seats = Table(
    "seats",
    _metadata,
    Column("identity", ForeignKey(_matches.c.identity, ondelete="CASCADE"), primary_key=True),
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
_rivals = Table(
    "rivals",
    _metadata,
    Column("identity", ForeignKey(_matches.c.identity, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("placement", Integer, nullable=False),
    Column("score", Float(53), nullable=False),
)


class Database:
    """An open database of results, see `open_database`. Every method raises LeaderboardError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._home = _home(engine.url)

    def add(self, matches: Iterable[MatchResult]) -> int:
        """Insert the matches that are not there yet, each batch in one transaction; return how many were new."""
        remaining = iter(matches)
        added = 0
        while batch := {match.identity: match for match in islice(remaining, BATCH)}:
            with self._transaction() as connection:
                added += _add(connection, batch, self._home)
        return added

    def forget(self, matches: Iterable[MatchResult]) -> None:
        """Delete matches that no longer count, all in one transaction; ignore those that are not there."""
        identities = [match.identity for match in matches]
        with self._transaction() as connection:
            for table in (_rivals, _seats, _matches):
                connection.execute(delete(table).where(table.c.identity.in_(identities)))

    def replace(self, matches: Iterable[MatchResult]) -> int:
        """Replace everything by these matches in one transaction; return how many there are."""
        kept = {match.identity: match for match in matches}
        remaining = iter(kept.items())
        with self._transaction() as connection:
            connection.execute(delete(_rivals))
            connection.execute(delete(_seats))
            connection.execute(delete(_matches))
            while batch := dict(islice(remaining, BATCH)):
                _add(connection, batch, self._home)
        return len(kept)

    def results(self) -> list[MatchResult]:
        """Return all matches in canonical order. Raises LeaderboardError also for an invalid row."""
        columns = select(_matches, *(column for column in _seats.c if column.name != "identity"))
        query = columns.join_from(_matches, _seats).order_by(_matches.c.identity, _seats.c.seat)
        with self._transaction() as connection:
            rows = [row._asdict() for row in connection.execute(query)]
            rivals = _read_rivals(connection)
        try:
            found = [
                _match(list(group), rivals.get(identity, ()), self._home)
                for identity, group in groupby(rows, key=lambda row: row["identity"])
            ]
        except (ValueError, TypeError, AttributeError) as error:
            raise _damaged(self._engine.url, str(error)) from error
        return sorted(found, key=lambda match: match.order)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with _sentences(self._engine.url), self._engine.begin() as connection:
            yield connection


@contextmanager
def open_database(url: str | Path, *, create: bool = False) -> Iterator[Database]:
    """Open a leaderboard by its SQLAlchemy URL or the path of an SQLite file; with `create`, create it if missing.

    Raises LeaderboardError for a URL that cannot be opened, and for a database that is not a leaderboard of this
    version.
    """
    place = _parsed(url)
    if not create:
        _check_file_exists(place)
    with _sentences(place):
        engine = create_engine(place)
    try:
        with _sentences(place), engine.begin() as connection:
            _check_schema(connection, place, create=create)
        yield Database(engine)
    finally:
        engine.dispose()


def discard_journals(path: Path) -> None:
    """Remove the journals that a killed process left beside an SQLite file; nothing else may have it open.

    SQLite would roll them back into any other database that takes this name. The database they belong to is removed
    first, for it is damaged without them. Raises OSError.
    """
    journals = [journal for suffix in JOURNALS if (journal := path.with_name(path.name + suffix)).exists()]
    for file in (path, *journals) if journals else ():
        file.unlink(missing_ok=True)


def _parsed(url: str | Path) -> URL:
    if isinstance(url, Path):
        return URL.create("sqlite", database=str(url))
    try:
        return make_url(url)
    except ArgumentError as error:
        raise LeaderboardError(
            f"'{url}' is not a database URL; write one like sqlite:///leaderboard.sqlite or postgresql://host/name"
        ) from error


def _check_file_exists(place: URL) -> None:
    if place.get_backend_name() == "sqlite" and not (place.database and Path(place.database).is_file()):
        raise LeaderboardError(f"there is no leaderboard {place.database or 'in memory'}; run a tournament first")


def _check_schema(connection: Connection, place: URL, *, create: bool) -> None:
    tables = inspect(connection).get_table_names()
    ours = _about.name in tables
    found = connection.execute(select(_about.c.schema)).scalar() if ours else None
    if create and found is None and (ours or not tables):  # also if its creation was interrupted
        _metadata.create_all(connection)
        connection.execute(insert(_about).values(schema=SCHEMA))
        return
    if found is None:
        raise LeaderboardError(f"{_shown(place)} is a database, but not a ballcourt leaderboard; it was left as it is")
    if found != SCHEMA:
        raise LeaderboardError(
            f"{_shown(place)} is a leaderboard of version '{found}'; this version uses '{SCHEMA}': "
            "choose another database, or remove this one and rebuild it from the records"
        )


def _home(place: URL) -> Path | None:
    """Return the folder of an SQLite database; None for other databases."""
    is_file = place.get_backend_name() == "sqlite" and place.database and place.database != ":memory:"
    return Path(str(place.database)).absolute().parent if is_file else None


def _add(connection: Connection, batch: dict[str, MatchResult], home: Path | None) -> int:
    known = set(connection.execute(select(_matches.c.identity).where(_matches.c.identity.in_(batch))).scalars())
    new = [match for identity, match in batch.items() if identity not in known]
    if new:
        connection.execute(insert(_matches), [_match_row(match, home) for match in new])
        connection.execute(insert(_seats), [row for match in new for row in _seat_rows(match)])
    if rivals := [row for match in new for row in _rival_rows(match)]:
        connection.execute(insert(_rivals), rivals)
    return len(new)


def _match_row(match: MatchResult, home: Path | None) -> dict[str, object]:
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
    }


def _stored(record: str, home: Path | None) -> str:
    """Return a record's path as it is stored: relative to the home if it is below it, so that both can be moved."""
    return str(Path(record).relative_to(home)) if record and home and Path(record).is_relative_to(home) else record


def _restored(stored: str, home: Path | None) -> str:
    """Return the absolute path of a record."""
    return str(home / stored) if stored and home else stored


def _seat_rows(match: MatchResult) -> Iterator[dict[str, object]]:
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


def _rival_rows(match: MatchResult) -> Iterator[dict[str, object]]:
    for number, rival in enumerate(match.rivals):
        yield {
            "identity": match.identity,
            "number": number,
            "name": rival.name,
            "placement": rival.placement,
            "score": rival.score,
        }


def _read_rivals(connection: Connection) -> dict[str, tuple[RivalResult, ...]]:
    """Return the rivals of all matches by the match's identity."""
    rows = connection.execute(select(_rivals).order_by(_rivals.c.identity, _rivals.c.number))
    return {
        identity: tuple(RivalResult(row.name, row.placement, row.score) for row in group)
        for identity, group in groupby(rows, key=lambda row: str(row.identity))
    }


def _match(rows: list[dict[str, object]], rivals: tuple[RivalResult, ...], home: Path | None) -> MatchResult:
    first = rows[0]
    options = tuple(sorted(json.loads(str(first["options"])).items()))
    ladder = Ladder(str(first["game"]), str(first["rules_version"]), len(rows), options)
    seats = tuple(_seat(row) for row in rows)
    key, identity, deal, started, record = (
        str(first[column]) for column in ("key", "identity", "deal", "started", "record")
    )
    return MatchResult(key, identity, deal, ladder, seats, rivals, started, _restored(record, home))


def _seat(row: dict[str, object]) -> SeatResult:
    entrant = Entrant(str(row["name"]), str(row["version"]), str(row["content_hash"]))
    placement, score = int(str(row["placement"])), float(str(row["score"]))
    times = (int(str(row[column])) for column in ("think_us", "longest_think_us"))
    return SeatResult(entrant, placement, score, bool(row["fault"]), str(row["termination"]), *times)


@contextmanager
def _sentences(place: URL) -> Iterator[None]:
    """Turn any failure of a database into a LeaderboardError of one sentence, without the password of its URL."""
    try:
        yield
    except NoSuchModuleError as error:
        raise LeaderboardError(f"SQLAlchemy does not support the database '{place.drivername}'") from error
    except ModuleNotFoundError as error:
        raise LeaderboardError(f"{_shown(place)} needs the Python module {error.name}; install it") from error
    except UnicodeDecodeError as error:
        raise _damaged(place, "contains invalid UTF-8") from error
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise LeaderboardError(f"cannot use {_shown(place)} as a leaderboard: {reason}") from error


def _damaged(place: URL, reason: str) -> LeaderboardError:
    return LeaderboardError(f"{_shown(place)} is damaged ({reason}); remove it and rebuild it from the records")


def _shown(place: URL) -> str:
    return place.render_as_string(hide_password=True)
