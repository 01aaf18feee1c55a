"""Plans its whole turn on a position it considers possible, then plays the plan as long as things go as foreseen.

What a position is worth is the business of a module named after the game; it has

    appraiser(state, seat) -> Callable[[State], float]   prices for this turn: how good a position is for the seat
    is_follow_up(legal) -> bool                          whether a question is one within an action
    ends_turn(action) -> bool                            whether an action ends the turn
    fingerprint(state, seat) -> Hashable                 the same for positions that are equally good to go on from
    Search                                               a subclass of TurnSearch, where turns need one
"""

from collections.abc import Sequence

from ballcourt import Bot, Decision, run
from ballcourt.bots.planner.search import BUDGET, Step, TurnSearch
from ballcourt.bots.sdk.python.knowledge import knowledge
from ballcourt.simulate import State, sample


class PlannerBot(Bot):
    work_limited = True
    """Its unit of work is an action tried, for a whole turn: most decisions only carry out the plan."""
    plan: tuple[Step[State], ...]

    def match_started(self) -> None:
        self.game = knowledge("ballcourt.bots.planner", self.match.game)
        self.plan = ()

    def choose(self, decision: Decision) -> int:
        state = sample(decision, self.random)
        if not self.is_as_planned(state, decision.legal):
            self.plan = self.search(state)
        step, *rest = self.plan
        self.plan = tuple(rest)
        return step.action

    def is_as_planned(self, state: State, legal: Sequence[int]) -> bool:
        """Tell whether the plan goes on from here; what is hidden may have turned out another way."""
        if not self.plan:
            return False
        step = self.plan[0]
        return step.action in legal and step.state.public_rows() == state.public_rows()

    def search(self, state: State) -> tuple[Step[State], ...]:
        """Return the steps of the best turn from here."""
        seat = self.match.seat
        search: type[TurnSearch[State]] = getattr(self.game, "Search", TurnSearch)
        budget = self.match.clock.work or BUDGET
        looking = search(seat, self.game, self.game.appraiser(state, seat), budget=budget)
        looking.prepare(state)
        return looking.best(state).steps


if __name__ == "__main__":
    run(PlannerBot)
