"""Playing positions on: the one loop that asks, chooses and applies, and many ends at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from random import Random
from typing import Any, NamedTuple

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.frames import Action, Seat
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.saving import game_of
from ballcourt.engine.core.state import State

Choice = Callable[[list[int]], int]
"""Chooses one of a list of ints that is not empty: `random.Random(seed).choice`, or `choice` of a `Stream`."""

Player = Callable[[State, Seat], Action]
"""Chooses an action for a seat that is asked; the position stays as it is."""
Policy = Callable[[int], Player]
"""Makes what plays all seats of one playout. Its luck is the int, 0 <= luck < 2**64."""
Map = Callable[[Callable[[State], Any], Iterable[State]], Iterable[Any]]
"""The type of `map`, and of the `map` of a pool of processes."""


class End(NamedTuple):
    """How a match ended: `State.scores`, `State.returns` and `State.placements`."""

    scores: list[float]
    returns: list[float]
    placements: list[list[int]]


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


def playouts(
    positions: Iterable[State], policy: Policy, lucks: Sequence[int], *, known_to: Seat | None = None, run: Map = map
) -> list[list[End]]:
    """Play each position to its end once for each luck; return the ends by position, then by luck.

    Equal luck makes equal random numbers, so that ends of sibling positions differ less by chance. What the seat
    `known_to` cannot see, shuffles to come too, is drawn before each playout, by its luck; without that seat, the
    positions are played as they are. They do not change. `run` may be the `map` of a pool of processes, for a policy
    that can be pickled.
    """
    return [*run(partial(_ends, policy, lucks, known_to), positions)]


def at_random(luck: int) -> Player:
    """Return a player that chooses among the legal actions, all equally likely."""
    choose = Random(luck).choice
    return lambda state, seat: choose(state.legal_actions(seat))


def _ends(policy: Policy, lucks: Sequence[int], known_to: Seat | None, position: State) -> list[End]:
    found = []
    for luck in lucks:
        state, player = position.clone() if known_to is None else _drawn(position, known_to, luck), policy(luck)
        while pending := state.pending_seats():
            seat = pending[0]
            state.apply(seat, player(state, seat))
        found.append(End(state.scores(), state.returns(), state.placements()))
    return found


def _drawn(position: State, seat: Seat, luck: int) -> State:
    game: Any = game_of(type(position).__module__)
    drawn: State = game.sample(observe(position, seat), Stream(luck))
    return drawn
