"""What the search needs to know of a game: the moves worth trying, and what a position is worth to each seat."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from ballcourt.simulate import State, playout

Move = tuple[int, ...]
"""One or more successive actions of one seat, without the forced ones."""


class Domain(Protocol):
    """A way to search a game."""

    values_are_cheap: bool
    """Whether a position takes less time to value than its moves to draw up."""

    def moves(self, state: State, seat: int, *, thorough: bool) -> Sequence[tuple[Move, float]]:
        """Return moves of a seat that is asked, each with what it seems to be worth, in the unit of `values`.

        Only differences count. `thorough` is set for the decision to be made, and not for those further on.
        """

    def play(self, state: State, seat: int, move: Move) -> None:
        """Play a move for a seat that is asked, if it is possible in this sample."""

    def values(self, state: State, seat: int) -> list[float]:
        """Return what a position is worth to every seat; `state` may be played on. `seat` is the one that searches."""


class AnyGame:
    """Knows nothing: a move is an action, and the worth of a position is how it ends when it is played on at random."""

    values_are_cheap = False

    def __init__(self, random: Random) -> None:
        self._random = random

    def moves(self, state: State, seat: int, *, thorough: bool) -> Sequence[tuple[Move, float]]:
        """Return every legal action."""
        return [((action,), 0.0) for action in state.legal_actions(seat)]

    def play(self, state: State, seat: int, move: Move) -> None:
        """Apply the action."""
        state.apply(seat, move[0])

    def values(self, state: State, seat: int) -> list[float]:
        """Play to the end; return the share of opponents beaten less the share lost to."""
        playout(state, self._random.choice)
        return state.returns()
