"""Plans its turn as planner does, with values and a search that `docs/examples` wrote: evolve.py and tune_prices.py.

A module named after the game has what planner asks for (`ballcourt.bots.planner.bot`), and the numbers

    BUDGET    how many actions are tried for a turn
    REPLIES   for how many of the best plans the next seat's best reply is searched
    ANSWER    how many actions are tried for a reply
    TRUST     from 0 to 1: how much the position after the reply counts, against that before it
"""

from typing import Any

from ballcourt import run
from ballcourt.bots.planner.bot import PlannerBot
from ballcourt.bots.planner.search import Plan, best_of, plans_for
from ballcourt.bots.sdk.python.knowledge import knowledge, own_files
from ballcourt.simulate import State

__spec__ = __spec__ or own_files(__file__)


class EvolvedBot(PlannerBot):
    game: Any
    """The module of the game."""

    def match_started(self) -> None:
        self.game = knowledge(__spec__.parent or "", self.match.game)
        self.plan = ()

    def best_plan(self, state: State) -> Plan[State]:
        plans = plans_for(self.game, state, self.match.seat, self.match.clock.work or self.game.BUDGET)
        return max(self.promising(plans), key=self.worth)

    def promising(self, plans: list[Plan[State]]) -> list[Plan[State]]:
        """Return the plans whose replies are searched, at least one."""
        return sorted(plans, key=lambda plan: -plan.worth)[: max(1, self.game.REPLIES)]

    def worth(self, plan: Plan[State]) -> float:
        """Return what a plan is worth, with the next seat's best reply if that is searched."""
        (asked, *others), seat = plan.state.pending_seats() or [self.match.seat], self.match.seat
        if not self.game.REPLIES or others or asked == seat:
            return plan.worth
        replied = best_of(plans_for(self.game, plan.state, asked, self.game.ANSWER)).state
        later: float = self.game.appraiser(replied, seat)(replied)
        return plan.worth + float(self.game.TRUST) * (later - plan.worth)


if __name__ == "__main__":
    run(EvolvedBot)
