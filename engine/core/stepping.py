"""Matches of one game stepped side by side: the inner loop of `ballcourt.env`. Compiled by mypyc."""

from ballcourt.engine.core.flatten import Look
from ballcourt.engine.core.frames import NOBODY, Action, Seat
from ballcourt.engine.core.state import State


def next_seat(state: State, skip_forced: bool) -> Seat:
    """Return the seat that decides next, NOBODY once the match is over; of several pending ones the lowest.

    With `skip_forced`, decisions with a single legal action are taken on the way.
    """
    while True:
        pending = state.pending_seats()
        if not pending:
            return NOBODY
        seat = pending[0]
        legal = state.legal_actions(seat)
        if not skip_forced or len(legal) > 1:
            return seat
        state.apply(seat, legal[0])


class Tables:
    """The positions of some matches, and which seat decides next in each."""

    states: list[State]
    seats: list[Seat]
    skip_forced: bool

    def __init__(self, states: list[State], skip_forced: bool) -> None:
        self.states = states
        self.skip_forced = skip_forced
        self.seats = [next_seat(state, skip_forced) for state in states]

    def put(self, index: int, state: State) -> None:
        """Replace one match."""
        self.states[index] = state
        self.seats[index] = next_seat(state, self.skip_forced)

    def step(self, actions: list[Action]) -> list[int]:
        """Apply an action in every match; return the indices of those that are over.

        Raises IllegalAction. The matches before the illegal one have been stepped then.
        """
        over: list[int] = []
        for index in range(len(actions)):
            state = self.states[index]
            state.apply(self.seats[index], actions[index])
            seat = next_seat(state, self.skip_forced)
            self.seats[index] = seat
            if seat == NOBODY:
                over.append(index)
        return over

    def legal(self, width: int) -> list[int]:
        """Return match * `width` + action for every legal action."""
        places: list[int] = []
        for index in range(len(self.states)):
            seat = self.seats[index]
            if seat != NOBODY:
                base = index * width
                for action in self.states[index].legal_actions(seat):
                    places.append(base + action)
        return places

    def look(self, looks: list[Look]) -> None:
        """Write what the deciding seat of each match sees, the actors by number."""
        for index in range(len(looks)):
            state = self.states[index]
            private = state.private_rows(self.seats[index])
            looks[index].see(state.seats, state.open_rows(), state.frame_rows(), private)
