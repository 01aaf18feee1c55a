"""What pages show besides matches: computed when results come, kept in an SQLite file, read when a page is asked for.

One process writes and others read. A reader never waits for the writer and sees all of a change or nothing of it
(SQLite's write-ahead log).
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Answers:
    """The file of answers, each a JSON value with a name."""

    file: Path

    def create(self) -> None:
        """Create the file."""
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE IF NOT EXISTS answers (name TEXT PRIMARY KEY, content TEXT) WITHOUT ROWID")

    def put(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Add or replace answers, all at once."""
        rows = ((name, json.dumps(answer)) for name, answer in answers)
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")  # a file that is lost is made again
            connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)

    def get(self, *names: str) -> list[Any]:
        """Return answers of one moment; None in place of those that are not there."""
        with closing(sqlite3.connect(f"{self.file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("BEGIN")
            found = (
                connection.execute("SELECT content FROM answers WHERE name = ?", (name,)).fetchone() for name in names
            )
            return [json.loads(row[0]) if row else None for row in found]
