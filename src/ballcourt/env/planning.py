"""Where the elements of a vector stand, and how compiled code writes them (`ballcourt.engine.core.elements`)."""

from dataclasses import dataclass

import numpy as np

from ballcourt.engine.core.elements import Choice, Code, Column, RowPlan, Run, Scaled, Set, Span, VectorPlan
from ballcourt.engine.core.features import Bits, Encoding, Features, Lookup, Number, Strip


@dataclass(frozen=True, slots=True)
class _Place:
    """The elements of a column: `size` of them from `first` on, in one part of the vector."""

    encoding: Encoding
    part: int
    first: int
    size: int


class Planner:
    """Gives every column its elements: first numbers, then choices by the number of their elements, then sets."""

    def __init__(self, features: Features, seats: int) -> None:
        self._features = features
        self._seats = seats
        self._codes: dict[Encoding, Code] = {}
        lookups = [encoding for _, _, encoding in features.columns if isinstance(encoding, Lookup)]
        self._sizes = list(dict.fromkeys(map(self._size, lookups)))
        self._places: dict[int, _Place] = {}
        names: list[str] = []
        for name, column, encoding in sorted(features.columns, key=lambda column: self._part(column[2])):
            elements = self._elements(name, encoding)
            self._places[column] = _Place(encoding, self._part(encoding), len(names), len(elements))
            names += elements
        self.names = tuple(names)

    def plan(self) -> VectorPlan:
        """Return how to write the whole vector."""
        features, numbered, question = self._features, self._features.numbered, self._features.question
        kinds = range(max(question.kinds) + 1)
        details = [question.asked, *(detail.at for detail in question.details)]
        return VectorPlan(
            len(self.names),
            features.seats,
            len(features.places),
            [self._row(strip) for strip in numbered.public],
            [self._row(strip) for strip in numbered.actors],
            self._row(numbered.presence),
            [self._row(strip) for strip in numbered.private],
            self._row(numbered.question),
            self._row(numbered.waiting),
            [[(column, at[kind] - 1) for column, at in enumerate(details, 1) if kind in at] for kind in kinds],
            -1 if features.count_row is None else features.count_row,
        )

    def _part(self, encoding: Encoding) -> int:
        """Return the number of the part that has the elements of an encoding."""
        if isinstance(encoding, Number):
            return -1
        return len(self._sizes) if isinstance(encoding, Bits) else self._sizes.index(self._size(encoding))

    def _size(self, encoding: Lookup) -> int:
        return len(encoding.labels(self._features.places))

    def _elements(self, name: str, encoding: Encoding) -> list[str]:
        """Name the elements of a column."""
        if isinstance(encoding, Number):
            return [name]
        labels = encoding.labels if isinstance(encoding, Bits) else encoding.labels(self._features.places)
        return [f"{name}[{label}]" for label in labels]

    def _row(self, strip: Strip) -> RowPlan:
        places = [self._places.get(strip.first + at) for at in range(strip.size)]
        spans = {part: self._span(part, places) for part in dict.fromkeys(place.part for place in places if place)}
        rest = strip.row.rest
        return RowPlan(
            [_blank(place) for place in places[: strip.row.width]],
            list(rest.label_of) if rest else [],
            [
                Column(self._code(place.encoding), place.first, spans[place.part].size)
                if place
                else Column(Code(), 0, 0)
                for place in places
            ],
            list(spans.values()),
            self._runs(places),
        )

    def _span(self, part: int, places: list[_Place | None]) -> Span:
        """Return the elements that a row has in one part."""
        here = [place for place in places if place and place.part == part]
        return Span(min(place.first for place in here), sum(place.size for place in here))

    def _runs(self, places: list[_Place | None]) -> list[Run]:
        """Return the columns of a row that depend on who observes."""
        runs: list[Run] = []
        for column, place in enumerate(places):
            code = self._code(place.encoding) if place else None
            if not isinstance(code, Choice) or not code.varies():
                continue
            if runs and runs[-1].choice is code and runs[-1].stop == column:
                runs[-1].stop += 1
            else:
                runs.append(Run(code, column))
        return runs

    def _code(self, encoding: Encoding) -> Code:
        """Return what writes the numbers of an encoding, the same for equal ones."""
        if encoding not in self._codes:
            self._codes[encoding] = self._new_code(encoding)
        return self._codes[encoding]

    def _new_code(self, encoding: Encoding) -> Code:
        if isinstance(encoding, Number):
            return Scaled(float(np.float32(1 / encoding.limit)))
        if isinstance(encoding, Bits):
            return Set(encoding.first, len(encoding.labels))
        places = len(self._features.places)
        seen = [encoding.entries(observer, self._seats, places) for observer in range(self._seats)]
        hots = [((),) * (encoding.low - encoding.blank) + entries for entries in seen]
        same = {hot: list(hot) for entries in hots for hot in entries}
        return Choice(encoding.blank, [[same[hot] for hot in entries] for entries in hots], self._size(encoding))


def _blank(place: _Place | None) -> int:
    """Return the number that stands for an absent one: it gives zeros."""
    return place.encoding.blank if place and isinstance(place.encoding, Lookup) else 0
