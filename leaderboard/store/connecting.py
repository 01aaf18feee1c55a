"""Connections to a results database: from its URL to an engine, and from whatever fails to one sentence."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ballcourt.arena.extras import needs
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import MAKE_SPACE, is_full
from ballcourt.arena.locks import writer_of
from ballcourt.arena.printable import redacted
from ballcourt.leaderboard.model.results import LeaderboardError

REBUILD: Final = "rebuild it from the records, with: ballcourt leaderboard FOLDER --rebuild"
"""The end of a sentence; --database URL names another database than the folder's own."""
JOURNALS: Final = ("-journal", "-wal", "-shm")
"""What SQLite appends to a database's name for the files in which it keeps unfinished transactions."""
POSTGRESQL_DRIVER: Final = "postgresql+psycopg"
"""The driver that `ballcourt[postgres]` brings, for URLs that name none."""
DRIVERS: Final = ("sqlite", "sqlite+pysqlite", "postgresql", POSTGRESQL_DRIVER)
POSTGRESQL_DEFAULTS: Final = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "options": "-c lock_timeout=5000 -c statement_timeout=300000",
}
"""What keeps a server that is away or slow from holding up a tournament; parameters in the URL override it."""
WRONG_VALUES: Final = (
    ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError, struct.error,
)  # fmt: skip
"""What reading values of a damaged database raises."""
LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's code for a lock that was not granted within `lock_timeout`."""


class RefusedError(LeaderboardError):
    """The database refused a statement; it may accept it later."""


class FullError(RefusedError, ArenaError):
    """There is no space left for the database."""


def discard_journals(path: Path) -> None:
    """Remove the journals that a killed process left next to an SQLite file; nothing else may have it open.

    SQLite would roll them back into any other database that takes this name. The database they belong to is removed
    first, for it is damaged without them. Raises OSError.
    """
    journals = [journal for journal in _journals(path) if journal.exists()]
    for file in (path, *journals) if journals else ():
        file.unlink(missing_ok=True)


def without_password(url: str) -> str:
    """Return a database URL as it may be shown. Raises LeaderboardError for anything else."""
    return shown(parsed(url))


def parsed(url: str | Path) -> URL:
    """Return the URL of a database, or of the SQLite file at a path. Raises LeaderboardError."""
    if isinstance(url, Path):
        return URL.create("sqlite", database=str(url))
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:  # a ValueError for a port that is not a number
        raise LeaderboardError(
            f"'{re.sub('//[^/]*@', '//***@', url.partition('?')[0])}' is not a database URL; write one like "
            "sqlite:///leaderboard.sqlite or postgresql://host/name"
        ) from error
    if place.drivername not in DRIVERS:
        raise LeaderboardError(
            f"{shown(place)} is for the database '{place.drivername}'; this arena keeps results in SQLite or "
            "PostgreSQL: write a URL like sqlite:///leaderboard.sqlite or postgresql://host/name"
        )
    return place


def connected(place: URL) -> Engine:
    """Return an engine that has connected to the database once. Raises LeaderboardError."""
    driven = place.set(drivername=POSTGRESQL_DRIVER) if place.drivername == "postgresql" else place
    defaults = POSTGRESQL_DEFAULTS if driven.drivername == POSTGRESQL_DRIVER else {}
    with sentences(place):
        try:
            engine = create_engine(
                driven,
                pool_pre_ping=True,  # the server may have been restarted
                connect_args={name: value for name, value in defaults.items() if name not in place.query},
            )
            if place.get_backend_name() == "sqlite":
                event.listen(engine, "connect", _leave_transactions_to_sqlalchemy)
                event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
            engine.connect().close()
        except (TypeError, ValueError) as error:  # of a parameter in the URL
            raise RefusedError(_unusable(place, _reason(error, place))) from error
    return engine


def _leave_transactions_to_sqlalchemy(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin a transaction before the first change only


def file_of(place: URL) -> Path | None:
    """Return the path of an SQLite database; None if it is in memory, and for other databases."""
    is_file = place.get_backend_name() == "sqlite" and place.database not in (None, "", ":memory:")
    return Path(str(place.database)).absolute() if is_file else None


def file_identity(place: URL) -> tuple[int, int] | None:
    """Return the device and inode of the file of an SQLite database; None if there is no file."""
    file = file_of(place)
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def set_journal(engine: Engine, mode: str) -> None:
    """Ask SQLite to keep another kind of journal; nothing changes while others use the file, or if it is read-only.

    With "WAL", readers and writers do not wait for each other. With "DELETE", the file is whole
    without a second one, and can be read where nothing may be written. Do nothing for other databases.
    """
    if engine.driver != "pysqlite":
        return
    with closing(engine.raw_connection()) as pooled, suppress(sqlite3.Error, UnicodeDecodeError):
        connection = pooled.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        (patience_ms,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute("PRAGMA busy_timeout = 0")
        # if a power failure takes the last results, the records still have them
        connection.execute("PRAGMA synchronous = NORMAL")
        try:
            connection.execute(f"PRAGMA journal_mode = {mode}").fetchone()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {patience_ms}")


@contextmanager
def sentences(place: URL) -> Iterator[None]:
    """Turn any failure of a database into a LeaderboardError of one sentence, without the password of its URL."""
    try:
        yield
    except LeaderboardError:
        raise
    except ModuleNotFoundError:
        needs("postgres")
        raise
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise _failed(place, getattr(error, "orig", None) or error) from error
    except WRONG_VALUES as error:
        raise damaged(place, _reason(error, place)) from error


def _failed(place: URL, error: BaseException) -> LeaderboardError:
    """Return the sentence for an error of a driver."""
    reason, code = _reason(error, place), getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(place, reason)
    if is_full(error, (file_of(place) or Path.cwd()).parent):
        return FullError(f"{shown(place)} cannot be written: {MAKE_SPACE}")
    if code == sqlite3.SQLITE_ERROR:  # a table is missing, or exists already
        return RefusedError(damaged(place, reason))
    is_locked = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    if is_locked or getattr(error, "sqlstate", "") == LOCK_NOT_AVAILABLE:
        file = file_of(place)
        writer = writer_of(file, *_journals(file)) if file else "another session of the server"
        reason = f"{writer} is writing to it ({reason}); wait until it has finished, or end it"
    return RefusedError(_unusable(place, reason))


def _unusable(place: URL, reason: str) -> str:
    return f"cannot use {shown(place)} as a leaderboard: {reason}"


def damaged(place: URL, reason: str) -> LeaderboardError:
    """Return the error for a database whose content cannot be right."""
    return LeaderboardError(
        f"{shown(place)} is damaged or no leaderboard ({reason}); if it was one, remove it and {REBUILD}"
    )


def _journals(file: Path) -> list[Path]:
    """Return the paths of SQLite's journal and write-ahead log."""
    return [file.with_name(file.name + suffix) for suffix in JOURNALS]


def shown(place: URL) -> str:
    """Return a URL without its password, and without its parameters, of which any may be a secret."""
    return place.set(query={}).render_as_string(hide_password=True)


def _reason(error: BaseException, place: URL) -> str:
    """Return the first line of an exception, without the values that `shown` leaves out."""
    reason, *_ = str(error).strip().splitlines() or ["no reason given"]
    parameters = (value for given in place.query.values() for value in ((given,) if isinstance(given, str) else given))
    return redacted(reason, (place.password or "", *parameters))
