"""Results in any database SQLAlchemy can reach: a cache that can be rebuilt from the match records."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, Engine, MetaData, and_, delete, func, insert, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.filters import EVERYTHING, Filter
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult
from ballcourt.leaderboard.store import tables as at
from ballcourt.leaderboard.store.connecting import (
    REBUILD,
    RefusedError,
    connected,
    file_identity,
    file_of,
    parsed,
    sentences,
    set_journal,
    shown,
)
from ballcourt.leaderboard.store.kept import LONGEST_PROMISE_S, SCHEMA, VALID, asked, checksum_of, unchanged
from ballcourt.leaderboard.store.listing import Place, Wanted, matches_listed
from ballcourt.leaderboard.store.tallies import Tally, tallies
from ballcourt.leaderboard.store.writer import BATCH, Writer

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.arrays import Columns
    from ballcourt.leaderboard.store.reading import Reader

CREATION_WAITS_S: Final = (0.1, 0.2, 0.4, 0.8, 1.6)
"""How long to wait between attempts to create the tables, which another run may be creating too."""
FORMER: Final = ("records", "rivals")
"""Tables of earlier schemas."""


class Database:
    """An open database of results, see `open_database`. Every method raises LeaderboardError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        file = file_of(engine.url)
        self._home = file.parent if file else None
        self._file = self._read = file_identity(engine.url)

    def add(self, matches: Iterable[MatchResult]) -> int:
        """Insert the matches that are not there yet, each batch in one transaction; return how many were inserted.

        A match that is there with another record is replaced.
        """
        remaining = iter(matches)
        added = 0
        while batch := {match.identity: match for match in islice(remaining, BATCH)}:
            with self._writing() as writer:
                added += writer.add(batch)
        return added

    def forget(self, identities: Sequence[str]) -> None:
        """Delete matches that no longer count, all in one transaction; ignore those that are not there."""
        with self._writing() as writer:
            writer.delete(identities)

    def keep_only(self, identities: Collection[str], records: Path) -> None:
        """Delete all other matches that have their records in this folder, which is below the database or absolute."""
        with self._writing() as writer:
            inside = self._recorded_in(writer.connection, records)
            writer.delete([identity for identity in inside if identity not in identities])

    def names_in(self, records: Path) -> set[str]:
        """Return the names of the record files of its matches in this folder, which is below it or absolute."""
        with self._reading() as connection:
            return {*self._recorded_in(connection, records).values()}

    def _recorded_in(self, connection: Connection, records: Path) -> dict[str, str]:
        """Return the names of the records in a folder, by the identities of their matches."""
        rows = connection.execute(select(at.MATCHES.c.identity, at.MATCHES.c.record)).all()
        places = {row.identity: Path(at.restored(str(row.record), self._home)) for row in rows}
        return {identity: place.name for identity, place in places.items() if place.parent == records}

    def results(self) -> list[MatchResult]:
        """Return all matches in canonical order.

        Raises LeaderboardError also for a database that was damaged or changed by anything but this class.
        """
        with self._reader() as reader:
            at.checked_digest(reader.connection)
            return sorted(reader.matches(), key=lambda match: match.order)

    def contents(self, wanted: Filter = EVERYTHING) -> tuple[dict[Ladder, Columns], str]:
        """Return the wanted matches as arrays, and the digest of all; like `results` at a fraction of time and memory.

        Raises LeaderboardError also if no match is wanted.
        """
        with self._reader() as reader:
            digest = at.checked_digest(reader.connection)
            return reader.columns(wanted), digest

    def digest(self) -> str:
        """Return a hash that changes whenever a match is added or removed."""
        with self._reading() as connection:
            return str(connection.execute(select(at.ABOUT.c.digest)).scalar())

    def listed(self, wanted: Wanted, after: Place | None, count: int) -> tuple[list[MatchResult], Place | None]:
        """Return a page of matches, see `listing`, and where the next one begins; None if there is none."""
        with self._reader() as reader:
            found, end = matches_listed(reader.connection, wanted, after, count)
            matches = reader.chosen(at.MATCHES.c.id.in_(found))
        return [matches[number] for number in found], end

    def records(self, wanted: Wanted, count: int) -> list[tuple[str, str, Path]]:
        """Return identity, checksum and record of the newest matches, which takes less time than the matches do."""
        with self._reading() as connection:
            found, _ = matches_listed(connection, wanted, None, count)
            rows = connection.execute(select(at.MATCHES).where(at.MATCHES.c.id.in_(found)).order_by(at.MATCHES.c.id))
            return [(row.identity, row.checksum, Path(at.restored(row.record, self._home))) for row in rows]

    def match(self, name: str) -> MatchResult | None:
        """Return a match by its identity, else the newest one with this key; None if there is none."""
        numbers = select(at.MATCHES.c.id)
        with self._reader() as reader:
            return reader.first(numbers.where(at.MATCHES.c.identity == name)) or reader.first(
                numbers.where(at.MATCHES.c.key == name).order_by(at.MATCHES.c.id.desc())
            )

    def known(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of some keys that matches have."""
        with self._reading() as connection:
            return frozenset(connection.scalars(select(at.MATCHES.c.key).where(at.MATCHES.c.key.in_(keys))))

    def debuts(self, most: int) -> list[tuple[BotVersion, MatchResult]]:
        """Return the newest bots, at most this number, each with its first match."""
        newest = select(at.ENTRANTS).order_by(at.ENTRANTS.c.id.desc()).limit(most).subquery()
        owned = at.ENTRANTS.alias()  # a bot is there once for each of its owners
        names = [newest.c[name] for name in at.NAMES]
        is_same = and_(*(newest.c[name] == owned.c[name] for name in at.NAMES))
        joined = newest.join(owned, is_same).join(at.SEATS, at.SEATS.c.entrant == owned.c.id)
        query = select(*names, func.min(at.SEATS.c.match)).select_from(joined).group_by(*names)
        with self._reader() as reader:
            found = [(BotVersion(*name), first) for *name, first in reader.connection.execute(query)]
            matches = reader.chosen(at.MATCHES.c.id.in_({number for _, number in found}))
        return [(bot, matches[number]) for bot, number in found]

    def nth(self, ladder: Ladder, nth: int) -> MatchResult | None:
        """Return the nth match of a ladder in the order in which they were entered; None if there are fewer."""
        with self._reader() as reader:
            known = [number for number, one in reader.ladders.items() if one == ladder]
            query = select(at.MATCHES.c.id).where(at.MATCHES.c.ladder.in_(known)).order_by(at.MATCHES.c.id)
            return reader.first(query.offset(nth - 1))

    def beside(self, match: MatchResult) -> tuple[str, str]:
        """Return the identities of the matches that were entered before and after one; empty if there is none."""
        number = select(at.MATCHES.c.id).where(at.MATCHES.c.identity == match.identity).scalar_subquery()
        older = select(at.MATCHES.c.identity).where(at.MATCHES.c.id < number).order_by(at.MATCHES.c.id.desc()).limit(1)
        newer = select(at.MATCHES.c.identity).where(at.MATCHES.c.id > number).order_by(at.MATCHES.c.id).limit(1)
        with self._reading() as connection:
            return connection.execute(older).scalar() or "", connection.execute(newer).scalar() or ""

    def tallies(self) -> dict[Ladder, dict[BotVersion, Tally]]:
        """Count what each bot did, see `tallies`."""
        with self._reading() as connection:
            return tallies(connection)

    def kept(self, question: str) -> tuple[str, str] | None:
        """Return the text kept as the answer to a question, and the digest of the matches that it is about.

        These are the present matches, or a newer answer was promised; None if there is no such answer.
        """
        with self._reading() as connection:
            return unchanged(connection.execute(text(VALID), asked(question)).one_or_none())

    def keep(self, question: str, digest: str, content: str, *, promise_s: int = 0) -> None:
        """Keep the answer to a question about the matches with this digest; forget answers about other matches.

        With `promise_s`, readers accept the answer for this many seconds even if matches are added meanwhile: the
        program that adds them stores a newer answer by then.
        """
        until = int(time.time()) + min(promise_s, LONGEST_PROMISE_S)
        row = {"question": question, "digest": digest, "until": until, "checksum": checksum_of(content)}
        with self._writing() as writer:
            outdated = (at.BOARDS.c.question == question) | (at.BOARDS.c.digest != digest)
            writer.connection.execute(delete(at.BOARDS).where(outdated))
            writer.connection.execute(insert(at.BOARDS).values(**row, content=content))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Begin a transaction in which nothing changes between two statements."""
        self._follow()
        options = {"isolation_level": "REPEATABLE READ"} if self._engine.dialect.name == "postgresql" else {}
        with (
            sentences(self._engine.url),
            self._engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    def _follow(self) -> None:
        """Read the file that is in place now: open connections would read a removed one for ever."""
        found = file_identity(self._engine.url)
        if found != self._read:
            if found is None:  # SQLite would make an empty file
                raise RefusedError(f"the file of {shown(self._engine.url)} was removed while it was in use")
            self._engine.dispose()
            self._read = found

    @contextmanager
    def _reader(self) -> Iterator[Reader]:
        from ballcourt.leaderboard.store.reading import Reader  # NumPy, which a database that is only written avoids

        with self._reading() as connection:
            yield Reader(connection, self._home)

    @property
    def is_in_place(self) -> bool:
        """Whether its file is still at its path; what is written to one that was removed is lost."""
        return file_identity(self._engine.url) == self._file

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        if not self.is_in_place:
            raise RefusedError(f"the file of {shown(self._engine.url)} was removed or replaced while it was in use")
        with sentences(self._engine.url):
            set_journal(self._engine, "WAL")
        with sentences(self._engine.url), self._engine.begin() as connection:
            writer = Writer(connection, self._home)
            yield writer
            writer.finish()


@contextmanager
def open_database(url: str | Path, *, create: bool = False, rebuild: bool = False) -> Iterator[Database]:
    """Open a leaderboard by its SQLAlchemy URL or the path of an SQLite file.

    With `create`, create it if it is missing; with `rebuild`, create it in place of any other leaderboard. Raises
    LeaderboardError for a URL that cannot be opened, and for a database that is not a leaderboard of this version.
    """
    place = parsed(url)
    file = file_of(place)
    is_in_memory = place.get_backend_name() == "sqlite" and file is None
    if create and is_in_memory:
        raise LeaderboardError(
            f"{shown(place)} is a database in memory, which no one could read later; name a file, such as "
            "sqlite:///leaderboard.sqlite"
        )
    if not create and (is_in_memory or (file and not file.is_file())):
        raise LeaderboardError(f"there is no leaderboard {place.database or 'in memory'}; run a tournament first")
    engine = connected(place)
    try:
        _prepare(engine, create=create, rebuild=rebuild)
        yield Database(engine)
    finally:
        _close(engine)


def _close(engine: Engine) -> None:
    engine.dispose()  # an own connection would be in the way too
    if engine.dialect.name == "sqlite" and file_identity(engine.url) is None:
        return  # SQLite would make an empty file in place of one that was removed
    with suppress(SQLAlchemyError):
        set_journal(engine, "DELETE")
    engine.dispose()


def _prepare(engine: Engine, *, create: bool, rebuild: bool) -> None:
    """Check the schema of a leaderboard; create or rebuild it if that is wanted. Raises LeaderboardError.

    If a database refuses to create the tables, try again: another run may be creating them too.
    """
    for wait_s in (*CREATION_WAITS_S, None) if create else (None,):
        try:
            with sentences(engine.url), engine.begin() as connection:
                tables = inspect(connection).get_table_names()
                is_ours = at.ABOUT.name in tables
                found = str(connection.execute(select(at.ABOUT.c.schema)).scalar() or "") if is_ours else ""
                if rebuild and found:
                    _drop(connection, tables)
                    _create(connection)
                elif create and not found and (is_ours or not tables):  # also if creating was interrupted
                    _create(connection)
                elif found != SCHEMA:
                    raise _other_schema(found, engine.url)
            return
        except RefusedError:
            if wait_s is None:
                raise
            time.sleep(wait_s)


def _create(connection: Connection) -> None:
    at.METADATA.create_all(connection)
    connection.execute(insert(at.ABOUT).values(digest=at.digest_of(connection), schema=SCHEMA))


def _drop(connection: Connection, tables: Collection[str]) -> None:
    """Drop the tables of a leaderboard, also of one that another version made."""
    found = MetaData()
    found.reflect(connection, only=[name for name in (*at.METADATA.tables, *FORMER) if name in tables])
    found.drop_all(connection)


def _other_schema(found: str, place: URL) -> LeaderboardError:
    """Return the error for a schema that is not the one of this version."""
    if not found:
        return LeaderboardError(f"{shown(place)} is a database, but not a ballcourt leaderboard; it was left as it is")
    is_newer = found.isdecimal() and int(found) > int(SCHEMA)
    remedy = "update ballcourt" if is_newer else f"{REBUILD} --database {shown(place)}"
    return LeaderboardError(
        f"{shown(place)} is a leaderboard of schema '{found}', and this version of ballcourt needs schema "
        f"'{SCHEMA}': choose another database, or {remedy}"
    )
