"""Writes the rows of observations as the elements of a vector, and only what changed. Compiled by mypyc."""

from typing import Any, Final, TypeAlias

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.state import Rows

ELEMENT: Final = 4
"""The bytes of an element, a float32."""

Vector: TypeAlias = "memoryview[float]"


class Code:
    """How the number in a column becomes elements. This one leaves it out."""

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        """Replace the elements of a number, which begin at `at`, by those of another."""


class Scaled(Code):
    """One element: the number times `factor`."""

    factor: float

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        target.vector[at] = after * self.factor


class Set(Code):
    """An element for each of `size` bits of a bit mask, from bit `first` up."""

    first: int
    bits: int

    def __init__(self, first: int, size: int) -> None:
        self.first = first
        self.bits = (1 << size) - 1

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        now = after >> self.first
        for bit in members((now ^ before >> self.first) & self.bits):
            target.vector[at + bit] = float(now >> bit & 1)


class Choice(Code):
    """Several elements, the bytes of which are `elements[observer][number - least]`."""

    least: int
    elements: list[list[bytes]]

    def __init__(self, least: int, elements: list[list[bytes]]) -> None:
        self.least = least
        self.elements = elements

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        target.put(at, self.elements[target.observer][after - self.least])

    def varies(self) -> bool:
        """Return whether the elements depend on who observes."""
        return self.elements.count(self.elements[0]) < len(self.elements)

    def of(self, numbers: list[int], observer: int) -> list[bytes]:
        """Return the elements of some numbers."""
        elements, least = self.elements[observer], self.least
        return [elements[number - least] for number in numbers]


class Target:
    """A vector in a buffer, as `observer` sees it."""

    buffer: bytearray
    base: int
    view: "memoryview[int]"
    """Of the buffer, by bytes."""
    vector: Vector
    """Of this vector, by elements."""
    observer: int

    def __init__(self, buffer: bytearray, base: int, size: int) -> None:
        """`base` is the offset in bytes, `size` the number of elements."""
        self.buffer = buffer
        self.base = base
        self.view = memoryview(buffer)
        self.vector = self.view[base : base + ELEMENT * size].cast("f")
        self.observer = 0

    def put(self, at: int, elements: bytes | bytearray) -> None:
        """Write the bytes of adjacent elements, the first of which is `at`."""
        begin = self.base + ELEMENT * at
        self.view[begin : begin + len(elements)] = elements  # a bytearray would copy bytes twice

    def get(self, at: int, size: int) -> bytearray:
        """Return the bytes of adjacent elements."""
        begin = self.base + ELEMENT * at
        return self.buffer[begin : begin + ELEMENT * size]


class Column:
    """A number of a row: its code, its first element, and how many elements further that of the next place begins."""

    code: Code
    at: int
    stride: int

    def __init__(self, code: Code, at: int, stride: int) -> None:
        self.code = code
        self.at = at
        self.stride = stride


class Run:
    """Adjacent columns of a row with one code that depends on who observes, and its adjacent elements."""

    choice: Choice
    start: int
    stop: int

    def __init__(self, choice: Choice, start: int, stop: int) -> None:
        self.choice = choice
        self.start = start
        self.stop = stop


class Span:
    """Adjacent elements of a row: `size` of them from `first` on; those of the next place come after them."""

    first: int
    size: int
    runs: list[Run]
    """What they stand for, if some depend on who observes."""

    def __init__(self, first: int, size: int, runs: list[Run]) -> None:
        self.first = first
        self.size = size
        self.runs = runs


