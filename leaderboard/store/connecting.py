"""Connections to a results database: from its URL to an engine, and from whatever fails to one sentence."""

from __future__ import annotations

import re
import socket
import sqlite3
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from selectors import DefaultSelector
from time import monotonic
from traceback import walk_tb
from typing import Any, Final

from sqlalchemy import Dialect, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from ballcourt.arena.extras import needs
from ballcourt.arena.locks import writer_of
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store.kept import distrust

REBUILD: Final = "rebuild it from the records, with: ballcourt leaderboard FOLDER --rebuild"
"""The end of a sentence; --database URL names another database than the folder's own."""
JOURNALS: Final = ("-journal", "-wal", "-shm")
"""What SQLite appends to a database's name for the files in which it keeps unfinished transactions."""
POSTGRESQL_DRIVER: Final = "postgresql+psycopg"
"""The driver that `ballcourt[postgres]` brings, for URLs that name none."""
POSTGRESQL_DEFAULTS: Final = {"connect_timeout": "5", "tcp_user_timeout": "10000", "options": "-c lock_timeout=5000"}
"""What keeps a server that does not answer from holding up a tournament; parameters in the URL override it."""
ANSWER_S: Final = 300.0
"""How long a PostgreSQL server may take to answer a statement completely: far longer than any of ours takes."""
MOST_ANSWERED: Final = 512 << 20
"""How many bytes the answer to a statement may have. The longest has about 150 for each match."""
RECEIVED: Final = slice(128, 136)
"""Where Linux says in its information about a TCP connection how many bytes have come (struct tcp_info)."""

LIBRARIES: Final = ("sqlalchemy", "psycopg", "psycopg_binary", "psycopg_c")
"""What raises exceptions of any kind when a server answers what PostgreSQL does not."""

LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's code for a lock that was not granted within `lock_timeout`."""


class RefusedError(LeaderboardError):
    """The database refused a statement; it may accept it later."""


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
        return make_url(url)
    except (ArgumentError, ValueError) as error:  # a ValueError for a port that is not a number
        raise LeaderboardError(
            f"'{re.sub('//[^/]*@', '//***@', url.partition('?')[0])}' is not a database URL; write one like "
            "sqlite:///leaderboard.sqlite or postgresql://host/name"
        ) from error


def check_file_exists(place: URL) -> None:
    """Raise LeaderboardError if the file of an SQLite database is missing."""
    if place.get_backend_name() == "sqlite" and not (place.database and Path(place.database).is_file()):
        raise LeaderboardError(f"there is no leaderboard {place.database or 'in memory'}; run a tournament first")


def is_in_memory(place: URL) -> bool:
    """Whether this is an SQLite database without a file."""
    return place.get_backend_name() == "sqlite" and place.database in (None, "", ":memory:")


def connected(place: URL) -> Engine:
    """Return an engine that has connected to the database once. Raises LeaderboardError."""
    driven = place.set(drivername=POSTGRESQL_DRIVER) if place.drivername == "postgresql" else place
    defaults = POSTGRESQL_DEFAULTS if driven.drivername == POSTGRESQL_DRIVER else {}
    with sentences(place):
        engine = create_engine(
            driven,
            pool_pre_ping=True,  # the server may have been restarted
            connect_args={name: value for name, value in defaults.items() if name not in place.query},
        )
        if driven.drivername == POSTGRESQL_DRIVER:
            event.listen(engine, "do_connect", _connected_patiently)
        if place.get_backend_name() == "sqlite":
            event.listen(engine, "connect", _prepare_connection)
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        engine.connect().close()
    return engine


