"""Matches of one game stepped side by side: the inner loop of `ballcourt.env`. Compiled by mypyc."""

from ballcourt.engine.core.frames import EVERYBODY, NOBODY, Action, Seat
from ballcourt.engine.core.state import State
from ballcourt.engine.core.vectors.looks import Look
from ballcourt.engine.core.vectors.masks import Masks


def next_seat(state: State, skip_forced: bool) -> Seat:
    """Return the seat that decides next, NOBODY once the match is over; of several pending ones the lowest.

    With `skip_forced`, decisions with a single legal action are taken on the way.
    """
    while state.frames:
        seat = state.frames[-1].seat
        if seat == EVERYBODY:
            seat = state.pending_seats()[0]
        legal = state.legal_actions(seat)
        if not skip_forced or len(legal) > 1:
            return seat
        state.carry_out(seat, legal[0])
    return NOBODY


class MatchBatch:
    """The positions of some matches, and which seat decides next in each; what it sees and may do is written down.

    A match is stepped and written down before the next one, while its position is in the cache.
    """

    states: list[State]
    seats: list[Seat]
    skip_forced: bool
    looks: list[Look]
    masks: Masks

    def __init__(self, states: list[State], skip_forced: bool, looks: list[Look], masks: Masks) -> None:
        """Begin the matches; each has a vector."""
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
        self.masks.write(index, [self._look(index, state)])

    def step(self, actions: list[Action]) -> list[int]:
        """Carry out a legal action in every match; return the indices of those that are over.

        For these, no action is legal then, and the vector stays as it was.
        """
        over: list[int] = []
        legal: list[list[Action]] = [[]] * len(actions)
        # equal actions follow each other, so that the code that carries them out stays in the cache
        for index in sorted(range(len(actions)), key=actions.__getitem__):
            state = self.states[index]
            state.carry_out(self.seats[index], actions[index])
            legal[index] = self._look(index, state)
            if self.seats[index] == NOBODY:
                over.append(index)
        self.masks.write(0, legal)
        return over

    def _look(self, index: int, state: State) -> list[Action]:
        """Write down who decides next and what it sees; return what it may do."""
        seat = next_seat(state, self.skip_forced)
        self.seats[index] = seat
        if seat == NOBODY:
            return []
        frames = state.frames
        self.looks[index].see(seat, state.open_rows(), state.own_rows(seat), frames, frames[-1].row())
        return state.legal_actions(seat)
