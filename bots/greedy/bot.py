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

MAX_FOLLOW_UPS = 3


class GreedyBot(Bot):
    game: Any
    """The module of the game, or an object with the same functions."""

    def match_started(self) -> None:
        self.game = knowledge(__spec__.parent or "", self.match.game)
        self.candidates = getattr(self.game, "candidates", list)

    def choose(self, decision: Decision) -> int:
        return self.best(sample(decision, self.random))

    def best(self, state: State) -> int:
        """Return the action that leads to the best position."""
        seat = self.match.seat
        legal: list[int] = self.candidates(state.legal_actions(seat))
        return max(legal, key=lambda action: self.outcome(state, seat, action))

    def outcome(self, state: State, seat: int, action: int, follow_ups: int = MAX_FOLLOW_UPS) -> float:
        """Return the value of the position after an action and the best answers to its first follow-up questions."""
        after = state.clone()
        after.apply(seat, action)
        if follow_ups and after.pending_seats() == [seat]:
            legal = after.legal_actions(seat)
            if self.game.is_follow_up(legal):
                return max(self.outcome(after, seat, answer, follow_ups - 1) for answer in self.candidates(legal))
        worth: float = self.game.value(after, seat)
        return worth


if __name__ == "__main__":
    run(GreedyBot)
