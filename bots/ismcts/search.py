"""Information-set Monte Carlo tree search for any number of seats.

The decision to be made is a matter of simple regret: its moves are halved again and again, each time after equally many
simulations of all that are left, from the same samples (Karnin, Koren, Somekh: Almost optimal exploration in
multi-armed bandits, 2013; Pepels et al.: Minimizing simple and cumulative regret in Monte-Carlo tree search, 2014).
Each simulation draws what is hidden and what chance will bring, walks down the tree while it meets nodes it knows, adds
one, values the position there, and lets every seat on the way learn its own value (max^n).

A node is the public position, with what is private to the searching seat where it is asked itself. The statistics of
the others are shared by all that they may hold, and never depend on what is hidden from them. So simultaneous
questions, asked one seat after another, are decoupled bandits; and an outcome of chance that everyone sees leads to a
node of its own. Positions that are reached in several ways are one node.
"""

from collections.abc import Callable, Hashable, Sequence
from math import ceil, log2
from random import Random
from statistics import fmean
from time import monotonic

from ballcourt.simulate import State

from .budget import Budget
from .domain import Domain
from .tree import Choice, Node, Range

Step = tuple[Node, Choice, int]
"""A choice made on the way by a seat."""

MOST_NODES = 100_000
"""A tree of this size stops growing, and is dropped before a decision that is not in it."""

TRUST = 6.0
"""The visits that outweigh the first estimate of a move."""


class Search:
    """The search of one seat during a match. The tree is kept from decision to decision."""

    def __init__(self, seat: int, domain: Domain, random: Random, trust: float = TRUST) -> None:
        self._seat = seat
        self._domain = domain
        self._random = random
        self._trust = trust
        self._nodes: dict[Hashable, Node] = {}
        self._values = Range()
        self._thorough_s = 0.0

    @property
    def is_full(self) -> bool:
        """Whether the tree has reached MOST_NODES."""
        return len(self._nodes) >= MOST_NODES

    def choose(self, draw: Callable[[], State], legal: Sequence[int], budget: Budget) -> Choice:
        """Return the best choice after as many simulations as the budget allows.

        There are no simulations if there is only one candidate.

        `draw` returns samples of the position, in which the seat may choose among `legal`.
        """
        state = draw()
        if self.is_full and self._key(state, self._seat) not in self._nodes:
            self._nodes.clear()
        self._values = Range()
        root = self._root(state, budget)
        left = root.available(legal)
        phases = max(1, ceil(log2(len(left))))
        for phase in range(1, phases + 1):
            while len(left) > 1 and budget.used() < phase / phases:
                self._try_all(root, left, draw(), budget)
            left = _best(left, self._trust)[: ceil(len(left) / 2)]
        return left[0]

    def simulate(self, state: State) -> None:
        """Play one simulation from a sample of a position."""
        path: list[Step] = []
        self._learn(path, self._go_on(state, path))

    def _root(self, state: State, budget: Budget) -> Node:
        """Return the node of the decision to be made, with thorough moves unless they would take half of the time."""
        began = monotonic()
        thorough = 2 * self._thorough_s < budget.left_s()
        root = self._node(self._key(state, self._seat), state, self._seat, thorough=thorough)
        if thorough:
            self._thorough_s = monotonic() - began
        return root

    def _try_all(self, root: Node, choices: Sequence[Choice], state: State, budget: Budget) -> None:
        """Simulate every choice from the same sample, and learn afterwards, so that luck is the same for all.

        Learning in between, a seat that decides at the same time would fall into step with the order of the choices.
        """
        results = []
        for choice in choices:
            if budget.used() < 1:
                after, path = state.clone(), [(root, choice, self._seat)]
                self._domain.play(after, self._seat, choice.move)
                results.append((path, self._go_on(after, path)))
                budget.spend()
        for path, values in results:
            self._learn(path, values)

    def _go_on(self, state: State, path: list[Step]) -> list[float]:
        """Walk down the tree from the end of a path and extend the path; add a node and value its position.

        A full tree gets no new node; then the first position outside of it is valued. That of a new node is valued
        without a move where values are cheap: its moves are drawn up if it is met again.
        """
        new = False
        while not new and (pending := state.pending_seats()):
            seat = pending[0]
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                state.apply(seat, legal[0])
                continue
            key = self._key(state, seat)
            new = key not in self._nodes
            if new and self.is_full:
                break
            if new and self._domain.values_are_cheap:
                self._nodes[key] = Node()
                break
            node = self._node(key, state, seat)
            choice = node.select(legal, self._values, self._random)
            path.append((node, choice, seat))
            self._domain.play(state, seat, choice.move)
        return self._domain.values(state, self._seat)

    def _learn(self, path: Sequence[Step], values: Sequence[float]) -> None:
        """Count what a path led to, for each seat its own value."""
        self._values.meet(values)
        for node, choice, seat in path:
            node.learn(choice, values[seat])

    def _node(self, key: Hashable, state: State, seat: int, *, thorough: bool = False) -> Node:
        """Return the node of a seat that is asked, with moves for what is legal."""
        node = self._nodes.setdefault(key, Node())
        legal = state.legal_actions(seat)
        if thorough or node.lacks(legal):
            node.add(self._domain.moves(state, seat, thorough=thorough), legal)
        return node

    def _key(self, state: State, seat: int) -> Hashable:
        private = state.private_rows(seat) if seat == self._seat else []
        return seat, *(tuple(row) for row in (*state.public_rows(), *private))


def _best(choices: Sequence[Choice], trust: float) -> list[Choice]:
    """Sort choices, the best first: by their mean, to which what they seemed to be worth adds some visits."""
    worth = fmean(choice.worth for choice in choices)
    visits = sum(choice.visits for choice in choices)
    mean = sum(choice.total for choice in choices) / max(1, visits)

    def estimate(choice: Choice) -> float:
        trusted = trust * (choice.worth - worth) + choice.visits * (choice.mean - mean)
        return trusted / (trust + choice.visits)

    return sorted(choices, key=estimate, reverse=True)
