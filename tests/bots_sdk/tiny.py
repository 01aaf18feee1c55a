"""Games that fit on a few lines, with known best play, for tests of searches."""

from collections.abc import Mapping

from ballcourt.engine.core import EVERYBODY, Frame
from tests.bluff import BluffState, at_table

Tree = list[int] | tuple[int, Mapping[int, "Tree"]]
"""The points at the end, or the seat that is asked and where each of its actions leads."""


class Ask(Frame[BluffState]):
    """A question of a game that is written down as a tree."""

    def __init__(self, tree: tuple[int, Mapping[int, Tree]], place: int) -> None:
        super().__init__(tree[0])
        self.tree = tree
        self.place = place

    def row(self) -> list[int]:
        return [self.seat, self.place]

    def options(self, state: BluffState, seat: int) -> list[int]:
        return sorted(self.tree[1])

    def answer(self, state: BluffState, seat: int, action: int) -> None:
        after = self.tree[1][action]
        if isinstance(after, tuple):
            state.then(Ask(after, 10 * self.place + action))
        else:
            state.points = after


class Pennies(Frame[BluffState]):
    """Both seats show 1 or 2 at once; seat 0 wins if they show the same."""

    kind = 1
    fields = ()

    def __init__(self) -> None:
        super().__init__(EVERYBODY)

    def pending(self, state: BluffState) -> list[int]:
        return [seat for seat in range(state.seats) if not state.bids[seat]]

    def options(self, state: BluffState, seat: int) -> list[int]:
        return [1, 2]

    def answer(self, state: BluffState, seat: int, action: int) -> None:
        state.bids[seat] = action
        if not all(state.bids):
            state.then(self)
        else:
            state.points[state.bids[0] != state.bids[1]] = 1


def tree(seats: int, asked: tuple[int, Mapping[int, Tree]]) -> BluffState:
    """Return the position at the root of a tree."""
    return at_table([1] * seats, [Ask(asked, 1)])


def pennies() -> BluffState:
    """Return the position before the pennies are shown."""
    return at_table([1, 1], [Pennies()])
