"""Translates rows of ints to the fields of a message and back."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ballcourt.engine.core.bits import mask, members
from ballcourt.engine.core.errors import MalformedRows

CACHED = 4096
"""How many bit masks are remembered as tuples."""

Item = TypeVar("Item")


class Layout:
    """Which field of a message holds which columns of a row: a number, a run of numbers, or a set as a list."""

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
        """Return the content of a row by field name."""
        fields: dict[str, Any] = {name: row[column] for name, column in self.numbers.items()}
        for name, (first, count) in self.runs.items():
            fields[name] = row[first : first + count]
        for name, column in self.masks.items():
            fields[name] = _members(row[column])
        return fields

    def row(self, message: object) -> list[int]:
        """Return the row of a message. Raises MalformedRows when a run has the wrong length."""
        row = [0] * self.columns
        for name, column in self.numbers.items():
            row[column] = int(getattr(message, name))
        for name, (first, count) in self.runs.items():
            row[first : first + count] = exactly(count, self.game, name, getattr(message, name))
        for name, column in self.masks.items():
            row[column] = mask(getattr(message, name))
        return row


def exactly(count: int, game: str, name: str, items: Sequence[Item]) -> list[Item]:
    """Return the items of a repeated field as a list. Raises MalformedRows unless there are `count` of them."""
    if len(items) != count:
        raise MalformedRows(f"{name} of an observation of {game} has {len(items)} entries instead of {count}")
    return list(items)


@lru_cache(maxsize=CACHED)
def _members(bits: int) -> tuple[int, ...]:
    return tuple(members(bits))
