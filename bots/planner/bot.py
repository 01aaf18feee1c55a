"""Plans its whole turn on a sampled position, then follows the plan while the public position is as predicted.

A module named after the game says what a position is worth. It has

    appraiser(state, seat) -> Callable[[State], float]   returns the value of a position of this turn
    is_follow_up(legal) -> bool                          whether a question is about an action already chosen
    ends_turn(action) -> bool                            whether an action ends the turn
    fingerprint(state, seat) -> Hashable                 equal for positions that are equally good to continue from
    Search                                               a subclass of TurnSearch, if the game needs one
"""

from collections.abc import Sequence

from ballcourt import Bot, Decision, run
from ballcourt.bots.sdk.python.knowledge import knowledge, own_files
from ballcourt.engine.registry import find_game
from ballcourt.simulate import State, sample

__spec__ = __spec__ or own_files(__file__)

from .search import BUDGET, Plan, Step, best_of, plans_for


class PlannerBot(Bot):
    work_limited = True
    """Its unit of work is one action tried. The budget is for a whole turn: most decisions only follow the plan."""
    plan: tuple[Step[State], ...]

    def match_started(self) -> None:
        self.game = knowledge(__spec__.parent or "", self.match.game)
        self.plan = ()

    def choose(self, decision: Decision) -> int:
        state = sample(decision, self.random)
        if not self.is_as_planned(state, decision.legal):
            plan = self.best_plan(state)
            self.plan = plan.steps
            decision.thoughts = self.explain(plan)
        step, *rest = self.plan
        self.plan = tuple(rest)
        return step.action

    def best_plan(self, state: State) -> Plan[State]:
        """Return the best plan for the turn that begins here."""
        return best_of(plans_for(self.game, state, self.match.seat, self.match.clock.work or BUDGET))

    def is_as_planned(self, state: State, legal: Sequence[int]) -> bool:
        """Return whether the plan continues from here; what was hidden may differ from the sample."""
        if not self.plan:
            return False
        step = self.plan[0]
        return step.action in legal and step.state.public_rows() == state.public_rows()

    def explain(self, plan: Plan[State]) -> str:
        """Return a plan in words, with what it is worth."""
        rules, seat = find_game(self.match.game), self.match.seat
        steps = [rules.choice(step.state, seat, step.action)["label"] for step in plan.steps]
        return f"plans: {'; '.join(steps)} (which it puts at {plan.worth:.1f} points)"


if __name__ == "__main__":
    run(PlannerBot)
