"""Vectors computed one element at a time, straight from the declaration of a game: slow, for comparison."""

from collections.abc import Iterator

import numpy as np

from ballcourt.engine.core import Features, Observation
from ballcourt.engine.core.vectors.features import Bits, Encoding, Lookup, Number, Strip


def declared(features: Features, seen: Observation) -> dict[str, float]:
    """Return the elements of what a seat sees, by name."""
    numbers = dict(_numbers(features, seen))
    return {
        label: number
        for name, column, encoding in features.columns
        for label, number in _elements(features, seen, name, encoding, numbers.get(column))
    }


def _numbers(features: Features, seen: Observation) -> Iterator[tuple[int, int]]:
    """Yield columns and their numbers."""
    rows, numbered = iter(seen.public), features.numbered
    for strip in numbered.public:
        yield from _row(strip, next(rows))
    actors = seen.seats if features.count_row is None else len(seen.public[features.count_row])
    places = [_place(features, seen, actor) for actor in range(actors)]
    yield from ((numbered.presence.first + place, 1) for place in places)
    for strip in numbered.actors:
        for place in places:
            yield from _row(strip, next(rows), place)
    *below, top = list(rows) or [[]]
    yield from _row(numbered.waiting, [frame[0] for frame in below])
    if top:
        yield from _row(numbered.question, _question(features, top))
    for strip, row in zip(numbered.private, seen.private, strict=True):
        yield from _row(strip, row)


def _place(features: Features, seen: Observation, actor: int) -> int:
    return (actor - seen.seat) % seen.seats if actor < seen.seats else features.seats + actor - seen.seats


def _row(strip: Strip, row: list[int], place: int = 0) -> Iterator[tuple[int, int]]:
    first, width, rest = strip.first + place * strip.size, strip.row.width, strip.row.rest
    yield from enumerate(row[:width], first)
    labels = [rest.label_of[number] for number in row[width:] if number >= 0] if rest else []
    yield from ((first + width + label, labels.count(label)) for label in labels if label >= 0)


def _question(features: Features, top: list[int]) -> list[int]:
    """Return the kind of a frame, the seat asked and the details; what is absent gives zeros."""
    question, kind = features.question, top[0]
    asked = top[question.asked[kind]] if kind in question.asked else -1
    details = []
    for detail in question.details:
        at = detail.at.get(kind, len(top))
        absent = detail.encoding.blank if isinstance(detail.encoding, Lookup) else 0
        details.append(top[at] if at < len(top) else absent)
    return [kind, asked, *details]


def _elements(
    features: Features, seen: Observation, name: str, encoding: Encoding, number: int | None
) -> Iterator[tuple[str, float]]:
    """Yield the elements of a column, zeros if there is no number in it."""
    if isinstance(encoding, Number):
        yield name, float(np.float32((number or 0) * float(np.float32(1 / encoding.limit))))
    elif isinstance(encoding, Bits):
        for bit, label in enumerate(encoding.labels, encoding.first):
            yield f"{name}[{label}]", float((number or 0) >> bit & 1)
    else:
        entries = encoding.entries(seen.seat, seen.seats, len(features.places))
        hot = entries[number - encoding.low] if number is not None and number >= encoding.low else ()
        for index, label in enumerate(encoding.labels(features.places)):
            yield f"{name}[{label}]", float(index in hot)
