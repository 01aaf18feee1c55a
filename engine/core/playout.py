"""Playing a position on: the one loop that asks, chooses and applies."""

from collections.abc import Callable, Iterator
from itertools import count

from ballcourt.engine.core.frames import Action, Seat
from ballcourt.engine.core.state import State

Choice = Callable[[list[int]], int]
"""Chooses one of a list of ints that is not empty: `random.Random(seed).choice`, or `choice` of a `Stream`."""


def first(items: list[int]) -> int:
    """Choose the first item."""
    return items[0]


def decisions(
    state: State, choose: Choice, choose_seat: Choice = first, limit: int | None = None
) -> Iterator[tuple[Seat, Action]]:
    """Play a position on, to its end or for `limit` decisions; yield each (seat, action) after it was applied.

    `choose` gets the legal actions, `choose_seat` the pending seats.
    """
    for number in count():
        pending = state.pending_seats()
        if not pending or number == limit:
            return
        seat = choose_seat(pending)
        action = choose(state.legal_actions(seat))
        state.apply(seat, action)
        yield seat, action


def playout(state: State, choose: Choice) -> int:
    """Play a position to its end and return the number of decisions.

    `playout(state, random.Random(1).choice)` plays at random; then `state.scores()` has the result.
    """
    made = 0
    while pending := state.pending_seats():
        seat = pending[0]
        state.apply(seat, choose(state.legal_actions(seat)))
        made += 1
    return made


def ended(state: State, seat: Seat, action: Action, choose: Choice) -> State:
    """Return the end of the match that follows an action and `choose`; the position itself does not change."""
    after = state.clone()
    after.apply(seat, action)
    playout(after, choose)
    return after
