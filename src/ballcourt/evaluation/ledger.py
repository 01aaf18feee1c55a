"""What has been found out about candidates, in one SQLite file, so that no match is played twice.

A block is kept under its question (the key of the terms), the content of its candidate, its deals and its number. Each
is written as soon as it is complete: what was interrupted at any moment goes on where it was. The file also has the
seeds of the deals, so only its owner may read it.

Deals are named by their purpose: "shared" and a number for those of all candidates, "fresh" and the content of the only
candidate that meets them. So a seed gives the same deals whatever was asked before.
"""

import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from hashlib import sha256
from itertools import count, groupby, takewhile
from pathlib import Path
from typing import Annotated, Any, Final

from google.protobuf.message import DecodeError
from pydantic import Field, TypeAdapter, ValidationError

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.files import MAKE_SPACE, is_full, unpacked
from ballcourt.arena.locks import is_claimed
from ballcourt.arena.printable import cut
from ballcourt.arena.records.store import read_message
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.terms import Place
from ballcourt.v1.record_pb2 import MatchRecord

APPLICATION: Final = 0x42434556
"""Marks the file as ours."""
FRESH: Final = "fresh"
"""How the names of deals begin that are for the final answer about one candidate."""
SHARED: Final = "shared"
"""How the names of deals begin that other candidates meet too."""
VERSION: Final = 3
MOST_KEPT: Final = 1 << 24
"""Bytes of the records of a block."""
WAIT_S: Final = 60.0
"""How long to wait for another process that writes."""
ROTATE: Final = 50
"""How many candidates meet the same deals before others take their place."""
SCHEMA: Final = (
    "CREATE TABLE question (key TEXT PRIMARY KEY, seed TEXT NOT NULL)",
    "CREATE TABLE block (question TEXT, candidate TEXT, deals TEXT, number INTEGER, share REAL NOT NULL, "
    "matches INTEGER NOT NULL, played INTEGER NOT NULL, lost INTEGER NOT NULL, mute INTEGER NOT NULL, "
    "own_cpu_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, points REAL, records BLOB NOT NULL, "
    "circumstances TEXT NOT NULL, "
    "PRIMARY KEY (question, candidate, deals, number)) WITHOUT ROWID",
    # counts who has met some deals: every candidate begins with block 0
    "CREATE INDEX first ON block (question, deals) WHERE number = 0",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)


DIGITS: Final = re.compile("[0-9]{1,40}")
Count = Annotated[int, Field(ge=0)]
_BLOCK: Final = TypeAdapter(
    tuple[
        Count, Annotated[float, Field(ge=0, le=1)], Count, Count, Count, Count, Count, Count, float | None, bytes, str
    ]
)
NAMES: Final = "number, share, matches, played, lost, mute, own_cpu_us, cpu_us, points, records, circumstances"
COLUMNS: Final = tuple(NAMES.split(", "))
"""Those of a block, of the types in `_BLOCK`."""


class LedgerError(WrongInput):
    """The file with what is known cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """What is kept of a block."""

    share: float
    """Of the duels that the candidate won, from 0 to 1."""
    matches: int
    played: int
    """Those in which the candidate had a seat."""
    lost: int
    """The matches in which the candidate lost its seat."""
    mute: int
    """Those of them in which it had not made a decision before."""
    own_cpu_us: int
    """The processor time of the candidate, in microseconds."""
    cpu_us: int
    """The same of all bots."""
    points: float | None = None
    """What the margins of its duels are worth, from 0 to 1 (`points_share`); None if the game states no spread."""
    records: bytes = b""
    """Its records, packed, where they are kept: of few blocks, to learn from."""
    circumstances: str = ""
    """Where a seat was lost, a digest of what may be its cause besides the candidate: it holds under these alone."""

    def unpacked(self) -> list[MatchRecord]:
        """Return the records that are kept, in the order of the matches. Raises LedgerError."""
        if not self.records:
            return []
        found, start = [], 0
        try:
            data = unpacked(self.records, zlib.decompressobj(), MOST_KEPT)
            while start < len(data):
                end = start + 4 + int.from_bytes(data[start : start + 4], "big")
                found.append(read_message(MatchRecord, data[start + 4 : end]))
                start = end
        except (zlib.error, ValueError, DecodeError) as error:
            raise LedgerError(f"kept records are damaged: {error}; name another file of results") from error
        return found


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The blocks of a candidate, without records, on deals that it shares with others or has for itself."""

    question: str
    candidate: str
    deals: str
    blocks: tuple[KeptBlock, ...]


