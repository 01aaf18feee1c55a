"""Looks one action ahead: tries each on a position it considers possible and takes the one it values most.

What a position is worth is the business of a module named after the game; it has

    value(state, seat) -> float          how good the position is for the seat
    is_follow_up(legal) -> bool          whether a question only asks how to carry out the action just chosen
    candidates(legal) -> list[int]       the actions worth trying; where a module has no such function, all
"""

from ballcourt import Bot, Decision, run
from ballcourt.bots.sdk.python.knowledge import knowledge
from ballcourt.simulate import State, sample

MAX_FOLLOW_UPS = 3


class GreedyBot(Bot):
    def match_started(self) -> None:
        self.game = knowledge("ballcourt.bots.greedy", self.match.game)
        self.candidates = getattr(self.game, "candidates", list)

    def choose(self, decision: Decision) -> int:
        return self.best(sample(decision, self.random))

    def best(self, state: State) -> int:
        """Return the action that leads to the position valued most."""
        seat = self.match.seat
        legal: list[int] = self.candidates(state.legal_actions(seat))
        return max(legal, key=lambda action: self.outcome(state, seat, action))

    def outcome(self, state: State, seat: int, action: int, follow_ups: int = MAX_FOLLOW_UPS) -> float:
        """Value the position after an action, whose first follow-up questions are answered in the best way."""
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
