"""Kept tables from an SQLite file, without SQLAlchemy: importing it takes longer than reading and showing them."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from zlib import crc32

SCHEMA: Final = "12"
"""The schema of databases that this version writes and reads."""
LONGEST_PROMISE_S: Final = 120
"""How long kept tables are shown at most after newer matches have come, see `Database.keep`."""

VALID: Final = """
SELECT boards.content, boards.digest, boards.checksum FROM boards, ballcourt
WHERE boards.question = :question AND ballcourt.schema = :schema
AND (boards.digest = ballcourt.digest OR boards.until BETWEEN :soonest AND :latest)
"""
"""Asks for the answer to a question, with the values of `asked`."""


def kept_in(file: Path, question: str) -> tuple[str, str] | None:
    """Return what `Database.kept` returns for an SQLite file; None also if it cannot be read this way."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return unchanged(connection.execute(VALID, asked(question)).fetchone())
    except sqlite3.Error:
        return None  # opening it as a database will say why


def asked(question: str) -> dict[str, str | int]:
    """Return the values of `VALID`."""
    now = int(time.time())
    return {"question": question, "schema": SCHEMA, "soonest": now + 1, "latest": now + LONGEST_PROMISE_S}


def unchanged(found: Sequence[Any] | None) -> tuple[str, str] | None:
    """Return the content and the digest of what `VALID` found; None if the content does not have its checksum."""
    content, digest, checksum = found or ("", "", None)
    return (content, digest) if checksum_of(content) == checksum else None


def checksum_of(content: str) -> int:
    """Return the checksum of the content of a kept table."""
    return crc32(str(content).encode(errors="replace"))
