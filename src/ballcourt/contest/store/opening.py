"""The database of a contest: its engine, its two kinds of transactions, and the refusal of other schemas."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ballcourt.arena.extras import needs
from ballcourt.arena.printable import cut, printable, redacted
from ballcourt.contest.refusals import ContestError, ContestFileError
from ballcourt.contest.store.schema import CONTEST, CONTEST_ABOUT, SCHEMA
from ballcourt.leaderboard.store.connecting import POSTGRESQL_DEFAULTS, POSTGRESQL_DRIVER, shown

PATIENCE_MS: Final = 20_000
"""How long a transaction waits for another one."""
PATIENT: Final = {**POSTGRESQL_DEFAULTS, "options": f"-c lock_timeout={PATIENCE_MS}"}
WRITES: Final = "ballcourt_writes"
"""The option of a connection whose transaction will write."""
ONE_WRITER: Final = "SELECT pg_advisory_xact_lock(7225465)"
"""What lets one transaction of a PostgreSQL database write at a time, until its end."""
UNKEPT: Final = re.compile("[\0\ud800-\udfff]")
"""Characters that not every database keeps: PostgreSQL takes no NUL, and UTF-8 has no lone surrogates."""
CONNECTIONS: Final = 10
"""How many a process has at most; who needs another one waits."""


class Store:
    """The database of a contest."""

    def __init__(self, engine: Engine, place: URL) -> None:
        self.engine = engine
        self.place = place

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees the database as it is now."""
        with self._told(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose changes are kept if nothing is raised.

        No one else writes meanwhile, so what a transaction has counted stays true until its end. The lock is taken at
        the beginning, as a transaction of SQLite that has read something cannot wait for it any more.
        """
        with self._told(), self.engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            yield connection

    def clear_log(self) -> None:
        """Move the changes of SQLite's log into its database: older ones hold what has been deleted since."""
        if self.file:
            with self._told(), closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for others."""
        return Path(str(self.place.database)) if self.place.get_backend_name() == "sqlite" else None

    @contextmanager
    def _told(self) -> Iterator[None]:
        with sentences(self.place):
            yield


@contextmanager
def sentences(place: URL) -> Iterator[None]:
    """Turn any failure of a database into a ContestFileError of one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name == "psycopg":
            needs("postgres")
        raise
    except SQLAlchemyError as error:
        original = getattr(error, "orig", None) or error
        line, *_ = str(original).strip().splitlines() or ["no reason given"]
        line = redacted(line, [place.password or ""])
        raise ContestFileError(f"the database {shown(place)} cannot be used: {line}") from error


def open_store(url: str, base: Path, *, create: bool = False) -> Store:
    """Open the database of a contest; `base` is where relative paths begin. Raises ContestFileError."""
    place = _placed(url, base)
    file = place.database if place.get_backend_name() == "sqlite" else None
    if file and not create and not Path(file).is_file():
        raise ContestFileError(f"there is no database {file}; `ballcourt contest new` makes one")
    with sentences(place):
        store = Store(_engine(place), place)
        try:
            _make(store) if create else _check(store)
        except BaseException:
            store.close()
            raise
    return store


def _placed(url: str, base: Path) -> URL:
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ContestFileError(
            "database is not a URL; write one like sqlite:///contest.sqlite or postgresql://host/name"
        ) from error
    if place.drivername not in ("sqlite", "postgresql", POSTGRESQL_DRIVER):
        raise ContestFileError(
            f"database is {shown(place)}; it must be like sqlite:///contest.sqlite or postgresql://host/name"
        )
    if place.get_backend_name() != "sqlite":
        return place.set(drivername=POSTGRESQL_DRIVER)
    if place.database in (None, "", ":memory:"):
        raise ContestFileError("database names no file; write one like sqlite:///contest.sqlite")
    return place.set(database=str((base / str(place.database)).absolute()))


def _engine(place: URL) -> Engine:
    if place.get_backend_name() != "sqlite":
        engine = create_engine(
            place,
            pool_pre_ping=True,
            pool_size=CONNECTIONS,
            max_overflow=0,
            connect_args=PATIENT if place.drivername == POSTGRESQL_DRIVER else {},
        )
    else:
        engine = create_engine(place, pool_size=CONNECTIONS, max_overflow=0)
        event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    event.listen(engine, "before_cursor_execute", _check_texts)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin a transaction before the first change only
    for pragma in (
        "foreign_keys = ON",
        f"busy_timeout = {PATIENCE_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",  # what is answered is on disk
        "trusted_schema = OFF",
        "secure_delete = ON",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _begin(connection: Any) -> None:  # noqa: ANN401 - as SQLAlchemy calls it
    is_writing = connection.get_execution_options().get(WRITES)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")
    elif is_writing:
        connection.exec_driver_sql(ONE_WRITER)


def _check_texts(_connection: object, _cursor: object, _statement: str, parameters: Any, *_: object) -> None:  # noqa: ANN401 - as SQLAlchemy calls it
    """Refuse in any database what one of them would: a request must not be answered by the words of a driver."""
    for row in parameters if isinstance(parameters, list) else [parameters]:
        for value in row.values() if isinstance(row, dict) else row:
            if isinstance(value, str) and UNKEPT.search(value):
                raise ContestError(f"'{cut(printable(value))}' has a NUL or a lone surrogate; leave it out")


def _make(store: Store) -> None:
    """Make the tables in a database that has none."""
    with store.writing() as connection:
        if inspect(connection).has_table(CONTEST_ABOUT.name):
            raise ContestFileError(f"{shown(store.place)} holds a contest already; name another database")
        CONTEST.create_all(connection)
        connection.execute(insert(CONTEST_ABOUT).values(id=1, schema=SCHEMA, identity=token_hex(16)))


def _check(store: Store) -> None:
    """Raise ContestFileError for a database that is not a contest's, or has another schema."""
    with store.reading() as connection:
        if not inspect(connection).has_table(CONTEST_ABOUT.name):
            raise ContestFileError(f"{shown(store.place)} holds no contest; `ballcourt contest new` makes one")
        found = connection.execute(select(CONTEST_ABOUT.c.schema)).scalar()
    if found != SCHEMA:
        raise ContestFileError(
            f"{shown(store.place)} has schema {found}, and this Ballcourt reads schema {SCHEMA}; use the Ballcourt "
            "that made it, or make a new contest"
        )
