"""Writes the rows of observations as the elements of a vector, and only what changed.

Compiled by Cython, which takes the types of C from elements.pxd: mypyc has no arrays of float32.
"""

from typing import Final

from ballcourt.engine.core import bulk
from ballcourt.engine.core.bulk import Vector
from ballcourt.engine.core.state import Rows

ELEMENT: Final = 4
"""The bytes of an element, a float32."""


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
    size: int

    def __init__(self, first: int, size: int) -> None:
        self.first = first
        self.size = size

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        now = after >> self.first
        changed = now ^ before >> self.first
        for bit in range(self.size):
            if changed >> bit & 1:
                target.vector[at + bit] = now >> bit & 1


class Choice(Code):
    """Several elements, of which those in `ones[observer][number - least]` are 1."""

    least: int
    ones: list[list[list[int]]]
    """The same list for all observers who see the same."""
    size: int

    def __init__(self, least: int, ones: list[list[list[int]]], size: int) -> None:
        self.least = least
        self.ones = ones
        self.size = size

    def write(self, target: "Target", at: int, before: int, after: int) -> None:
        ones = self.ones[target.observer]
        self._move(target, at, ones[before - self.least], ones[after - self.least])

    def turn(self, target: "Target", at: int, row: list[int], start: int, stop: int, observer: int) -> None:
        """Replace the elements of numbers of a row, which begin at `at`, by those that another observer sees."""
        before, after = self.ones[target.observer], self.ones[observer]
        for index in range(start, min(stop, len(row))):
            number = row[index]
            number -= self.least  # on a line of its own, as Cython subtracts objects otherwise
            if before[number] is not after[number]:
                self._move(target, at + (index - start) * self.size, before[number], after[number])

    def _move(self, target: "Target", at: int, before: list[int], after: list[int]) -> None:
        """Write ones, in place of those before."""
        for element in before:
            target.vector[at + element] = 0.0
        for element in after:
            target.vector[at + element] = 1.0

    def varies(self) -> bool:
        """Return whether the elements depend on who observes."""
        return self.ones.count(self.ones[0]) < len(self.ones)


class Target:
    """A vector in a buffer, as `observer` sees it."""

    vector: Vector
    observer: int

    def __init__(self, buffer: bytearray, base: int, size: int) -> None:
        """`base` is the offset in bytes, `size` the number of elements."""
        self.vector = memoryview(buffer)[base : base + ELEMENT * size].cast("f")
        self.observer = 0


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
    """Adjacent columns of a row with the same code, which depends on who observes, and with adjacent elements."""

    choice: Choice
    start: int
    stop: int

    def __init__(self, choice: Choice, start: int) -> None:
        self.choice = choice
        self.start = start
        self.stop = start + 1


class Span:
    """Adjacent elements of a row: `size` of them from `first` on; those of the next place come after them."""

    first: int
    size: int

    def __init__(self, first: int, size: int) -> None:
        self.first = first
        self.size = size


class RowPlan:
    """How to write a row: its columns, then how often each label occurs among the numbers after them."""

    blank: list[int]
    """What completes a row that has fewer numbers than columns."""
    label_of: list[int]
    """The label of each number after the columns, -1 for numbers that do not count; empty if none does."""
    columns: list[Column]
    """Of the numbers, then of the counts."""
    spans: list[Span]
    runs: list[Run]
    """The columns whose elements depend on who observes."""

    def __init__(
        self, blank: list[int], label_of: list[int], columns: list[Column], spans: list[Span], runs: list[Run]
    ) -> None:
        self.blank = blank
        self.label_of = label_of
        self.columns = columns
        self.spans = spans
        self.runs = runs

    def write(self, target: Target, place: int, known: list[int], row: list[int]) -> None:
        """Write a row where `known` is written, and make `known` equal to it; of the actors' rows, that at `place`."""
        width = len(self.blank)
        if len(known) < width:
            known += self.blank[len(known) :]
        numbers = row if len(row) >= width else row + self.blank[len(row) :]
        index = bulk.first_changed_number(known, numbers, 0, width)
        while index < width:
            column = self.columns[index]
            column.code.write(target, column.at + place * column.stride, known[index], numbers[index])
            known[index] = numbers[index]
            index = bulk.first_changed_number(known, numbers, index + 1, width)
        if len(known) > width or len(row) > width:
            self._recount(target, place, known, row)
        elif len(row) < width:
            del known[len(row) :]

    def _recount(self, target: Target, place: int, known: list[int], row: list[int]) -> None:
        """Count labels again from the first that differs, and make `known` equal to the row."""
        same, common = len(self.blank), min(len(known), len(row))
        while same < common and known[same] == row[same]:
            same += 1
        while len(known) > same:
            self._count(target, place, known.pop(), -1.0)
        for index in range(same, len(row)):
            self._count(target, place, row[index], 1.0)
            known.append(row[index])

    def _count(self, target: Target, place: int, number: int, change: float) -> None:
        """Add to the count of the label of a number, if it has one."""
        label = self.label_of[number] if self.label_of and number >= 0 else -1
        if label >= 0:
            column = self.columns[len(self.blank) + label]
            target.vector[column.at + place * column.stride] += change

    def turn(self, target: Target, place: int, known: list[int], observer: int) -> None:
        """Write again what another observer sees differently."""
        for run in self.runs:
            column = self.columns[run.start]
            run.choice.turn(target, column.at + place * column.stride, known, run.start, run.stop, observer)

    def rotate(self, target: Target, spare: Vector, seats: int, turns: int) -> None:
        """Move the row of each seat forward by `turns` places; `spare` is overwritten."""
        for span in self.spans:
            bulk.rotate(target.vector, spare, span.first, span.size * seats, span.size * turns)


