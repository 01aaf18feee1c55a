"""Writes the rows of observations into a vector, and only what changed. Compiled by Cython, with looks.pxd."""

from array import array
from collections.abc import Sequence
from typing import Protocol

from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.vectors import bulk
from ballcourt.engine.core.vectors.bulk import Cells, Offsets
from ballcourt.engine.core.vectors.elements import Column, Span, Target


class Waiting(Protocol):
    """What a frame says of itself."""

    @property
    def kind(self) -> int:
        """The kind of the frame."""


class RowPlan:
    """How to write a row: its columns, then how often each label occurs among the numbers after them."""

    blank: list[int]
    """What completes a row that has fewer numbers than columns."""
    label_of: list[int]
    """The label of each number after the columns, -1 for numbers that do not count; empty if none does."""
    columns: list[Column]
    """Of the numbers, then of the counts."""
    replaced: bool
    """Whether a change of the row always makes it another list."""

    def __init__(self, blank: list[int], label_of: list[int], columns: list[Column], replaced: bool) -> None:
        self.blank = blank
        self.label_of = label_of
        self.columns = columns
        self.replaced = replaced

    def write(self, target: Target, place: int, known: list[int], row: list[int]) -> list[int]:
        """Write a row where `known` is written; of the actors' rows, that at `place`. Return what is known then.

        That is the row itself if it is one that is replaced, and otherwise `known`, made equal to it.
        """
        width = len(self.blank)
        known, numbers = self._whole(known), self._whole(row)
        index = bulk.first_changed(known, numbers, 0, width)
        while index < width:
            column = self.columns[index]
            column.write(target, place, known[index], numbers[index])
            if not self.replaced:
                known[index] = numbers[index]
            index = bulk.first_changed(known, numbers, index + 1, width)
        if len(known) > width or len(numbers) > width:
            same = self._recount(target, place, known, numbers)
            if not self.replaced and (same < len(known) or same < len(row)):
                known[same:] = row[same:]
        return row if self.replaced else known

    def count(self, target: Target, place: int, number: int, change: int) -> None:
        """Add to the count of the label of a number, if it has one."""
        label = self.label_of[number] if self.label_of and number >= 0 else -1
        if label >= 0:
            column = self.columns[len(self.blank) + label]
            target.add(column.at + place * column.stride, change)

    def _whole(self, row: list[int]) -> list[int]:
        """Return a row with at least as many numbers as columns."""
        return row if len(row) >= len(self.blank) else row + self.blank[len(row) :]

    def _recount(self, target: Target, place: int, known: list[int], numbers: list[int]) -> int:
        """Count labels again from the first number after the columns that differs; return its index, or the length."""
        same = bulk.first_changed(known, numbers, len(self.blank), min(len(known), len(numbers)))
        for index in range(same, len(known)):
            self.count(target, place, known[index], -1)
        for index in range(same, len(numbers)):
            self.count(target, place, numbers[index], 1)
        return same


class Details:
    """The columns that the questions of one kind have, and for every column where the row of the frame has its number.

    That is -1 for a column that these questions do not have.
    """

    columns: Offsets
    places: Offsets

    def __init__(self, columns: list[int], places: list[int]) -> None:
        self.columns = memoryview(array("q", columns))
        self.places = memoryview(array("q", places))


class QuestionPlan:
    """How to write what the top frame asks: its kind, then its details."""

    blank: list[int]
    """The numbers while nothing is asked."""
    columns: list[Column]
    details: list[Details]
    """By kind; those of kind 0 are empty."""

    def __init__(self, blank: list[int], columns: list[Column], details: list[Details]) -> None:
        self.blank = blank
        self.columns = columns
        self.details = details

    def write(self, target: Target, known: list[int], kind: int, numbers: list[int]) -> None:
        """Write what is asked where `known` is written, and make `known` equal to it.

        `numbers` are those of the frame.
        """
        before = known[0]
        if kind != before:
            self._turn_to(target, known, before, kind)
        self._describe(target, known, self.details[kind], numbers)

    def _turn_to(self, target: Target, known: list[int], before: int, kind: int) -> None:
        """Write the kind, and zeros for details that questions of this kind do not have."""
        old, new = self.details[before], self.details[kind]
        for index in range(len(old.columns)):
            column = old.columns[index]
            if new.places[column] < 0:
                self._put(target, known, column, self.blank[column])
        self._put(target, known, 0, kind)

    def _describe(self, target: Target, known: list[int], details: Details, row: list[int]) -> None:
        """Write the details of a question; those that the row lacks are zeros."""
        for index in range(len(details.columns)):
            column = details.columns[index]
            place = details.places[column]
            self._put(target, known, column, row[place] if place < len(row) else self.blank[column])

    def _put(self, target: Target, known: list[int], index: int, number: int) -> None:
        """Write one number, unless it is known."""
        if known[index] is not number:
            column = self.columns[index]
            column.write(target, 0, known[index], number)
            known[index] = number


