"""Work on many numbers at once. Where vectors are compiled, bulk.pxd has these functions in C."""

from collections.abc import Sequence
from typing import TypeAlias

Cells: TypeAlias = "memoryview[int]"
Floats: TypeAlias = "memoryview[float]"
Offsets: TypeAlias = "memoryview[int]"


def first_changed_row(known: list[list[int]], rows: list[list[int]], offset: int, first: int) -> int:
    """Return the first index from `first` on where a row is not the known one, which is `offset` further; or their end.

    In C, rows of equal numbers differ if the numbers are different objects, and a row beyond the known ones differs.
    """
    for index in range(first, len(rows)):
        if known[offset + index] != rows[index]:
            return index
    return len(rows)


def first_changed(known: Sequence[object], row: Sequence[object], first: int, end: int) -> int:
    """Return the first index from `first` on where two lists have different objects; `end` if there is none before."""
    for index in range(first, end):
        if known[index] is not row[index]:
            return index
    return end


def rotate(cells: Cells, spare: Cells, first: int, size: int, moved: int) -> None:
    """Move `size` bytes, from `first` on, to the left, and the first `moved` of them to their end.

    `spare` has room for them.
    """
    spare[:size] = cells[first : first + size]
    cells[first : first + size - moved] = spare[moved:size]
    cells[first + size - moved : first + size] = spare[:moved]


def clear(view: Cells, first: int, size: int) -> None:
    """Write zeros into `size` bytes, from `first` on."""
    view[first : first + size] = bytes(size)
