"""A search for the best turn: the sequence of a seat's decisions that leads to the best position.

A beam goes from one question of the turn (which worker to place or pick up) to the next; the questions within an
action (which action, which tile, how to pay) are tried in all ways. The actions of others are not predicted.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import nlargest
from itertools import islice
from types import ModuleType
from typing import Generic, NamedTuple, Protocol, TypeVar

from ballcourt.simulate import State

BUDGET = 800
"""How many actions are tried for a turn by default."""

StateT = TypeVar("StateT", bound=State)
AskedT = TypeVar("AskedT", bound=State, contravariant=True)


class TurnRules(Protocol[AskedT]):
    """What the search needs to know of a game's questions and answers."""

    def is_follow_up(self, legal: list[int]) -> bool:
        """Return whether a question is about an action already chosen, not about what to do next."""

    def ends_turn(self, action: int) -> bool:
        """Return whether the search looks no further after this action."""

    def fingerprint(self, state: AskedT, seat: int) -> Hashable:
        """Return a key that is equal for positions of a seat's turn from which it can continue equally well."""


class Step(NamedTuple, Generic[StateT]):
    """One answer of a plan, and the position that it answers."""

    state: StateT
    action: int


class Plan(NamedTuple, Generic[StateT]):
    """A way through the turn, or its beginning: the steps that need a decision, where they lead, and its worth."""

    steps: tuple[Step[StateT], ...]
    state: StateT
    worth: float
    complete: bool


class TurnSearch(Generic[StateT]):
    """Searches one turn of one seat.

    `width` positions are kept from one question of the turn to the next. When `budget` actions have been tried,
    every plan that has begun is finished in the first way found. A game whose turns need more than this has a subclass.
    """

    def __init__(
        self,
        seat: int,
        rules: TurnRules[StateT],
        value: Callable[[StateT], float],
        width: int = 6,
        budget: int = BUDGET,
    ) -> None:
        self._seat = seat
        self._rules = rules
        self._value = value
        self._width = width
        self._budget = budget
        self._met: set[Hashable] = set()

    def best(self, state: StateT) -> Plan[StateT]:
        """Return the best plan for a seat that is asked something in this position."""
        return best_of(self.plans(state))

    def plans(self, state: StateT) -> list[Plan[StateT]]:
        """Return the complete plans that were found, at least one, in no order."""
        complete: list[Plan[StateT]] = []
        beam = [Plan((), state, 0.0, complete=False)]
        while beam:
            found = [following for plan in beam for following in self._continued(plan)]
            complete += (plan for plan in found if plan.complete)
            width = self._width if self._budget > 0 else 1
            kept = beam
            beam = nlargest(width, (plan for plan in found if not plan.complete), key=lambda plan: plan.worth)
        return complete or [self._finished(kept[0])]

    # -- what a subclass may change

    def prepare(self, state: StateT) -> None:
        """Answer a simultaneous question for the other seats, so that the seat's own answer takes effect."""
        for other in state.pending_seats():
            if other != self._seat:
                state.apply(other, state.legal_actions(other)[0])

    def candidates(self, state: StateT, legal: list[int]) -> list[int]:
        """Choose the actions worth trying, at least one."""
        return legal

    def settle(self, state: StateT) -> None:
        """Answer for the others until the seat's turn continues."""

    def is_over(self, state: StateT) -> bool:
        """Return whether the turn has ended."""
        return self._seat not in state.pending_seats()

    # -- the search

    def _continued(self, plan: Plan[StateT]) -> Iterator[Plan[StateT]]:
        """Answer the question a position waits with, in every way, and all that follows within the action."""
        legal = plan.state.legal_actions(self._seat)
        for action in self.candidates(plan.state, legal):
            after = plan.state.clone()
            after.apply(self._seat, action)
            self.settle(after)
            if self._is_new(after):
                steps = plan.steps if len(legal) == 1 else (*plan.steps, Step(plan.state, action))
                yield from self._settled(steps, after, self._rules.ends_turn(action))

    def _settled(self, steps: tuple[Step[StateT], ...], state: StateT, ends_turn: bool) -> Iterator[Plan[StateT]]:
        complete = ends_turn or self.is_over(state)
        if complete or not self._rules.is_follow_up(state.legal_actions(self._seat)):
            yield Plan(steps, state, self._value(state), complete)
        else:
            ways = self._continued(Plan(steps, state, 0.0, complete=False))
            yield from ways if self._budget > 0 else islice(ways, 1)

    def _finished(self, plan: Plan[StateT]) -> Plan[StateT]:
        """Finish a plan in the first way found, when everything that could follow was met before."""
        steps, state, over = plan.steps, plan.state, False
        while not over:
            legal = state.legal_actions(self._seat)
            action = self.candidates(state, legal)[0]
            after = state.clone()
            after.apply(self._seat, action)
            self.settle(after)
            steps = steps if len(legal) == 1 else (*steps, Step(state, action))
            state, over = after, self._rules.ends_turn(action) or self.is_over(after)
        return Plan(steps, state, self._value(state), complete=True)

    def _is_new(self, state: StateT) -> bool:
        """Return whether a position is met for the first time; several ways may lead to it."""
        self._budget -= 1
        fingerprint = self._rules.fingerprint(state, self._seat)
        if fingerprint in self._met:
            return False
        self._met.add(fingerprint)
        return True


def plans_for(game: ModuleType, state: State, seat: int, budget: int) -> list[Plan[State]]:
    """Return plans for the turn of a seat that is asked, at least one; `budget` actions are tried.

    `game` is a module that knows the game; `ballcourt.bots.planner.bot` says what it has.
    """
    search: type[TurnSearch[State]] = getattr(game, "Search", TurnSearch)
    turn = search(seat, game, game.appraiser(state, seat), budget=budget)
    before = state.clone()
    turn.prepare(before)
    return turn.plans(before)


def best_of(plans: Iterable[Plan[StateT]]) -> Plan[StateT]:
    """Return the plan of the highest worth, the first of equals."""
    return max(plans, key=lambda plan: plan.worth)
