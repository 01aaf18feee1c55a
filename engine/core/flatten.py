"""Writes the rows of observations as numbers of a fixed length, and only those that changed. Compiled by mypyc."""

from collections.abc import Callable
from typing import Final

from ballcourt.engine.core.state import Rows

NUMBER: Final = 8
"""The bytes of a number."""

UNKNOWN_ROW: Final[list[int]] = [-(1 << 62)]
"""Differs from every row."""


class RowPlan:
    """How to write a row: its columns, then how often each label occurs among the numbers after them."""

    width: int
    """The number of columns."""
    blank: list[int]
    """What completes a row that has fewer."""
    labels: int
    """The number of labels that are counted."""
    label_of: list[int]
    """The label of each number, -1 for numbers that do not count."""
    at: int
    """Where the first number stands."""
    size: int
    pack_into: Callable[..., None]
    """`pack_into` of a `Struct` for all numbers."""

    def __init__(
        self,
        width: int,
        blank: list[int],
        labels: int,
        label_of: list[int],
        at: int,
        pack_into: Callable[..., None],
    ) -> None:
        self.width = width
        self.blank = blank
        self.labels = labels
        self.label_of = label_of
        self.at = at
        self.size = width + labels
        self.pack_into = pack_into

    def write(self, row: list[int], buffer: bytearray, base: int, place: int = 0) -> None:
        """Write a row; of the rows of the actors, that at `place`. `base` is the offset of the observation in bytes."""
        if self.size:
            self.pack_into(buffer, base + NUMBER * (self.at + place * self.size), *self._numbers(row))

    def _numbers(self, row: list[int]) -> list[int]:
        width = self.width
        length = len(row)
        if length == width and not self.labels:
            return row
        numbers = row[:width]
        if length < width:
            numbers += self.blank[length:]
        if self.labels:
            numbers += self._counts(row)
        return numbers

    def _counts(self, row: list[int]) -> list[int]:
        counts = [0] * self.labels
        label_of = self.label_of
        for index in range(self.width, len(row)):
            number = row[index]
            if number >= 0:
                label = label_of[number]
                if label >= 0:
                    counts[label] += 1
        return counts


class Flattener:
    """How to write every row of an observation; built by `features`."""

    columns: int
    """How many numbers an observation becomes."""
    seats: int
    """The most seats of the game; automata have the places after them."""
    places: int
    public: list[RowPlan]
    actors: list[RowPlan]
    presence: RowPlan
    """For each place, whether it has an actor."""
    private: list[RowPlan]
    question: RowPlan
    waiting: RowPlan
    asked: list[int]
    """By kind: where its frame has the seat that is asked, 0 for nowhere."""
    details: list[list[int]]
    """By kind: where its frame has each detail, 0 for nowhere."""
    count_row: int
    """The public row with an entry per actor; -1 if the actors are the seats."""

    def __init__(
        self,
        columns: int,
        seats: int,
        places: int,
        public: list[RowPlan],
        actors: list[RowPlan],
        presence: RowPlan,
        private: list[RowPlan],
        question: RowPlan,
        waiting: RowPlan,
        asked: list[int],
        details: list[list[int]],
        count_row: int,
    ) -> None:
        self.columns = columns
        self.seats = seats
        self.places = places
        self.public = public
        self.actors = actors
        self.presence = presence
        self.private = private
        self.question = question
        self.waiting = waiting
        self.asked = asked
        self.details = details
        self.count_row = count_row

    def actor_count(self, seats: int, rows: Rows) -> int:
        """Return how many actors the public rows are about."""
        return seats if self.count_row < 0 else len(rows[self.count_row])

    def row_count(self, seats: int, rows: Rows) -> int:
        """Return how many public rows precede the frames."""
        return len(self.public) + len(self.actors) * self.actor_count(seats, rows)

    def place_of(self, actor: int, seats: int) -> int:
        """Return the place at which an actor is written: seats by number, then automata."""
        return actor if actor < seats else self.seats + actor - seats

    def question_numbers(self, frames: Rows) -> list[int]:
        """Return the kind of the top frame, the seat that it asks and its details, blanks after the match."""
        if not frames:
            return self.question.blank
        top = frames[-1]
        kind = top[0]
        at = self.asked[kind]
        numbers = [kind, top[at] if at else -1]
        places = self.details[kind]
        blank = self.question.blank
        for index in range(len(places)):
            at = places[index]
            numbers.append(top[at] if 0 < at < len(top) else blank[2 + index])
        return numbers


class Look:
    """What has been written at one place of a buffer, so that only changes are written again."""

    flattener: Flattener
    buffer: bytearray
    base: int
    known: Rows

    def __init__(self, flattener: Flattener, buffer: bytearray, base: int) -> None:
        """`base` is the offset in bytes."""
        self.flattener = flattener
        self.buffer = buffer
        self.base = base
        actor_rows = len(flattener.actors) * flattener.places
        self.known = [UNKNOWN_ROW] * (len(flattener.public) + actor_rows + len(flattener.private) + 2)

    def see(self, seat_count: int, rows: Rows, frames: Rows, private: Rows) -> None:
        """Write what a seat sees, the actors by number: public rows without frames, frames, private rows."""
        flattener = self.flattener
        plans = flattener.public
        for index in range(len(plans)):
            self._changed(index, plans[index], rows[index], 0)
        self._see_actors(seat_count, rows)
        slot = len(self.known) - 2
        self._changed(slot, flattener.question, flattener.question_numbers(frames), 0)
        self._changed(slot + 1, flattener.waiting, [frame[0] for frame in frames[:-1]], 0)
        plans = flattener.private
        slot -= len(plans)
        for index in range(len(plans)):
            self._changed(slot + index, plans[index], private[index], 0)

    def _see_actors(self, seats: int, rows: Rows) -> None:
        flattener = self.flattener
        slot = len(flattener.public)
        first = slot
        actors = flattener.actor_count(seats, rows)
        if self.known[slot] is UNKNOWN_ROW:
            self._absent(seats, actors)
        for plan in flattener.actors:
            for actor in range(actors):
                self._changed(slot + actor, plan, rows[first + actor], flattener.place_of(actor, seats))
            slot += flattener.places
            first += actors

    def _absent(self, seats: int, actors: int) -> None:
        """Write which places have actors, and blanks for all."""
        flattener = self.flattener
        present = [0] * flattener.places
        for actor in range(actors):
            present[flattener.place_of(actor, seats)] = 1
        for place in range(flattener.places):
            flattener.presence.write([present[place]], self.buffer, self.base, place)
            for plan in flattener.actors:
                plan.write([], self.buffer, self.base, place)

    def _changed(self, slot: int, plan: RowPlan, row: list[int], place: int) -> None:
        """Write a row if it is not the one written before."""
        if row != self.known[slot]:
            self.known[slot] = row[:]
            plan.write(row, self.buffer, self.base, place)
