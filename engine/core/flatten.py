"""Turns the rows of an observation into one list of ints of a fixed length, the observer's first. Compiled by mypyc."""

from ballcourt.engine.core.state import Rows


class RowPlan:
    """What to take from one row."""

    width: int
    """The number of columns."""
    blank: list[int]
    """What stands for a row that is absent, and completes one that is shorter."""
    label_of: list[int]
    """For the numbers beyond the columns: which count each raises, -1 for none."""

    def __init__(self, width: int, blank: list[int], label_of: list[int]) -> None:
        self.width = width
        self.blank = blank
        self.label_of = label_of

    def add(self, row: list[int], flat: list[int], counted: list[int]) -> None:
        """Append the columns of the row to `flat`, and what its other numbers count to `counted`."""
        width = self.width
        length = len(row)
        if length == width:
            flat.extend(row)
        elif length < width:
            flat.extend(row)
            flat.extend(self.blank[length:])
        else:
            if width:
                flat.extend(row[:width])
            label_of = self.label_of
            if label_of:
                for index in range(width, length):
                    number = row[index]
                    if number >= 0 and label_of[number] >= 0:
                        counted.append(label_of[number])


class Flattener:
    """What to take from every row of an observation; built by `features`."""

    columns: int
    """The length of a flattened observation."""
    counts: int
    """How many counts its lists can raise."""
    seats: int
    public: list[RowPlan]
    actors: list[list[RowPlan]]
    private: list[RowPlan]
    asked: list[int]
    details: list[list[int]]
    blanks: list[int]
    waiting: list[int]
    count_row: int

    def __init__(
        self,
        columns: int,
        counts: int,
        seats: int,
        public: list[RowPlan],
        actors: list[list[RowPlan]],
        private: list[RowPlan],
        asked: list[int],
        details: list[list[int]],
        blanks: list[int],
        waiting: list[int],
        count_row: int,
    ) -> None:
        self.columns = columns
        self.counts = counts
        self.seats = seats
        self.public = public
        self.actors = actors
        self.private = private
        self.asked = asked
        self.details = details
        self.blanks = blanks
        self.waiting = waiting
        self.count_row = count_row

    def flatten(self, seat: int, seats: int, public: Rows, private: Rows, counted: list[int]) -> list[int]:
        """Return the numbers of an observation; append to `counted` which counts its lists raise, each by 1."""
        flat: list[int] = []
        plans = self.public
        for index in range(len(plans)):
            plans[index].add(public[index], flat, counted)
        first = self._add_actors(seat, seats, public, flat, counted)
        plans = self.private
        for index in range(len(plans)):
            plans[index].add(private[index], flat, counted)
        self._add_question(public, first, flat, counted)
        return flat

    def _add_actors(self, seat: int, seats: int, public: Rows, flat: list[int], counted: list[int]) -> int:
        """Append the rows of the actors, the observer's first; return the index of the first row after them."""
        first = len(self.public)
        actors = seats if self.count_row < 0 else len(public[self.count_row])
        for group in range(len(self.actors)):
            plans = self.actors[group]
            for place in range(len(plans)):
                actor = self._actor_at(place, seat, seats)
                if group == 0:
                    flat.append(1 if 0 <= actor < actors else 0)
                if 0 <= actor < actors:
                    plans[place].add(public[first + actor], flat, counted)
                else:
                    flat.extend(plans[place].blank)
            first += actors
        return first

    def _actor_at(self, place: int, seat: int, seats: int) -> int:
        """Return the actor at a place counted from the observer, -1 if the table has no such seat."""
        if place < seats:
            return (seat + place) % seats
        return -1 if place < self.seats else seats + place - self.seats

    def _add_question(self, public: Rows, first: int, flat: list[int], counted: list[int]) -> None:
        last = len(public) - 1
        if last < first:
            flat.append(-1)
            flat.append(-1)
            flat.extend(self.blanks)
            return
        top = public[last]
        kind = top[0]
        flat.append(kind)
        at = self.asked[kind]
        flat.append(top[at] if at else -1)
        places = self.details[kind]
        for index in range(len(places)):
            at = places[index]
            flat.append(top[at] if 0 < at < len(top) else self.blanks[index])
        for index in range(first, last):
            counted.append(self.waiting[public[index][0]])
