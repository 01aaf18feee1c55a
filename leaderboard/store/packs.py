"""Packs: the results of many matches in one value. A million rows take ten times as long to read.

The pack with number n has the matches with numbers from n * PACK to (n + 1) * PACK - 1: their rows in `MATCHES`, and of
their rows in `SEATS` what `SEATED` names. It is there as soon as the last of these numbers has been given to a match.
It only repeats what the tables say: where one is missing, the rows are read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Column, ColumnElement, Connection, Select, insert, select

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers
from ballcourt.leaderboard.store.kept import LONGEST_VALUE
from ballcourt.leaderboard.store.tables import MATCHES, PACK, PACKS, SEATS, last_match

SEATED: Final = (
    SEATS.c.seat, SEATS.c.entrant, SEATS.c.placement, SEATS.c.score, SEATS.c.fault, SEATS.c.termination, SEATS.c.own
)  # fmt: skip
Within = Callable[[Column[Any]], ColumnElement[bool]]
"""Makes a condition out of the column of a table that has the numbers of matches."""
Rows = tuple[Integers, Floats]
"""Rows of `MATCHES` in the order of their numbers, and those of all their seats with the columns of `SEATED`."""


def write_packs(connection: Connection, numbers: Iterable[int]) -> None:
    """Insert the packs with these numbers, except those that are too long to be read."""
    for number in numbers:
        content = packed(read_rows(connection, numbered(number * PACK, (number + 1) * PACK)))
        if len(content) < LONGEST_VALUE:
            connection.execute(insert(PACKS), {"number": number, "content": content})


def read_matches(connection: Connection) -> Iterator[tuple[Within, Rows]]:
    """Yield the rows of all matches, those of one pack together, and what chooses these matches.

    Raises ValueError for a damaged pack.
    """
    for first in range(0, last_match(connection) + 1, PACK):
        content = connection.execute(select(PACKS.c.content).where(PACKS.c.number == first // PACK)).scalar()
        within = numbered(first, first + PACK)
        rows = read_rows(connection, within) if content is None else unpacked(content)
        if len(rows[0]):
            yield within, rows


def numbered(first: int, end: int) -> Within:
    """Choose the matches from number `first` to `end - 1`."""
    return lambda number: (number >= first) & (number < end)


def among(numbers: Sequence[int]) -> Within:
    """Choose the matches with these numbers."""
    return lambda number: number.in_(numbers)


def read_rows(connection: Connection, within: Within) -> Rows:
    """Return the rows of some matches."""
    matches = select(MATCHES).where(within(MATCHES.c.id)).order_by(MATCHES.c.id)
    seats = select(*SEATED).where(within(SEATS.c.match)).order_by(SEATS.c.match, SEATS.c.seat)
    return _array(connection, matches, np.int64), _array(connection, seats, np.float64)


def _array(connection: Connection, query: Select[Any], kind: type[np.generic]) -> NDArray[Any]:
    """Return the rows of a query as a matrix, without an object for each row."""
    compiled = query.compile(connection.engine, compile_kwargs={"literal_binds": True})
    cursor: Any = connection.exec_driver_sql(str(compiled)).cursor  # SQLAlchemy's rows would be objects
    return np.fromiter(chain.from_iterable(cursor), kind).reshape(-1, len(query.selected_columns))


def packed(rows: Rows) -> bytes:
    """Write rows column by column, each in the narrowest numbers that hold it."""
    columns = [_narrowed(column) for table in rows for column in table.T]
    head = f"{len(rows[0])} {len(rows[1])} {''.join(column.dtype.char for column in columns)}\n"
    return b"".join([head.encode(), *(column.tobytes() for column in columns)])


def unpacked(content: bytes) -> Rows:
    """Read what `packed` wrote. Raises ValueError or TypeError if it is anything else."""
    head = content[: content.index(b"\n")]
    matches, seats, kinds = head.decode().split()
    if max(int(matches), int(seats)) > len(content):
        raise ValueError("a pack is cut off")
    found = np.empty((len(MATCHES.c), int(matches)), np.int64).T, np.empty((len(SEATED), int(seats))).T
    begin = len(head) + 1
    for column, kind in zip((column for table in found for column in table.T), kinds, strict=True):
        column[:] = np.frombuffer(content, f"<{kind}", column.size, begin)
        begin += column.size * np.dtype(kind).itemsize
    return found


def _narrowed(column: NDArray[Any]) -> NDArray[Any]:
    """Return the values of a column as the narrowest integers that hold them, else as they are."""
    for kind in ("<i1", "<i2", "<i4"):
        with np.errstate(invalid="ignore"):  # of a value that is out of range
            narrow = column.astype(kind)
        if np.array_equal(narrow, column):
            return narrow
    return column
