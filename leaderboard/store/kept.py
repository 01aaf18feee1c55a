"""Kept tables from an SQLite file, without SQLAlchemy: importing it takes longer than reading and showing them."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final
from zlib import crc32

SCHEMA: Final = "12"
"""The schema of databases that this version writes and reads."""
LONGEST_PROMISE_S: Final = 120
"""How long kept tables are shown at most after newer matches have come, see `Database.keep`."""

_VALID: Final = """
SELECT boards.content, boards.checksum FROM boards, ballcourt
WHERE boards.question = :question AND ballcourt.schema = :schema
AND (boards.digest = ballcourt.digest OR boards.until BETWEEN :now + 1 AND :now + :longest)
"""


def kept_in(file: Path, question: str) -> str | None:
    """Return what `Database.kept` returns for an SQLite file; None also if it cannot be read this way."""
    values = {"question": question, "schema": SCHEMA, "now": int(time.time()), "longest": LONGEST_PROMISE_S}
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute(_VALID, values).fetchone()
    except sqlite3.Error:
        return None  # opening it as a database will say why
    return unchanged(*found) if found else None


def unchanged(content: str, checksum: int) -> str | None:
    """Return the content of a kept table; None if it does not have its checksum."""
    return content if checksum_of(content) == checksum else None


def checksum_of(content: str) -> int:
    """Return the checksum of the content of a kept table."""
    return crc32(str(content).encode(errors="replace"))