def shared(number: int) -> str:
    """Return the name of deals that candidates share; the first are number 0."""
    return f"{SHARED}-{number:06d}"


def unbroken(blocks: Mapping[int, KeptBlock]) -> list[KeptBlock]:
    """Return the blocks, given by number, up to the first that is missing."""
    return [blocks[number] for number in takewhile(blocks.__contains__, count())]


def packed(records: Sequence[MatchRecord]) -> bytes:
    """Return records as a block keeps them."""
    written = [record.SerializeToString(deterministic=True) for record in records]
    return zlib.compress(b"".join(len(data).to_bytes(4, "big") + data for data in written))


class Ledger:
    """What is known, as a file or for as long as this process lives."""

    def __init__(self, path: Path | None) -> None:
        """Open the file, or make it; without a path everything is kept in memory.

        Raises LedgerError, and ArenaError if the disk is full, as all methods do.
        """
        self.path = path
        with self._explained():
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600))
            self._base = sqlite3.connect(
                path or ":memory:", timeout=WAIT_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._set_up()
                self._base.execute("PRAGMA journal_mode = WAL")
            except BaseException:
                self._base.close()
                if path and not path.stat().st_size:  # it was made just now
                    path.unlink()
                raise

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def seed(self, question: str) -> int:
        """Return the seed of the deals of a question; it is drawn when it is asked first."""
        with self._explained():
            draw = "INSERT OR IGNORE INTO question VALUES (?, ?)"
            self._base.execute(draw, (question, str(draw_seed().number)))
            (seed,) = self._base.execute("SELECT seed FROM question WHERE key = ?", (question,)).fetchone()
        if not (isinstance(seed, str) and DIGITS.fullmatch(seed)):
            raise LedgerError(f"{self.path} is damaged: a seed is {cut(repr(seed))}; name another file")
        return int(seed)

    def questions(self) -> list[str]:
        """Return all questions that are known."""
        with self._explained():
            return [str(key) for (key,) in self._base.execute("SELECT key FROM question ORDER BY key")]

    def shared_deals(self, question: str, candidates: Sequence[str]) -> str:
        """Return the deals that candidates meet together: those that most of them have met, else the present ones.

        After `ROTATE` candidates there are others, so that no line of candidates can be fitted to them.
        """
        each = ", ".join("?" * len(candidates))
        of_many = "FROM block WHERE question = ? AND number = 0 AND deals LIKE ?"
        with self._explained():
            met = self._base.execute(
                f"SELECT deals {of_many} AND candidate IN ({each}) GROUP BY deals ORDER BY count(*) DESC, deals DESC",
                (question, f"{SHARED}%", *candidates),
            ).fetchone()
            if met:
                return str(met[0])
            last = self._base.execute(
                f"SELECT CAST(substr(deals, {len(SHARED) + 2}) AS INTEGER), count(*) {of_many} "
                "GROUP BY deals ORDER BY deals DESC",
                (question, f"{SHARED}%"),
            ).fetchone()
        number, count = last or (0, 0)
        return shared(number + (count >= ROTATE))

    def forget(self, question: str, candidates: Sequence[str]) -> None:
        """Forget all that is known of candidates."""
        with self._explained():
            self._base.executemany(
                "DELETE FROM block WHERE question = ? AND candidate = ?", [(question, one) for one in candidates]
            )

    @contextmanager
    def turn(self, question: str, what: str) -> Iterator[Callable[[], bool]]:
        """Yield what takes the turn to play something, until the end; it returns False while another process has it."""
        if self.path is None:
            yield lambda: True
            return
        part = int(sha256(f"{question} {what}".encode()).hexdigest()[:8], 16)
        with self._explained():
            file = self.path.with_name(f"{self.path.name}-turns").open("ab")
        with file:
            yield lambda: is_claimed(file, part)

    def blocks(self, question: str, candidate: str, deals: str) -> dict[int, KeptBlock]:
        """Return the blocks that are known of a candidate on these deals, by number."""
        with self._explained():
            rows = self._base.execute(
                f"SELECT {NAMES} FROM block WHERE question = ? AND candidate = ? AND deals = ? ORDER BY number",
                (question, candidate, deals),
            ).fetchall()
        return {row[0]: KeptBlock(*row[1:]) for row in map(self._checked, rows)}

    def answers(self) -> Iterator[KeptAnswer]:
        """Yield what is known of every candidate on shared and fresh deals, up to the first block that is missing."""
        names = NAMES.replace("records", "x''")
        with self._explained():
            rows = self._base.execute(
                f"SELECT question, candidate, deals, {names} FROM block WHERE deals LIKE ? OR deals LIKE ? "
                "ORDER BY question, candidate, deals, number",
                (f"{SHARED}%", f"{FRESH}%"),
            ).fetchall()
        for (question, candidate, deals), found in groupby(rows, key=lambda row: row[:3]):
            blocks = {row[0]: KeptBlock(*row[1:]) for row in map(self._checked, (row[3:] for row in found))}
            if known := unbroken(blocks):
                yield KeptAnswer(question, candidate, deals, tuple(known))

    def add(self, question: str, candidate: str, place: Place, block: KeptBlock) -> None:
        """Keep a block. One that is kept already counts, unless a seat was lost there under other circumstances."""
        values = (question, candidate, place.deals, place.number, *astuple(block))
        with self._explained():
            self._base.execute(
                f"INSERT INTO block (question, candidate, deals, {NAMES}) VALUES ({', '.join('?' * len(values))}) "
                f"ON CONFLICT DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in COLUMNS)} "
                "WHERE lost > 0 AND circumstances <> excluded.circumstances",
                values,
            )

    def _checked(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a row of a block. Raises LedgerError for other types, as SQLite keeps any value."""
        try:
            return _BLOCK.validate_python(row, strict=True)
        except ValidationError as error:
            wrong, *_ = error.errors()
            what, value = COLUMNS[int(wrong["loc"][0])], cut(repr(wrong["input"]))
            sentence = f"{self.path} is damaged: the {what} of block {cut(repr(row[0]))} is {value}; name another file"
            raise LedgerError(sentence) from error

    def _set_up(self) -> None:
        """Make the tables, or check that the file is one of ours. Raises LedgerError."""
        (mark,), (version,) = (
            self._base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
        if mark == APPLICATION and version == VERSION:
            return
        with self._transaction():
            (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables and mark == version == 0:  # perhaps another process has just made them
                (mark,) = self._base.execute("PRAGMA application_id").fetchone()
                (version,) = self._base.execute("PRAGMA user_version").fetchone()
            if tables and (mark, version) != (APPLICATION, VERSION):
                ours = f"was written by version {version} of its format, and this arena reads version {VERSION}"
                raise LedgerError(
                    f"{self.path} {ours if mark == APPLICATION else 'is a database of another program'}; "
                    "name another file, or move it away"
                )
            for statement in SCHEMA if not tables else ():
                self._base.execute(statement)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if self.path and is_full(error, self.path.parent):
                raise ArenaError(f"{self.path} cannot be written: {MAKE_SPACE}") from error
            why = getattr(error, "strerror", None) or error
            raise LedgerError(
                f"{self.path or 'the memory'} cannot be used to keep results: {why}; name another file"
            ) from error
