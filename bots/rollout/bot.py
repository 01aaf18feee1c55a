"""Plans its turn as planner does, and chooses among the best plans by rollouts: planner plays the match on from each.

All plans share the worlds in which they are tried, samples of what the seat cannot see, and the luck of the seats; a
few rollouts then show a difference (common random numbers). As time passes, half of the plans that are left are given
up, the worse ones (sequential halving: Karnin, Koren and Somekh 2013).
"""

from collections.abc import Iterable
from functools import partial
from time import monotonic

from ballcourt import Decision, run
from ballcourt.bots.ismcts.budget import Budget, budget_for
from ballcourt.bots.ismcts.turns import follow
from ballcourt.bots.leads import worth_at_end
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.planner.search import BUDGET, Plan, plans_for
from ballcourt.bots.policies import Planner
from ballcourt.bots.sdk.python.knowledge import knowledge
from ballcourt.simulate import State, playouts, sample

PLANS = 8
"""Among how many plans the rollouts choose."""
QUICK_BUDGET = 60
"""How many actions are tried for a turn of a rollout."""


class RolloutBot(PlannerBot):
    work_limited = True
    """Its unit of work is one rollout."""

    def match_started(self) -> None:
        self.game = knowledge("ballcourt.bots.planner", self.match.game)
        self.policy = partial(Planner, self.match.game, budget=QUICK_BUDGET)
        self.plan = ()

    def choose(self, decision: Decision) -> int:
        self.began, self.decision = monotonic(), decision
        return super().choose(decision)

    def best_plan(self, state: State) -> Plan[State]:
        """Return the plan that rollouts like best."""
        plans = promising(plans_for(self.game, state, self.match.seat, BUDGET))
        if len(plans) == 1:
            return plans[0]
        return self.chosen(plans, budget_for(self.decision, state, self.random, self.began))

    def chosen(self, plans: list[Plan[State]], budget: Budget) -> Plan[State]:
        """Try the plans in one world after another, and fewer of them as the budget is used."""
        gains = [0.0] * len(plans)
        left = list(range(len(plans)))
        stages = (len(plans) - 1).bit_length()
        for stage in range(1, stages + 1):
            while budget.used() < stage / stages:
                luck, world = self.random.getrandbits(64), sample(self.decision, self.random)
                for index in left:
                    gains[index] += self.gain(world.clone(), plans[index], luck)
                    budget.spend()
            left = sorted(left, key=lambda index: -gains[index])[: max(1, len(left) // 2)]
        return plans[left[0]]

    def gain(self, world: State, plan: Plan[State], luck: int) -> float:
        """Return what the seat has of a plan in a world, in points."""
        seat = self.match.seat
        follow(world, seat, [step.action for step in plan.steps])  # what the world forbids, the policy decides
        [[end]] = playouts([world], self.policy, [luck])
        return worth_at_end(end.scores, end.returns, seat)


def promising(plans: Iterable[Plan[State]]) -> list[Plan[State]]:
    """Return the plans of the highest worth, at most PLANS, each once."""
    best = dict[tuple[int, ...], Plan[State]]()
    for plan in sorted(plans, key=lambda plan: -plan.worth):
        best.setdefault(tuple(step.action for step in plan.steps), plan)
    return [*best.values()][:PLANS]


if __name__ == "__main__":
    run(RolloutBot)
