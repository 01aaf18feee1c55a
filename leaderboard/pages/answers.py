"""What pages show besides matches: computed when results come, kept in an SQLite file, read when a page is requested.

One process writes and others read. A reader never waits for the writer and sees a change whole or not at all
(SQLite's write-ahead log).
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, NamedTuple, TypedDict

VERSION: Final = "version"
"""The answer that differs after every change of the file."""
STATUS: Final = "status"
"""The answer that says when the tables were made, and why there are no newer ones."""
IS_HISTORY: Final = "(name LIKE 'history %' OR name LIKE 'trends %')"
"""The answers that are computed after the others, see `Summaries.histories`."""


class Status(TypedDict):
    """What is said about the answers: when they were made, and why there are no newer ones; empty if there are."""

    at: str
    trouble: str


class News(NamedTuple):
    """What an open page must know: whether there are other answers, and why there are no newer ones."""

    version: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """The file of answers, each a JSON value with a name."""

    file: Path

    def create(self) -> None:
        """Create the file."""
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE IF NOT EXISTS answers (name TEXT PRIMARY KEY, content TEXT) WITHOUT ROWID")

    def replace(self, answers: Iterable[tuple[str, Any]], *, histories: bool) -> None:
        """Replace all histories, or everything else, in one transaction."""
        with self._writing() as connection:
            connection.execute(f"DELETE FROM answers WHERE {IS_HISTORY} = ?", (histories,))
            _insert(connection, (*answers, (VERSION, token_hex(8))))

    def get(self, *names: str) -> list[Any]:
        """Return answers, all from one moment; None for each that does not exist."""
        with closing(sqlite3.connect(f"{self.file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("BEGIN")
            found = (
                connection.execute("SELECT content FROM answers WHERE name = ?", (name,)).fetchone() for name in names
            )
            return [json.loads(row[0]) if row else None for row in found]

    def version(self) -> str:
        """Return what differs after every change of what pages show."""
        return self.news().version

    def news(self) -> News:
        """Return what differs after every change, and what is wrong."""
        version, status = self.get(VERSION, STATUS)
        return News(version or "", status["trouble"] if status else "")

    def put_status(self, status: Status) -> None:
        """Replace what is said about the answers; their version stays."""
        with self._writing() as connection:
            _insert(connection, [(STATUS, status)])

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")  # a file that is lost is made again
            yield connection


def _insert(connection: sqlite3.Connection, answers: Iterable[tuple[str, Any]]) -> None:
    rows = ((name, json.dumps(answer)) for name, answer in answers)
    connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
