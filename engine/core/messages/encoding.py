"""Writes the fields of protobuf messages, as described at https://protobuf.dev/programming-guides/encoding.

To build message objects and serialise them costs several times as much, and observations are the largest part of what
a decision costs the arena.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

VARINT = 0
"""The wire type of a number."""
DELIMITED = 2
"""The wire type of a message, and of a packed list of numbers."""
ONE_BYTE = 128
"""Smaller numbers take one byte."""
SMALL = [bytes([number]) for number in range(ONE_BYTE)]
"""Their encodings."""
REMEMBERED = 4096
"""How many encodings of each part of a row are remembered; most recur, in this match or in another."""

Part = int | tuple[int, ...]
"""What stands in one column of a row, or in several adjacent ones."""


PartEncoder = Callable[[Any], bytes]
"""Encodes a part: an int, or a tuple of ints."""

_look_up: Callable[[dict[Part, bytes], Part], bytes] = dict.__getitem__
"""`operator.getitem` takes three times as long for a subclass of dict."""


class MessageField:
    """A field of a message."""

    def __init__(self, number: int, zigzag: bool = False) -> None:
        """`number` is the field's number in its message; `zigzag` is True for the types sint32 and sint64."""
        self.order = number
        self._zigzag = zigzag
        self._number_tag = varint(number << 3 | VARINT)
        self._content_tag = varint(number << 3 | DELIMITED)

    def number(self, value: int) -> bytes:
        """Encode a number; 0, which readers assume, takes no bytes."""
        return self._number_tag + varint(_zigzag(value) if self._zigzag else value) if value else b""

    def numbers(self, values: Sequence[int]) -> bytes:
        """Encode a list of numbers; an empty one takes no bytes."""
        if not values:
            return b""
        if self._zigzag:
            values = [_zigzag(value) for value in values]
        if max(values) < ONE_BYTE:
            return self.content(bytes(values))
        return self.content(b"".join([varint(value) for value in values]))

    def content(self, encoded: bytes) -> bytes:
        """Encode a message whose own fields are encoded already."""
        size = len(encoded)
        return self._content_tag + (SMALL[size] if size < ONE_BYTE else varint(size)) + encoded


class RowEncoder:
    """Encodes rows part by part; interpreted, it runs no Python code for a part that it remembers."""

    def __init__(self, parts: Iterable[tuple[int | slice, PartEncoder]]) -> None:
        """`parts` are the columns of each part and what encodes it, an int or, of a slice, a tuple of ints."""
        columns, encoders = zip(*parts, strict=True)
        self._pick = itemgetter(*columns, slice(0))  # the last, always empty, makes the result a tuple
        self._memories: list[dict[Part, bytes]] = [*map(_Memory, encoders), {(): b""}]

    def encode(self, row: list[int]) -> bytes:
        """Return the encodings of all parts, one after the other."""
        return b"".join(map(_look_up, self._memories, self._pick(tuple(row))))


class _Memory(dict[Part, bytes]):
    """The encodings of a part by its content."""

    def __init__(self, encode: PartEncoder) -> None:
        super().__init__()
        self._encode = encode

    def __missing__(self, part: Part) -> bytes:
        encoded = self._encode(part)
        if len(self) < REMEMBERED:
            self[part] = encoded
        return encoded


def varint(value: int) -> bytes:
    """Encode a number in groups of seven bits, lowest first. Raises ValueError if it is negative."""
    if value < 0:
        raise ValueError(f"the number {value} is negative; a field for it must have the type sint32 or sint64")
    groups = []
    while value >= ONE_BYTE:
        groups.append(value & (ONE_BYTE - 1) | ONE_BYTE)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _zigzag(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1