class VectorPlan:
    """How to write every row of an observation; built by `ballcourt.env.planning`."""

    elements: int
    """The length of the vector."""
    width: int
    """The bytes of an element: 4 for float32, or 1."""
    seats: int
    """The most seats of the game; automata have the places after them."""
    public: list[RowPlan]
    actors: list[RowPlan]
    presence: RowPlan
    """For each place, whether it has an actor."""
    private: list[RowPlan]
    question: QuestionPlan
    waiting: RowPlan
    count_row: int
    """The public row with an entry per actor; -1 if the actors are the seats."""
    spans: list[Span]
    """The elements that depend on who observes."""
    spare: Cells
    """Room for a span while it is turned; looks that share it must not be turned at the same time."""

    def __init__(
        self,
        elements: int,
        width: int,
        seats: int,
        public: list[RowPlan],
        actors: list[RowPlan],
        presence: RowPlan,
        private: list[RowPlan],
        question: QuestionPlan,
        waiting: RowPlan,
        count_row: int,
        spans: list[Span],
    ) -> None:
        self.elements = elements
        self.width = width
        self.seats = seats
        self.public = public
        self.actors = actors
        self.presence = presence
        self.private = private
        self.question = question
        self.waiting = waiting
        self.count_row = count_row
        self.spans = spans
        self.spare = memoryview(bytearray(width * elements))

    def actor_count(self, seats: int, rows: Rows) -> int:
        """Return how many actors the public rows are about."""
        return seats if self.count_row < 0 else len(rows[self.count_row])

    def row_count(self, seats: int, rows: Rows) -> int:
        """Return how many public rows precede the frames."""
        return len(self.public) + len(self.actors) * self.actor_count(seats, rows)


class Look:
    """A vector, and the rows that are written in it: only what changed is written again."""

    plan: VectorPlan
    seats: int
    target: Target
    plans: list[RowPlan]
    """Of the rows: public ones, those of the actors, private ones."""
    actors: list[int]
    """The actor that each row is about, -1 for none."""
    known: Rows
    """The rows that are written, or copies of those that may be altered."""
    question: list[int]
    """The numbers of the question that is written."""
    waiting: list[Waiting]
    """The frames below the top that are written."""

    def __init__(self, plan: VectorPlan, seats: int, buffer: memoryview, base: int) -> None:
        """Write into a buffer of zeros, from the offset `base` in bytes; `seats` is how many are at the table."""
        self.plan = plan
        self.seats = seats
        self.target = Target(buffer, base, plan.elements, plan.width)
        self.plans = []
        self.actors = []
        self.known = []
        self.question = self.plan.question.blank[:]
        self.waiting = []

    def see(self, observer: int, rows: Rows, private: Rows, frames: Sequence[Waiting], numbers: list[int]) -> None:
        """Write what a seat sees: public rows without frames, private rows, and what the table waits for.

        `numbers` are those of the top frame, none without frames.
        """
        if not self.plans:
            self._begin(observer, self.plan.actor_count(self.seats, rows))
        if observer != self.target.observer:
            self._turn(observer)
        self._write(rows, 0)
        self._write(private, len(rows))
        self.plan.question.write(self.target, self.question, frames[len(frames) - 1].kind if frames else 0, numbers)
        self._wait(frames)

    def _begin(self, observer: int, actors: int) -> None:
        """Lay out the rows, and write who is at the table."""
        plan = self.plan
        self.target.observer = observer
        self.plans = plan.public[:]
        self.actors = [-1] * len(plan.public)
        for row_plan in plan.actors:
            self.plans += [row_plan] * actors
            self.actors += range(actors)
        self.plans += plan.private
        self.actors += [-1] * len(plan.private)
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
        """Move what depends on who observes to where another observer has it."""
        plan, target = self.plan, self.target
        turns = (observer - target.observer) % self.seats
        for span in plan.spans:
            span.turn(target, plan.spare, self.seats, turns)
        target.observer = observer

    def _write(self, rows: Rows, first: int) -> None:
        """Write the rows that follow the `first` ones."""
        index = bulk.first_changed_row(self.known, rows, first, 0)
        while index < len(rows):
            at = first + index
            plan = self.plans[at]
            self.known[at] = plan.write(self.target, self._place_of(self.actors[at]), self.known[at], rows[index])
            index = bulk.first_changed_row(self.known, rows, first, index + 1)

    def _wait(self, frames: Sequence[Waiting]) -> None:
        """Count the kinds of the frames below the top, again from the first that differs."""
        waiting, below = self.waiting, len(frames) - 1
        same = bulk.first_changed(waiting, frames, 0, min(len(waiting), max(below, 0)))
        while len(waiting) > same:
            self.plan.waiting.count(self.target, 0, waiting.pop().kind, -1)
        for index in range(same, below):
            self.plan.waiting.count(self.target, 0, frames[index].kind, 1)
            waiting.append(frames[index])
