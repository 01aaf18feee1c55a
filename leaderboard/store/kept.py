"""Kept tables from an SQLite file, without SQLAlchemy: importing it takes longer than reading and showing them."""

import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

SCHEMA: Final = "11"
"""The schema of databases that this version writes and reads."""
LONGEST_PROMISE_S: Final = 120
"""How long kept tables are shown at most after newer matches have come, see `Database.keep`."""
LONGEST_VALUE: Final = 1_000_000
"""Bytes of the longest value that is read from an SQLite file."""

_PLAIN: Final = """
SELECT count(*) = 2 AND NOT EXISTS (SELECT * FROM pragma_table_xinfo('boards') WHERE hidden)
FROM sqlite_schema WHERE type = 'table' AND name IN ('ballcourt', 'boards')
"""
_PARTS: Final = """
SELECT boards.content, boards.seal FROM boards, ballcourt
WHERE boards.question = :question AND ballcourt.schema = :schema
AND (boards.digest = ballcourt.digest OR boards.until BETWEEN :now + 1 AND :now + :longest) ORDER BY boards.part
"""


def kept_in(file: Path, question: str) -> str | None:
    """Return what `Database.kept` returns for an SQLite file; None also if it cannot be read this way."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            distrust(connection)
            (is_plain,) = connection.execute(_PLAIN).fetchone()
            values = {"question": question, "schema": SCHEMA, "now": int(time.time()), "longest": LONGEST_PROMISE_S}
            return whole(question, connection.execute(_PARTS, values)) if is_plain else None
    except sqlite3.Error:
        return None  # opening it as a database will say why


def distrust(connection: sqlite3.Connection) -> None:
    """Bound what an SQLite file from a stranger can do."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")


def whole(question: str, parts: Iterable[Iterable[str]]) -> str | None:
    """Return the answer that was kept in parts, given with the seal of each; None unless it is complete."""
    found = [tuple(part) for part in parts]
    content = "".join(str(text) for text, _ in found)
    return content if {seal for _, seal in found} == {answer_seal(question, content)} else None


def answer_seal(question: str, content: str) -> str:
    """Hash an answer with its question."""
    return sha256(f"{question} {content}".encode()).hexdigest()
