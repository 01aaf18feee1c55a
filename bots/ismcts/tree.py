"""The statistics of the search: a node for what a seat knows when it is asked, with a choice for each of its moves.

Choices are selected by PUCT (Rosin: Multi-armed bandits with episode context, 2011), in the form of AlphaZero. As moves
differ with what is hidden, the visits of a node are counted for each choice from where it was available (Cowling,
Powley, Whitehouse: Information set Monte Carlo tree search, 2012). Values are scaled to the range met so far
(Schrittwieser et al.: Mastering Atari, Go, chess and shogi by planning with a learned model, 2020).
"""

from collections.abc import Collection, Iterable, Sequence
from math import sqrt
from random import Random

from .domain import Move

EXPLORATION = 1.0


class Range:
    """The values met so far."""

    def __init__(self) -> None:
        self.low = float("inf")
        self.high = float("-inf")

    def meet(self, values: Iterable[float]) -> None:
        """Widen the range."""
        for value in values:
            self.low = min(self.low, value)
            self.high = max(self.high, value)

    def scaled(self, value: float) -> float:
        """Return a value as a share of the range, 0 to 1; 0.5 while all values are equal."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5


class Choice:
    """A move from a node."""

    __slots__ = ("available", "move", "prior", "total", "visits", "worth")

    def __init__(self, move: Move, worth: float, prior: float) -> None:
        """`worth` is what the move seems to be worth before it is tried, `prior` how much of the search it deserves."""
        self.move = move
        self.worth = worth
        self.prior = prior
        self.visits = 0
        self.available = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        """The mean value to the seat that chooses; 0 before the first visit."""
        return self.total / max(1, self.visits)


class Node:
    """What a seat knows when it is asked."""

    __slots__ = ("_choices", "_considered", "_total", "_visits")

    def __init__(self) -> None:
        self._choices: dict[Move, Choice] = {}
        self._considered: set[int] = set()
        self._visits = 0
        self._total = 0.0

    def lacks(self, legal: Collection[int]) -> bool:
        """Return whether an action is legal that was not when moves were drawn up, or no move is possible now."""
        return not self._considered.issuperset(legal) or not self.available(legal)

    def add(self, moves: Sequence[tuple[Move, float]], legal: Iterable[int]) -> None:
        """Add the moves that were drawn up where these actions are legal; the best one deserves most of the search."""
        self._considered.update(legal)
        for move, worth in moves:
            if move not in self._choices:
                better = sum(other > worth for _, other in moves)
                self._choices[move] = Choice(move, worth, 1 / (1 + better))

    def available(self, legal: Collection[int]) -> list[Choice]:
        """List the choices that begin with one of the legal actions."""
        return [choice for choice in self._choices.values() if choice.move[0] in legal]

    def select(self, legal: Collection[int], values: Range, random: Random) -> Choice:
        """Return the available choice to try next; one that has not been tried counts as the mean of the node.

        Of equals it is a random one: seats that decide at once must not fall into step.
        """
        available = self.available(legal)
        random.shuffle(available)
        unit = EXPLORATION / sum(choice.prior for choice in available)
        expected = values.scaled(self._total / self._visits) if self._visits else 0.5

        def promise(choice: Choice) -> float:
            value = values.scaled(choice.mean) if choice.visits else expected
            return value + unit * choice.prior * sqrt(choice.available) / (1 + choice.visits)

        for choice in available:
            choice.available += 1
        return max(available, key=promise)

    def learn(self, choice: Choice, value: float) -> None:
        """Count a visit of a choice and what it led to."""
        choice.visits += 1
        choice.total += value
        self._visits += 1
        self._total += value
