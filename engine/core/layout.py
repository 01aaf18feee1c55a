"""How rows of ints become the fields of a protobuf message and back: what the wires of the games share."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ballcourt.engine.core.errors import MalformedRows

CACHED = 4096
"""How many bit masks are remembered as lists."""

Item = TypeVar("Item")


class Layout:
    """Which field of a message holds which columns of a row: a number, a run of numbers, or a bit mask as a list."""

    def __init__(
        self,
        game: str,
        columns: int,
        numbers: dict[str, int],
        runs: dict[str, tuple[int, int]],
        masks: dict[str, int],
    ) -> None:
        self.game = game
        self.columns = columns
        self.numbers = numbers
        self.runs = runs
        self.masks = masks

    def fields(self, row: list[int]) -> dict[str, Any]:
        """Name the content of a row."""
        fields: dict[str, Any] = {name: row[column] for name, column in self.numbers.items()}
        for name, (first, count) in self.runs.items():
            fields[name] = row[first : first + count]
        for name, column in self.masks.items():
            fields[name] = members(row[column])
        return fields

    def row(self, message: object) -> list[int]:
        """Read the row back. Raises MalformedRows when a run has the wrong length."""
        row = [0] * self.columns
        for name, column in self.numbers.items():
            row[column] = int(getattr(message, name))
        for name, (first, count) in self.runs.items():
            row[first : first + count] = exactly(count, self.game, name, getattr(message, name))
        for name, column in self.masks.items():
            row[column] = mask(getattr(message, name))
        return row


def exactly(count: int, game: str, name: str, items: Sequence[Item]) -> list[Item]:
    """Return the items of a repeated field as a list. Raises MalformedRows when they are not so many."""
    if len(items) != count:
        raise MalformedRows(f"{name} of an observation of {game} has {len(items)} entries instead of {count}")
    return list(items)


@lru_cache(maxsize=CACHED)
def members(bits: int) -> tuple[int, ...]:
    """Return the numbers in a bit mask, ascending."""
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def mask(numbers: Sequence[int]) -> int:
    """Return the bit mask of some numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