def _prepare_connection(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin a transaction before the first change only
    distrust(connection)


def _connected_patiently(dialect: Dialect, _record: object, words: Sequence[Any], values: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return a connection to PostgreSQL that breaks when an answer takes too long or is too large.

    The parameters of a connection do not bound that: psycopg waits for an answer, and keeps it, without end.
    """
    connection: Any = dialect.connect(*words, **values)
    connection.wait = partial(_answered, connection)
    return connection


def _answered(connection: Any, answer: Generator[Any, int, Any], *_given: object, **_named: object) -> Any:  # noqa: ANN401
    """Do what psycopg's `Connection.wait` does, but not without end. Raises OperationalError."""
    from psycopg import OperationalError

    try:
        with socket.fromfd(connection.pgconn.socket, socket.AF_INET, socket.SOCK_STREAM) as line:
            until_s, most = monotonic() + ANSWER_S, _received(line) + MOST_ANSWERED
            wanted = next(answer)
            while True:
                ready = _ready(line, wanted, until_s)
                if not ready or _received(line) > most:
                    break
                wanted = answer.send(ready)
    except StopIteration as end:
        return end.value
    connection.close()
    bound = f"has more than {MOST_ANSWERED >> 20} MB" if ready else f"is not complete after {ANSWER_S:g} s"
    raise OperationalError(f"the server's answer {bound}")


def _ready(line: socket.socket, wanted: int, until_s: float) -> int:
    """Wait until a connection can be read or written, as wanted; return which of these, 0 if it is too late."""
    with DefaultSelector() as selector:
        selector.register(line, wanted)
        left_s = until_s - monotonic()
        return sum(events for _, events in selector.select(left_s)) if left_s > 0 else 0


def _received(line: socket.socket) -> int:
    """Return how many bytes have come by a connection; 0 if the system does not say, as for Unix sockets."""
    with suppress(AttributeError, OSError):
        info = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RECEIVED.stop)
        return int.from_bytes(info[RECEIVED], sys.byteorder)
    return 0


def home_of(place: URL) -> Path | None:
    """Return the folder of an SQLite database; None for other databases."""
    file = _file_of(place)
    return file.parent if file else None


def file_identity(place: URL) -> tuple[int, int] | None:
    """Return the device and inode of the file of an SQLite database; None if there is no file."""
    file = _file_of(place)
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def _file_of(place: URL) -> Path | None:
    """Return the path of an SQLite database; None if it is in memory, and for other databases."""
    is_file = place.get_backend_name() == "sqlite" and not is_in_memory(place)
    return Path(str(place.database)).absolute() if is_file else None


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
    except NoSuchModuleError as error:
        raise LeaderboardError(f"SQLAlchemy does not support the database '{place.drivername}'") from error
    except ModuleNotFoundError as error:
        if error.name == "psycopg":
            needs("postgres")
        what = f"{error.name}, which is not installed; run pip install {error.name}"
        raise LeaderboardError(f"{shown(place)} needs {what}") from error
    except UnicodeDecodeError as error:
        raise damaged(place, "contains invalid UTF-8") from error
    except (SQLAlchemyError, sqlite3.Error) as error:  # the latter while rows are read without SQLAlchemy
        original = getattr(error, "orig", None) or error
        reason = _reason(original, place)
        code = getattr(original, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise damaged(place, reason) from error
        if code == sqlite3.SQLITE_ERROR:  # a table is missing, or exists already
            raise RefusedError(damaged(place, reason)) from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or _sqlstate(error) == LOCK_NOT_AVAILABLE:
            reason = f"{_writer(place)} is writing to it ({reason}); wait until it has finished, or end it"
        raise RefusedError(f"cannot use {shown(place)} as a leaderboard: {reason}") from error
    except Exception as error:  # by a parameter in the URL, or by what no sound server answers
        if isinstance(error, MemoryError) or not _is_raised_in_library(error):
            raise
        reason = f"{_reason(error, place)} ({type(error).__name__})"
        raise LeaderboardError(f"cannot use {shown(place)} as a leaderboard: {reason}") from error


def _is_raised_in_library(error: Exception) -> bool:
    """Return whether SQLAlchemy or the driver of PostgreSQL, or what these call, raised an exception."""
    packages = [frame.f_globals["__name__"].partition(".")[0] for frame, _ in walk_tb(error.__traceback__)]
    below = packages[len(packages) - packages[::-1].index(__name__.partition(".")[0]) :]
    return bool(below) and below[0] in LIBRARIES


def _sqlstate(error: Exception) -> str:
    """Return PostgreSQL's code of an error; empty for others."""
    return str(getattr(getattr(error, "orig", None), "sqlstate", ""))


def _writer(place: URL) -> str:
    """Return who keeps a database from being used."""
    file = _file_of(place)
    if not file:
        return "another session of the server"
    return writer_of(file, *_journals(file))


def _journals(file: Path) -> list[Path]:
    """Return where SQLite keeps the changes of a database that are not in its file yet."""
    return [file.with_name(file.name + suffix) for suffix in JOURNALS]


def damaged(place: URL, reason: str) -> LeaderboardError:
    """Return the error for a database whose content cannot be right."""
    return LeaderboardError(
        f"{shown(place)} is damaged or no leaderboard ({reason}); if it was one, remove it and {REBUILD}"
    )


def shown(place: URL) -> str:
    """Return a URL without its password, and without its parameters, of which any may be a secret."""
    return place.set(query={}).render_as_string(hide_password=True)


def _reason(error: BaseException, place: URL) -> str:
    """Return the first line of what an exception says, which a server may have chosen."""
    line, *_ = str(error).strip().splitlines() or ["no reason given"]
    return _redacted(line, place)


def _redacted(reason: str, place: URL) -> str:
    """Return what a driver says of a URL, without the values that `shown` leaves out."""
    parameters = (value for given in place.query.values() for value in ((given,) if isinstance(given, str) else given))
    for value in filter(None, (place.password, *parameters)):
        reason = reason.replace(value, "***")
    return reason
