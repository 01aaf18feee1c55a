"""Observations as NumPy vectors, by the declaration of a game (`ballcourt.engine.core.features`)."""

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core.features import Bits, Features, Lookup, Number
from ballcourt.engine.core.flatten import NUMBER, Look
from ballcourt.engine.core.observation import Observation

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

BITS = 64
"""In a flattened number."""


class FeatureEncoder:
    """Turns the observations of one game, at one number of seats, into vectors of float32.

    `names[i]` says what element i is. Numbers come first, then choices, then sets.
    """

    def __init__(self, features: Features, seats: int) -> None:
        self.features = features
        self.seats = seats
        self._order = np.array([_order(observer, seats, features) for observer in range(seats)])
        self._parts: list[tuple[_Part, slice]] = []
        names: list[str] = []
        for part in (_Numbers(features), *_lookups(features, seats), _Sets(features)):
            self._parts.append((part, slice(len(names), len(names) + len(part.names))))
            names += part.names
        self.names = tuple(names)

    def encode(self, observation: Observation) -> Floats:
        """Return the vector of what a seat sees, with one element per name.

        Raises ValueError for a spectator, or a table with another number of seats.
        """
        seat, seats = observation.seat, observation.seats
        if seat < 0 or seats != self.seats:
            raise ValueError(
                f"this encoder takes what a seat at a table of {self.seats} sees, not seat {seat} at a table of {seats}"
            )
        flattener = self.features.flattener
        buffer = bytearray(NUMBER * flattener.columns)
        first_frame = flattener.row_count(seats, observation.public)
        Look(flattener, buffer, 0).see(
            seats, observation.public[:first_frame], observation.public[first_frame:], observation.private
        )
        out = np.empty((1, len(self.names)), np.float32)
        self.fill(np.frombuffer(buffer, np.int64)[None], np.array([seat]), out)
        vector: Floats = out[0]
        return vector

    def fill(self, flat: Ints, seats: Ints, out: Floats) -> None:
        """Write the vectors of n flattened observations, as `seats` (n) see them, into `out`, shape (n, names).

        `flat` has shape (n, columns), with the actors by number.
        """
        turned = self._turned(flat, seats)
        for part, place in self._parts:
            part.fill(turned, seats, out[:, place])

    def _turned(self, flat: Ints, seats: Ints) -> Ints:
        """Return flattened observations with the observer first."""
        turned = flat.copy()
        rows, order = np.arange(len(flat))[:, None], self._order[seats]
        for first, size in self.features.rotated:
            columns = slice(first, first + size * order.shape[1])
            places = flat[:, columns].reshape(len(flat), order.shape[1], size)
            turned[:, columns] = places[rows, order].reshape(len(flat), -1)
        return turned


def _order(observer: int, seats: int, features: Features) -> list[int]:
    """List the actors as the observer counts them; places without an actor, and automata, stay where they are."""
    return [*((observer + turn) % seats for turn in range(seats)), *range(seats, len(features.places))]


class _Part:
    """The columns with encodings of one kind."""

    names: list[str]

    def fill(self, flat: Ints, seats: Ints, out: Floats) -> None:
        """Write the elements of this part into `out`, shape (n, names)."""
        raise NotImplementedError


class _Numbers(_Part):
    def __init__(self, features: Features) -> None:
        found = [(name, column, code) for name, column, code in features.columns if isinstance(code, Number)]
        self.names = [name for name, _, _ in found]
        self._columns = np.array([column for _, column, _ in found], np.int64)
        self._factors = np.array([1 / code.limit for _, _, code in found], np.float32)

    def fill(self, flat: Ints, seats: Ints, out: Floats) -> None:
        np.multiply(np.take(flat, self._columns, axis=1), self._factors, out=out, casting="unsafe")


class _Sets(_Part):
    def __init__(self, features: Features) -> None:
        found = [(name, column, code) for name, column, code in features.columns if isinstance(code, Bits)]
        self.names = [f"{name}[{label}]" for name, _, code in found for label in code.labels]
        self._columns = np.array([column for _, column, _ in found], np.int64)
        bits = [
            BITS * at + code.first + bit for at, (_, _, code) in enumerate(found) for bit in range(len(code.labels))
        ]
        self._bits = np.array(bits, np.int64)

    def fill(self, flat: Ints, seats: Ints, out: Floats) -> None:
        masks = np.take(flat, self._columns, axis=1).astype("<i8", copy=False).view(np.uint8)
        out[...] = np.take(np.unpackbits(masks, axis=1, bitorder="little"), self._bits, axis=1)


class _Lookups(_Part):
    """Columns whose encodings have the same number of elements: rows of one table."""

    def __init__(self, columns: list[tuple[str, int, Lookup]], places: tuple[str, ...], seats: int) -> None:
        self.names = [f"{name}[{label}]" for name, _, code in columns for label in code.labels(places)]
        self._columns = np.array([column for _, column, _ in columns])
        self._size = len(columns[0][2].labels(places))
        self._table = np.zeros((0, self._size), np.float32)
        begins = {code: self._append(code, places, seats) for code in dict.fromkeys(code for _, _, code in columns)}
        self._first = np.array([begins[code][0] for _, _, code in columns])
        self._stride = np.array([begins[code][1] for _, _, code in columns])

    def _append(self, code: Lookup, places: tuple[str, ...], seats: int) -> tuple[int, int]:
        """Add an encoding to the table; return the row of number 0 for observer 0, and the rows per observer."""
        none = code.blank
        for observer in range(seats):
            entries = code.entries(observer, seats, len(places))
            rows = np.zeros((code.low - none + len(entries), self._size), np.float32)
            for row, hot in enumerate(entries, code.low - none):
                rows[row, list(hot)] = 1
            if observer == 0:
                first = len(self._table) - none
            self._table = np.concatenate([self._table, rows])
        return first, len(rows)

    def fill(self, flat: Ints, seats: Ints, out: Floats) -> None:
        rows = np.take(flat, self._columns, axis=1)
        rows += self._first
        rows += seats[:, None] * self._stride
        out[...] = np.take(self._table, rows, axis=0).reshape(len(out), -1)


def _lookups(features: Features, seats: int) -> list[_Lookups]:
    """Group the columns with tables by the number of their elements."""
    groups: dict[int, list[tuple[str, int, Lookup]]] = {}
    for name, column, code in features.columns:
        if isinstance(code, Lookup):
            groups.setdefault(len(code.labels(features.places)), []).append((name, column, code))
    return [_Lookups(group, features.places, seats) for group in groups.values()]
