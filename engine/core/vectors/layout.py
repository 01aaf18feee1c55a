"""Translates rows of ints to the bytes of a message, and messages back to rows."""

from collections.abc import Sequence
from typing import TypeVar

from ballcourt.engine.core.bits import mask, members
from ballcourt.engine.core.messages.encoding import MessageField, PartEncoder, RowEncoder
from ballcourt.engine.errors import MalformedRows

Item = TypeVar("Item")


class Layout:
    """Which field of a message holds which columns of a row: a number, a run of numbers, or a set as a list."""

    def __init__(
        self,
        game: str,
        columns: int,
        fields: dict[str, MessageField],
        numbers: dict[str, int],
        runs: dict[str, tuple[int, int]],
        masks: dict[str, int],
    ) -> None:
        """`numbers` and `masks` name the column of a field, `runs` the first column and how many there are."""
        self.game = game
        self.columns = columns
        self.numbers = numbers
        self.runs = runs
        self.masks = masks
        self._encoder = RowEncoder(self._parts(fields))

    def _parts(self, fields: dict[str, MessageField]) -> list[tuple[int | slice, PartEncoder]]:
        """List what stands where, in the order of the fields' numbers, as serialisers write them."""
        parts: dict[str, tuple[int | slice, PartEncoder]] = {}
        for name, column in self.numbers.items():
            parts[name] = column, fields[name].number
        for name, (first, count) in self.runs.items():
            parts[name] = slice(first, first + count), fields[name].numbers
        for name, column in self.masks.items():
            parts[name] = column, _of_mask(fields[name])
        return [parts[name] for name in sorted(parts, key=lambda name: fields[name].order)]

    def encode(self, row: list[int]) -> bytes:
        """Encode a row as the content of a message. Columns beyond the layout are ignored."""
        return self._encoder.encode(row)

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


def _of_mask(field: MessageField) -> PartEncoder:
    return lambda bits: field.numbers(members(bits))