class RowPlan:
    """How to write a row: its columns, then how often each label occurs among the numbers after them."""

    blank: list[int]
    """What completes a row that has fewer numbers than columns."""
    labels: int
    """The number of labels that are counted."""
    label_of: list[int]
    """The label of each number, -1 for numbers that do not count."""
    columns: list[Column]
    """Of the numbers, then of the counts."""
    spans: list[Span]
    varying: list[Span]
    """The spans that depend on who observes."""

    def __init__(
        self,
        blank: list[int],
        labels: int,
        label_of: list[int],
        columns: list[Column],
        spans: list[Span],
    ) -> None:
        self.blank = blank
        self.labels = labels
        self.label_of = label_of
        self.columns = columns
        self.spans = spans
        self.varying = [span for span in spans if span.runs]

    def write(self, target: Target, place: int, known: list[int], row: list[int]) -> None:
        """Write a row where `known` is written, and make `known` equal to it; of the actors' rows, that at `place`."""
        width = len(self.blank)
        if len(known) < width:
            known += self.blank[len(known) :]
        self._write(target, place, known, self._numbers(row))
        if len(known) > width or len(row) > width:
            self._recount(target, place, known, row)
        elif len(row) < width:
            del known[len(row) :]

    def _write(self, target: Target, place: int, known: list[Any], numbers: list[Any]) -> None:
        """Write the numbers of columns that differ, and make them equal in `known`."""
        for index, before, number in zip(range(len(self.blank)), known, numbers):  # noqa: B905 - strict is slow
            if number is not before:  # equal numbers that are different objects do no harm
                column = self.columns[index]
                column.code.write(target, column.at + place * column.stride, before, number)
                known[index] = number

    def _recount(self, target: Target, place: int, known: list[int], row: list[int]) -> None:
        """Count labels again from the first that differs, and make `known` equal to the row."""
        same, common = len(self.blank), min(len(known), len(row))
        while same < common and known[same] == row[same]:
            same += 1
        if same < len(known) or same < len(row):
            if self.labels:
                self._count(target, place, known[same:], -1.0)
                self._count(target, place, row[same:], 1.0)
            known[same:] = row[same:]

    def _count(self, target: Target, place: int, numbers: list[int], change: float) -> None:
        """Add to the counts of the labels that some numbers have."""
        label_of, width = self.label_of, len(self.blank)
        for number in numbers:
            if number >= 0 and label_of[number] >= 0:
                column = self.columns[width + label_of[number]]
                target.vector[column.at + place * column.stride] += change

    def turn(self, target: Target, place: int, row: list[int]) -> None:
        """Write again what depends on who observes."""
        if not self.varying:
            return
        numbers = self._numbers(row)
        for span in self.varying:
            elements: list[bytes] = []
            for run in span.runs:
                elements += run.choice.of(numbers[run.start : run.stop], target.observer)
            target.put(span.first + place * span.size, b"".join(elements))

    def rotate(self, target: Target, seats: int, turns: int) -> None:
        """Move the row of each seat forward by `turns` places."""
        for span in self.spans:
            moved = span.size * turns
            first = target.get(span.first, moved)
            target.put(span.first, target.get(span.first + moved, span.size * seats - moved) + first)

    def _numbers(self, row: list[int]) -> list[int]:
        """Return a row that has a number for each column."""
        length = len(row)
        return row if length >= len(self.blank) else row + self.blank[length:]


class VectorPlan:
    """How to write every row of an observation; built by `ballcourt.env.tensors`."""

    elements: int
    """The length of the vector."""
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
        elements: int,
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
        self.elements = elements
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

    def question_numbers(self, top: list[int]) -> list[int]:
        """Return the kind of the top frame, the seat that it asks and its details; nothing after the match."""
        if not top:
            return top
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
    """A vector, and the rows that are written in it: only what changed is written again."""

    plan: VectorPlan
    seats: int
    target: Target
    known: Rows
    """The rows written: public ones, those of the actors by number, private ones, the question, what waits."""
    begun: bool

    def __init__(self, plan: VectorPlan, seats: int, buffer: bytearray, base: int) -> None:
        """Write into a buffer of zeros, from the offset `base` in bytes; `seats` is how many are at the table."""
        self.plan = plan
        self.seats = seats
        self.target = Target(buffer, base, plan.elements)
        rows = len(plan.public) + len(plan.actors) * plan.places + len(plan.private) + 2
        self.known = [[] for _ in range(rows)]
        self.begun = False

    def see(self, observer: int, rows: Rows, private: Rows, top: list[int], below: list[int]) -> None:
        """Write what a seat sees: public rows without frames, private rows, the top frame, the kinds of the others."""
        plan = self.plan
        if observer != self.target.observer:
            self._turn(observer, plan.actor_count(self.seats, rows))
        plans = plan.public
        for index in range(len(plans)):
            self._see(index, plans[index], rows[index], 0)
        self._see_actors(rows)
        slot = len(self.known) - 2
        self._see(slot, plan.question, plan.question_numbers(top), 0)
        self._see(slot + 1, plan.waiting, below, 0)
        plans = plan.private
        slot -= len(plans)
        for index in range(len(plans)):
            self._see(slot + index, plans[index], private[index], 0)

    def _see_actors(self, rows: Rows) -> None:
        plan = self.plan
        slot = len(plan.public)
        first = slot
        actors = plan.actor_count(self.seats, rows)
        if not self.begun:
            self.begun = True
            for actor in range(actors):
                plan.presence.write(self.target, self._place_of(actor), [], [1])
        for row_plan in plan.actors:
            for actor in range(actors):
                self._see(slot + actor, row_plan, rows[first + actor], self._place_of(actor))
            slot += plan.places
            first += actors

    def _see(self, slot: int, plan: RowPlan, row: list[int], place: int) -> None:
        """Write a row if it is not the one written before."""
        known = self.known[slot]
        if row != known:
            plan.write(self.target, place, known, row)

    def _place_of(self, actor: int) -> int:
        """Return the place of an actor: the observer first, the other seats in turn order, then automata."""
        seats = self.seats
        return (actor - self.target.observer) % seats if actor < seats else self.plan.seats + actor - seats

    def _turn(self, observer: int, actors: int) -> None:
        """Write what is written as another observer sees it."""
        turns = (observer - self.target.observer) % self.seats
        self.target.observer = observer
        plan = self.plan
        slot = 0
        for row_plan in plan.public:
            row_plan.turn(self.target, 0, self.known[slot])
            slot += 1
        for row_plan in plan.actors:
            row_plan.rotate(self.target, self.seats, turns)
            for actor in range(actors):
                row_plan.turn(self.target, self._place_of(actor), self.known[slot + actor])
            slot += plan.places
        for row_plan in [*plan.private, plan.question]:
            row_plan.turn(self.target, 0, self.known[slot])
            slot += 1
