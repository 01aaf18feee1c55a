"""Plays every legal action to the end at random, again and again, and takes the one with the best mean result.

It knows nothing about any game. Each playout begins with another sample of what the seat cannot see.
"""

from itertools import cycle
from statistics import fmean
from time import monotonic

from ballcourt import Bot, Decision, run
from ballcourt.bots.ismcts.budget import budget_for
from ballcourt.simulate import playout, sample
from ballcourt.v1.protocol_pb2 import Evaluation, RankedAction


class FlatMonteCarloBot(Bot):
    work_limited = True
    """Its unit of work is one playout."""

    def choose(self, decision: Decision) -> int:
        budget = budget_for(decision, sample(decision, self.random), self.random, monotonic())
        results: dict[int, list[float]] = {decision.legal[0]: []}
        for action in cycle(decision.legal):
            if budget.used() >= 1:
                break
            results.setdefault(action, []).append(self.result(decision, action))
            budget.spend()
        ranked = [
            RankedAction(action=action, value=fmean(got or [0]), visits=len(got)) for action, got in results.items()
        ]
        ranked.sort(key=lambda entry: entry.value, reverse=True)
        decision.evaluation = Evaluation(ranked=ranked)
        return ranked[0].action

    def result(self, decision: Decision, action: int) -> float:
        """Return the seat's result of one playout that begins with an action, -1 to 1."""
        state, seat = sample(decision, self.random), decision.match.seat
        state.apply(seat, action)
        playout(state, self.random.choice)
        return state.returns()[seat]


if __name__ == "__main__":
    run(FlatMonteCarloBot)
