"""Plans its whole turn on a position it considers possible, then plays the plan as long as things go as foreseen.

What a position is worth is the business of a module named after the game; it has

    appraiser(state, seat) -> Callable[[State], float]   prices for this turn: how good a position is for the seat
    is_follow_up(legal) -> bool                          whether a question is one within an action
    ends_turn(action) -> bool                            whether an action ends the turn
    fingerprint(state, seat) -> Hashable                 the same for positions that are equally good to go on from
"""

from bots.planner.search import Step, TurnSearch
from bots.sdk.python import Bot, Decision, run
from bots.sdk.python.knowledge import knowledge
from bots.sdk.python.simulate import State, sample


class PlannerBot(Bot):
    plan: tuple[Step, ...]

    def match_started(self) -> None:
        self.game = knowledge("bots.planner", self.match.game)
        self.plan = ()

    def choose(self, decision: Decision) -> int:
        state = sample(decision, self.random)
        if not self.plan or self.plan[0].state.public_rows() != state.public_rows():
            self.plan = self.search(state)
        step, *rest = self.plan
        self.plan = tuple(rest)
        return step.action

    def search(self, state: State) -> tuple[Step, ...]:
        """Return the steps of the best turn from here."""
        seat = self.match.seat
        answer_for_others(state, seat)
        return TurnSearch(seat, self.game, self.game.appraiser(state, seat)).best(state).steps


def answer_for_others(state: State, seat: int) -> None:
    """Let the other seats of a simultaneous question answer anything, so that the own answer has its effect."""
    for other in state.pending_seats():
        if other != seat:
            state.apply(other, state.legal_actions(other)[0])


if __name__ == "__main__":
    run(PlannerBot)
