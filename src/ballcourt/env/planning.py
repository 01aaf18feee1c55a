"""Where the elements of a vector stand, and how compiled code writes them (`ballcourt.engine.core.vectors`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core.vectors.elements import Column, Hot, MultiHot, Scaled, Set, Span
from ballcourt.engine.core.vectors.features import Bits, Encoding, Features, Lookup, Number, Strip
from ballcourt.engine.core.vectors.looks import Details, QuestionPlan, RowPlan, VectorPlan

Part = tuple[int, int | Lookup | None]
"""A part of the vector: one of the constants below, and what distinguishes parts of one sort."""

NUMBERS, CHOICES, SETS, ACTORS, PLANES = range(5)


@dataclass(frozen=True, slots=True)
class _Place:
    """The elements of a column: `count` of them from `first` on, each `stride` after the one before.

    The next column of the part begins `width` elements further.
    """

    encoding: Encoding
    part: Part
    first: int
    count: int
    stride: int
    width: int


class Planner:
    """Gives every column its elements: first numbers, then choices by the number of their elements, then sets.

    The rows of the actors come after them, one after the other, and then choices that depend on who observes. These are
    in planes: the first elements of all columns, then the second ones, and so on. So rows and planes of the seats move
    as they are when another seat observes.
    """

    def __init__(self, features: Features, seats: int, width: int) -> None:
        """`width` is the bytes of an element."""
        self._features = features
        self._seats = seats
        self._width = width
        self._hot: dict[Lookup, Hot] = {}
        self._places: dict[int, _Place] = {}
        self._planes: list[Span] = []
        parts: dict[Part, dict[int, tuple[Encoding, list[str]]]] = {}
        for name, column, encoding in features.columns:
            parts.setdefault(self._part(column, encoding), {})[column] = encoding, self._elements(name, encoding)
        names: list[str] = []
        for part, columns in sorted(parts.items(), key=lambda item: item[0][0]):
            names += self._put(part, columns, len(names))
        self.names = tuple(names)

    def limits(self) -> NDArray[np.float32]:
        """Return what the number of each element is divided by: 1 for those of choices and sets."""
        found = np.ones(len(self.names), np.float32)
        for place in self._places.values():
            if isinstance(place.encoding, Number):
                found[place.first] = place.encoding.limit
        return found

    def plan(self) -> VectorPlan:
        """Return how to write the whole vector."""
        features, numbered = self._features, self._features.numbered
        return VectorPlan(
            len(self.names),
            self._width,
            features.seats,
            [self._row(strip) for strip in numbered.public],
            [self._row(strip) for strip in numbered.actors],
            self._row(numbered.presence),
            [self._row(strip) for strip in numbered.private],
            self._question(numbered.question),
            self._row(numbered.waiting),
            -1 if features.count_row is None else features.count_row,
            [*self._planes, *chain.from_iterable(map(self._rows, numbered.actors))],
        )

    def _part(self, column: int, encoding: Encoding) -> Part:
        """Return the part that has the elements of a column."""
        if isinstance(encoding, Lookup) and encoding.by_place:
            return PLANES, encoding
        for index, strip in enumerate(self._features.numbered.actors):
            if strip.first <= column < strip.first + strip.size * len(self._features.places):
                return ACTORS, index
        if isinstance(encoding, Number):
            return NUMBERS, None
        return (CHOICES, len(encoding.labels(self._features.places))) if isinstance(encoding, Lookup) else (SETS, None)

    def _elements(self, name: str, encoding: Encoding) -> list[str]:
        """Name the elements of a column."""
        if isinstance(encoding, Number):
            return [name]
        labels = encoding.labels if isinstance(encoding, Bits) else encoding.labels(self._features.places)
        return [f"{name}[{label}]" for label in labels]

    def _put(self, part: Part, columns: dict[int, tuple[Encoding, list[str]]], first: int) -> list[str]:
        """Place the elements of a part, which begins with element `first`; return their names in order."""
        if part[0] == PLANES:
            self._planes.append(Span(first, len(columns)))
            for index, (column, (encoding, elements)) in enumerate(columns.items()):
                self._places[column] = _Place(encoding, part, first + index, len(elements), len(columns), 1)
            return list(chain.from_iterable(zip(*(elements for _, elements in columns.values()), strict=True)))
        names: list[str] = []
        for column, (encoding, elements) in columns.items():
            self._places[column] = _Place(encoding, part, first + len(names), len(elements), 1, len(elements))
            names += elements
        return names

    def _row(self, strip: Strip) -> RowPlan:
        rest = strip.row.rest
        label_of = list(rest.label_of) if rest else []
        return RowPlan(self._blank(strip), label_of, self._columns(strip), strip.row.replaced)

    def _question(self, strip: Strip) -> QuestionPlan:
        question = self._features.question
        found: list[Mapping[int, int]] = [{}, question.asked, *(detail.at for detail in question.details)]
        details = [
            Details([column for column, at in enumerate(found) if kind in at], [at.get(kind, 0) - 1 for at in found])
            for kind in range(max(question.kinds) + 1)
        ]
        return QuestionPlan([0, *self._blank(strip)[1:]], self._columns(strip), details)

    def _blank(self, strip: Strip) -> list[int]:
        """Return the numbers that stand for absent ones: they give zeros."""
        encodings = [place.encoding if place else None for place in self._of(strip)[: strip.row.width]]
        return [encoding.blank if isinstance(encoding, Lookup) else 0 for encoding in encodings]

    def _columns(self, strip: Strip) -> list[Column]:
        sizes = {span[0].part: sum(place.width for place in span) for span in self._by_part(strip)}
        return [self._column(place, sizes[place.part]) if place else Column(0, 0) for place in self._of(strip)]

    def _of(self, strip: Strip) -> list[_Place | None]:
        """Return where the columns of a row have their elements, of several rows the first."""
        return [self._places.get(strip.first + at) for at in range(strip.size)]

    def _by_part(self, strip: Strip) -> list[list[_Place]]:
        """Group the columns of a row by the parts of the vector that they are in."""
        parts: dict[Part, list[_Place]] = {}
        for place in filter(None, self._of(strip)):
            parts.setdefault(place.part, []).append(place)
        return list(parts.values())

    def _rows(self, strip: Strip) -> Iterator[Span]:
        """Yield the elements that a row for each actor has in every part, and there in every plane."""
        for places in self._by_part(strip):
            first, size = places[0], sum(place.width for place in places)
            planes = first.count if first.stride > 1 else 1
            yield from (Span(first.first + plane * first.stride, size) for plane in range(planes))

    def _column(self, place: _Place, stride: int) -> Column:
        """Return what writes the numbers of a column; the elements of the next place are `stride` further."""
        encoding = place.encoding
        if isinstance(encoding, Number):
            return Scaled(place.first, stride, float(np.float32(1 / encoding.limit)))
        if isinstance(encoding, Bits):
            return Set(place.first, stride, encoding.first, len(encoding.labels))
        if encoding not in self._hot:
            self._hot[encoding] = self._new_hot(encoding, place.stride)
        return MultiHot(place.first, stride, self._hot[encoding])

    def _new_hot(self, encoding: Lookup, stride: int) -> Hot:
        """Return which elements are 1 for each number; they are `stride` apart."""
        observers = self._seats if encoding.by_place else 1
        blanks = ((),) * (encoding.low - encoding.blank)
        places = len(self._features.places)
        seen = [blanks + encoding.entries(observer, self._seats, places) for observer in range(observers)]
        ones = [[index * stride for index in hot] for hot in chain.from_iterable(seen)]
        return Hot(encoding.blank, len(seen[0]) if encoding.by_place else 0, ones)