class VectorPlan:
    """How to write every row of an observation; built by `ballcourt.env.planning`."""

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
    details: list[list[tuple[int, int]]]
    """By kind: columns of the question, and where the row of the frame has what belongs in them."""
    count_row: int
    """The public row with an entry per actor; -1 if the actors are the seats."""
    spare: Vector
    """Room for the rows of the seats while they are moved; looks that share it must not be turned at the same time."""

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
        details: list[list[tuple[int, int]]],
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
        self.details = details
        self.count_row = count_row
        self.spare = memoryview(bytearray(ELEMENT * elements)).cast("f")

    def actor_count(self, seats: int, rows: Rows) -> int:
        """Return how many actors the public rows are about."""
        return seats if self.count_row < 0 else len(rows[self.count_row])

    def row_count(self, seats: int, rows: Rows) -> int:
        """Return how many public rows precede the frames."""
        return len(self.public) + len(self.actors) * self.actor_count(seats, rows)

    def question_numbers(self, kind: int, top: list[int]) -> list[int]:
        """Return the kind of the top frame, the seat that it asks and its details; nothing after the match."""
        if not kind:
            return []
        numbers = self.question.blank[:]
        numbers[0] = kind
        for column, at in self.details[kind]:
            if at < len(top):
                numbers[column] = top[at]
        return numbers


class Look:
    """A vector, and the rows that are written in it: only what changed is written again."""

    plan: VectorPlan
    seats: int
    target: Target
    plans: list[RowPlan]
    """Of the rows: public ones, those of the actors, private ones, the question, what waits."""
    actors: list[int]
    """The actor that each row is about, -1 for none."""
    known: Rows
    """Copies of the rows that are written, kept up to date."""

    def __init__(self, plan: VectorPlan, seats: int, buffer: bytearray, base: int) -> None:
        """Write into a buffer of zeros, from the offset `base` in bytes; `seats` is how many are at the table."""
        self.plan = plan
        self.seats = seats
        self.target = Target(buffer, base, plan.elements)
        self.plans = []
        self.actors = []
        self.known = []

    def see(self, observer: int, rows: Rows, private: Rows, kind: int, top: list[int], below: list[int]) -> None:
        """Write what a seat sees: public rows without frames, private rows, and what the table waits for.

        That is the kind and the row of the top frame, 0 and an empty one after the match, and the kinds of the others.
        """
        if not self.plans:
            self._begin(observer, self.plan.actor_count(self.seats, rows))
        if observer != self.target.observer:
            self._turn(observer)
        seen = [*rows, *private, self.plan.question_numbers(kind, top), below]
        index = bulk.first_changed_row(self.known, seen, 0)
        while index < len(seen):
            plan = self.plans[index]
            plan.write(self.target, self._place_of(self.actors[index]), self.known[index], seen[index])
            index = bulk.first_changed_row(self.known, seen, index + 1)

    def _begin(self, observer: int, actors: int) -> None:
        """Lay out the rows, and write who is at the table."""
        plan = self.plan
        self.target.observer = observer
        self.plans = plan.public[:]
        self.actors = [-1] * len(plan.public)
        for row_plan in plan.actors:
            self.plans += [row_plan] * actors
            self.actors += range(actors)
        self.plans += [*plan.private, plan.question, plan.waiting]
        self.actors += [-1] * (len(plan.private) + 2)
        self.known = [[] for _ in self.plans]
        for actor in range(actors):
            plan.presence.write(self.target, self._place_of(actor), [], [1])

    def _place_of(self, actor: int) -> int:
        """Return the place of an actor: the observer first, then the seats in turn order, then automata; 0 for none."""
        seats = self.seats
        if actor < 0:
            return 0
        return (actor - self.target.observer) % seats if actor < seats else self.plan.seats + actor - seats

    def _turn(self, observer: int) -> None:
        """Write again what another observer sees differently, and move the rows of the seats."""
        plan, target = self.plan, self.target
        for index in range(len(self.plans)):
            row_plan = self.plans[index]
            if row_plan.runs:
                row_plan.turn(target, self._place_of(self.actors[index]), self.known[index], observer)
        turns = (observer - target.observer) % self.seats
        for row_plan in plan.actors:
            row_plan.rotate(target, plan.spare, self.seats, turns)
        target.observer = observer


class Mask:
    """Which actions are legal: a byte for each."""

    view: "memoryview[int]"

    def __init__(self, buffer: bytearray, base: int, size: int) -> None:
        """Write into a buffer of zeros: `size` bytes from the offset `base` on."""
        self.view = memoryview(buffer)[base : base + size]

    def allow(self, actions: list[int]) -> None:
        """Write a 1 for each of some actions."""
        for action in actions:
            self.view[action] = 1
