"""Looks one action ahead: tries each on a sampled position and takes the one with the best value.

A module named after the game says what a position is worth. It has

    value(state, seat) -> float          how good the position is for the seat
    is_follow_up(legal) -> bool          whether a question is about an action already chosen
    candidates(legal) -> list[int]       the actions worth trying; optional, default: all
"""

from typing import Any

from ballcourt import Bot, Decision, run
from ballcourt.bots.sdk.python.knowledge import knowledge, own_files
from ballcourt.simulate import State, sample

__spec__ = __spec__ or own_files(__file__)

from .ahead import best


class GreedyBot(Bot):
    game: Any
    """The module of the game, or an object with the same functions."""

    def match_started(self) -> None:
        self.game = knowledge(__spec__.parent or "", self.match.game)

    def choose(self, decision: Decision) -> int:
        return self.best(sample(decision, self.random))

    def best(self, state: State) -> int:
        """Return the action that leads to the best position."""
        return best(self.game, state, self.match.seat)


if __name__ == "__main__":
    run(GreedyBot)
