"""The elements of a vector that stand for one number of an observation, and those that depend on who observes.

Compiled by Cython, which takes the types of C from elements.pxd: mypyc has no arrays of float32.
"""

from array import array

from ballcourt.engine.core.vectors import bulk
from ballcourt.engine.core.vectors.bulk import Cells, Floats, Offsets

HIGHEST = 255
"""The highest number in a byte."""


class Target:
    """A vector in a buffer, as `observer` sees it: of float32, or of bytes, in which numbers are not divided."""

    cells: Cells
    """All bytes of the vector."""
    floats: Floats
    """The same as float32; empty if the elements are bytes."""
    width: int
    """The bytes of an element."""
    observer: int

    def __init__(self, buffer: memoryview, base: int, size: int, width: int) -> None:
        """`base` is the offset in bytes, `size` the number of elements."""
        cells = buffer[base : base + width * size]
        self.cells = cells
        self.floats = cells[: 0 if width == 1 else len(cells)].cast("f")
        self.width = width
        self.observer = 0

    def put(self, at: int, number: int, factor: float) -> None:
        """Write a number: as float32 times `factor`, as a byte the nearest one."""
        if self.width == 1:
            self.cells[at] = 0 if number < 0 else HIGHEST if number > HIGHEST else number
        else:
            self.floats[at] = number * factor

    def mark(self, at: int, one: bool) -> None:
        """Write 1 or 0."""
        if self.width == 1:
            self.cells[at] = one
        else:
            self.floats[at] = one

    def add(self, at: int, change: int) -> None:
        """Change a count."""
        if self.width == 1:
            self.cells[at] += change
        else:
            self.floats[at] += change


class Column:
    """A number of a row, and its elements. This one has none.

    They begin at `at`, and those of the next place `stride` elements further.
    """

    at: int
    stride: int

    def __init__(self, at: int, stride: int) -> None:
        self.at = at
        self.stride = stride

    def write(self, target: Target, place: int, before: int, after: int) -> None:
        """Replace the elements of a number by those of another; of the actors' rows, in that at `place`."""


class Scaled(Column):
    """One element: the number times `factor`."""

    factor: float

    def __init__(self, at: int, stride: int, factor: float) -> None:
        self.at = at
        self.stride = stride
        self.factor = factor

    def write(self, target: Target, place: int, before: int, after: int) -> None:
        target.put(self.at + place * self.stride, after, self.factor)


class Set(Column):
    """An element for each of `size` bits of a bit mask, from bit `first` up."""

    first: int
    size: int

    def __init__(self, at: int, stride: int, first: int, size: int) -> None:
        self.at = at
        self.stride = stride
        self.first = first
        self.size = size

    def write(self, target: Target, place: int, before: int, after: int) -> None:
        now = after >> self.first
        changed = now ^ before >> self.first
        at = self.at + place * self.stride
        for bit in range(self.size):
            if changed >> bit & 1:
                target.mark(at + bit, now >> bit & 1 == 1)


class Hot:
    """Which elements of a choice are 1. That depends on the number, and may depend on who observes.

    `offsets` says how far they are from the first element of the choice: `width` entries for each observer and number,
    -1 for none.
    """

    least: int
    """The least number."""
    count: int
    """How many numbers there are for each observer; 0 if all see the same."""
    width: int
    offsets: Offsets

    def __init__(self, least: int, count: int, ones: list[list[int]]) -> None:
        """`ones` lists the elements that are 1, for each observer and number."""
        self.least = least
        self.count = count
        self.width = max(1, max([len(elements) for elements in ones]))
        padded = [offset for elements in ones for offset in elements + [-1] * (self.width - len(elements))]
        self.offsets = memoryview(array("q", padded))


class MultiHot(Column):
    """Several elements, of which a few are 1."""

    hot: Hot

    def __init__(self, at: int, stride: int, hot: Hot) -> None:
        self.at = at
        self.stride = stride
        self.hot = hot

    def write(self, target: Target, place: int, before: int, after: int) -> None:
        hot = self.hot
        at = self.at + place * self.stride
        observed = target.observer * hot.count - hot.least
        # two loops without a function or a variable for the offsets, which would cost more than the loops
        index = (observed + before) * hot.width
        stop = index + hot.width
        while index < stop and (offset := hot.offsets[index]) >= 0:
            target.mark(at + offset, False)
            index += 1
        index = (observed + after) * hot.width
        stop = index + hot.width
        while index < stop and (offset := hot.offsets[index]) >= 0:
            target.mark(at + offset, True)
            index += 1


class Span:
    """Adjacent elements, `size` for each place in turn: those of the observer are the first ones.

    They move on by whole places when another seat observes.
    """

    first: int
    size: int

    def __init__(self, first: int, size: int) -> None:
        self.first = first
        self.size = size

    def turn(self, target: Target, spare: Cells, seats: int, turns: int) -> None:
        """Move the elements of each seat forward by `turns` places; `spare` is overwritten."""
        place = self.size * target.width
        bulk.rotate(target.cells, spare, self.first * target.width, place * seats, place * turns)
