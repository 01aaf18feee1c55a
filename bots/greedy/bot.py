"""Looks one action ahead: tries each on a sampled position and takes the one with the best value.

The parameter `mistakes` is the share of decisions, from 0 to 1, in which it takes a random action instead.

A module named after the game says what a position is worth. It has

    value(state, seat) -> float          how good the position is for the seat
    is_follow_up(legal) -> bool          whether a question is about an action already chosen
    candidates(legal) -> list[int]       the actions worth trying; optional, default: all
"""

from typing import Any

from ballcourt import Bot, Decision, Parameters, run
from ballcourt.bots.sdk.python.knowledge import knowledge, own_files
from ballcourt.simulate import State, sample

__spec__ = __spec__ or own_files(__file__)

from .ahead import best


class GreedyBot(Bot):
    parameters = Parameters(mistakes=0.0)
    game: Any
    """The module of the game, or an object with the same functions."""

    def match_started(self) -> None:
        self.game = knowledge(__spec__.parent or "", self.match.game)

    def choose(self, decision: Decision) -> int:
        mistakes = self.parameters.number("mistakes")
        if mistakes and self.random.random() < mistakes:
            return self.random.choice(decision.legal)
        return self.best(sample(decision, self.random))

    def best(self, state: State) -> int:
        """Return the action that leads to the best position."""
        return best(self.game, state, self.match.seat)


if __name__ == "__main__":
    run(GreedyBot)
