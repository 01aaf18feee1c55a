"""Matches of one game stepped side by side: the inner loop of `ballcourt.env`. Compiled by mypyc."""

from ballcourt.engine.core.elements import Look, Mask
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
    """The positions of some matches, and which seat decides next in each; what it sees and may do is written down.

    A match is stepped and written down before the next one, while its position is in the cache.
    """

    states: list[State]
    seats: list[Seat]
    skip_forced: bool
    looks: list[Look]
    masks: list[Mask]

    def __init__(self, states: list[State], skip_forced: bool, looks: list[Look], masks: list[Mask]) -> None:
        """Begin the matches; each has a vector, and a mask of zeros."""
        self.states = states
        self.skip_forced = skip_forced
        self.looks = looks
        self.masks = masks
        self.seats = [NOBODY] * len(states)
        for index in range(len(states)):
            self.put(index, states[index])

    def put(self, index: int, state: State) -> None:
        """Replace one match."""
        self.states[index] = state
        self._write(index, state)

    def step(self, actions: list[Action]) -> list[int]:
        """Apply an action in every match; return the indices of those that are over. The masks are zeros again.

        Raises IllegalAction. The matches before the illegal one have been stepped then.
        """
        over: list[int] = []
        states = self.states
        for index in range(len(actions)):
            state = states[index]
            state.apply(self.seats[index], actions[index])
            self._write(index, state)
            if self.seats[index] == NOBODY:
                over.append(index)
        return over

    def _write(self, index: int, state: State) -> None:
        """Write down who decides next, what it sees and what it may do."""
        seat = next_seat(state, self.skip_forced)
        self.seats[index] = seat
        if seat == NOBODY:
            return
        self.masks[index].allow(state.legal_actions(seat))
        top = state.frames[-1]
        below = [frame.kind for frame in state.frames[:-1]]
        self.looks[index].see(seat, state.open_rows(), state.private_rows(seat), top.kind, top.row(), below)
