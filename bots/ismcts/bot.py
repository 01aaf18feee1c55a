"""Searches from samples of what its seat cannot see: information-set Monte Carlo tree search.

In games that planner knows it searches whole turns, in others single actions. Where bots may ponder, it goes on
searching while others decide, and keeps the tree for its next decisions.
"""

from random import Random
from threading import Event, Thread
from time import monotonic

from ballcourt import Bot, Decision, Parameters, View, run
from ballcourt.bots.sdk.python.knowledge import UnknownToBot, knowledge, own_files
from ballcourt.simulate import sample
from ballcourt.v1.protocol_pb2 import MatchEnd

__spec__ = __spec__ or own_files(__file__)

from .budget import budget_for
from .domain import AnyGame, Domain, Move
from .search import TRUST, Search
from .turns import Turns


class IsmctsBot(Bot):
    work_limited = True
    """Its unit of work is one simulation."""
    observes = True
    parameters = Parameters(trust=TRUST)

    def match_started(self) -> None:
        self.search = Search(self.match.seat, self.domain(), self.random, self.parameters["trust"])
        self.pondering = Pondering(self.search, Random(self.random.getrandbits(64)))
        self.turn: Move = ()

    def domain(self) -> Domain:
        """Return what is known of the game."""
        try:
            return Turns(knowledge("ballcourt.bots.planner", self.match.game))
        except UnknownToBot:
            return AnyGame(self.random)

    def choose(self, decision: Decision) -> int:
        began = monotonic()
        self.pondering.stop()
        if not self.is_in_turn(decision):
            self.turn = self.best_move(decision, began)
        action, *rest = self.turn
        self.turn = tuple(rest)
        return action

    def is_in_turn(self, decision: Decision) -> bool:
        """Return whether the turn that was chosen can be continued: no other seat has decided since."""
        others = any(event.seat != self.match.seat for event in decision.events)
        return bool(self.turn) and self.turn[0] in decision.legal and not others

    def best_move(self, decision: Decision, began: float) -> Move:
        """Search for a move, for a decision that began then."""
        budget = budget_for(decision, sample(decision, self.random), self.random, began)
        choice = self.search.choose(lambda: sample(decision, self.random), decision.legal, budget)
        if choice.visits:
            decision.thoughts = f"{choice.visits} of {budget.done} simulations, mean value {choice.mean:.2f}"
        return choice.move

    def observed(self, view: View) -> None:
        self.turn = ()
        if self.match.clock.ponder and not self.match.clock.work:
            self.pondering.go_on(view)

    def match_ended(self, end: MatchEnd) -> None:
        self.pondering.stop()


class Pondering:
    """Simulations in a thread of their own, while the bot waits."""

    def __init__(self, search: Search, random: Random) -> None:
        self._search = search
        self._random = random
        self._stopped = Event()
        self._thread: Thread | None = None

    def go_on(self, view: View) -> None:
        """Search from what the seat sees now, until `stop` is called or the tree is full.

        Return at once: the bank may pay for this time.
        """
        self._view = view
        if not (self._thread and self._thread.is_alive()):
            self._stopped.clear()
            self._thread = Thread(target=self._ponder, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Wait for the end of the simulation that runs."""
        self._stopped.set()
        if self._thread:
            self._thread.join()
            self._thread = None

    def _ponder(self) -> None:
        while not self._stopped.is_set() and not self._search.is_full:
            self._search.simulate(sample(self._view, self._random))


if __name__ == "__main__":
    run(IsmctsBot)
