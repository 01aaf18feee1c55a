"""Information-set Monte Carlo tree search for any number of seats.

Each simulation draws what is hidden and what chance will bring, walks down the tree while it meets nodes it knows, adds
one, values the position there, and lets every seat on the way learn its own value (max^n).

A node is the public position, with what is private to the searching seat where it is asked itself. The statistics of
the others are shared by all that they may hold, and never depend on what is hidden from them. So simultaneous
questions, asked one seat after another, are decoupled bandits; and an outcome of chance that everybody sees leads to a
node of its own. Positions that are reached in several ways are one node.
"""

from collections.abc import Callable, Hashable, Sequence
from random import Random

from ballcourt.bots.ismcts.budget import Budget
from ballcourt.bots.ismcts.domain import Domain
from ballcourt.bots.ismcts.tree import Choice, Node, Range
from ballcourt.simulate import State

MOST_NODES = 100_000
"""A tree that has more is dropped before the next decision."""


class Search:
    """The search of one seat during a match. The tree is kept from decision to decision."""

    def __init__(self, seat: int, domain: Domain, random: Random) -> None:
        self._seat = seat
        self._domain = domain
        self._random = random
        self._nodes: dict[Hashable, Node] = {}
        self._values = Range()

    def choose(self, draw: Callable[[], State], legal: Sequence[int], budget: Budget) -> Choice:
        """Return the choice visited most after as many simulations as the budget allows.

        `draw` returns samples of the position, in which the seat may choose among `legal`. There are no simulations
        where a single move is worth trying.
        """
        if len(self._nodes) > MOST_NODES:
            self._nodes.clear()
        root = self._node(draw(), self._seat)
        while (left := budget.left()) > 0 and not _decided(root.available(legal), left):
            self.simulate(draw())
            budget.spend()
        return max(root.available(legal), key=lambda choice: (choice.visits, choice.prior))

    def simulate(self, state: State) -> None:
        """Play one simulation from a sample of a position."""
        path: list[tuple[Node, Choice, int]] = []
        new = False
        while not new and (pending := state.pending_seats()):
            seat = pending[0]
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                state.apply(seat, legal[0])
                continue
            count = len(self._nodes)
            node = self._node(state, seat)
            new = len(self._nodes) > count
            choice = node.select(legal, self._values, self._random)
            path.append((node, choice, seat))
            self._domain.play(state, seat, choice.move)
        values = self._domain.values(state, self._seat)
        self._values.meet(values)
        for node, choice, seat in path:
            node.learn(choice, values[seat])

    def _node(self, state: State, seat: int) -> Node:
        """Return the node of a seat that is asked, with moves for all that is legal."""
        node = self._nodes.setdefault(self._key(state, seat), Node())
        legal = state.legal_actions(seat)
        if node.lacks(legal):
            node.add(self._domain.moves(state, seat), legal)
        return node

    def _key(self, state: State, seat: int) -> Hashable:
        private = state.private_rows(seat) if seat == self._seat else []
        return seat, *(tuple(row) for row in (*state.public_rows(), *private))


def _decided(choices: Sequence[Choice], left: float) -> bool:
    """Return whether no other choice can still be visited more than the leading one."""
    first, *others = sorted((choice.visits for choice in choices), reverse=True)
    return not others or first - others[0] > left
