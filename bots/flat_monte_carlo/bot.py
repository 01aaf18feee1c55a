"""Plays every legal action to the end at random, again and again, and takes the one with the best mean result.

It knows nothing about any game. Each playout begins with another sample of what the seat cannot see.
"""

from itertools import cycle

from ballcourt import Bot, Decision, run
from ballcourt.bots.ismcts.budget import budget_for
from ballcourt.simulate import playout, sample


class FlatMonteCarloBot(Bot):
    work_limited = True
    """Its unit of work is one playout; it tries every action once, however small the limit."""

    def choose(self, decision: Decision) -> int:
        budget = budget_for(decision, sample(decision, self.random), self.random)
        results: dict[int, list[float]] = {action: [] for action in decision.legal}
        for action in cycle(decision.legal):
            if budget.done >= len(results) and budget.used() >= 1:
                break
            results[action].append(self.result(decision, action))
            budget.spend()
        return max(results, key=lambda action: sum(results[action]) / len(results[action]))

    def result(self, decision: Decision, action: int) -> float:
        """Return the seat's result of one playout that begins with an action, -1 to 1."""
        state, seat = sample(decision, self.random), decision.match.seat
        state.apply(seat, action)
        playout(state, self.random.choice)
        return state.returns()[seat]


if __name__ == "__main__":
    run(FlatMonteCarloBot)
