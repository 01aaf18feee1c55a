"""Reference bots as policies of playouts: `playouts(positions, partial(Greedy, "maya"), lucks)`.

With the seed of a match as luck, they choose what the bots choose in that match. Before it decides, each seat draws
what it cannot see.
"""

from importlib import import_module
from random import Random
from typing import Any

from ballcourt.bots.sdk.python.knowledge import files_of, knowledge
from ballcourt.engine.core import State, Stream
from ballcourt.engine.core.chance import bot_seed
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game


class _Reference:
    """A player that sees what its seats may know."""

    bot: str
    module: str

    def __init__(self, game: str, luck: int) -> None:
        """Raises UnknownToBot if the bot does not know the game, UnknownGame if its rules are not installed."""
        package = files_of(self.bot)
        self._rules, self._game = find_game(game), knowledge(package, game)
        self._search: Any = import_module(f"{package}.{self.module}")
        self._luck = luck
        self._randoms: dict[int, Random] = {}

    def __call__(self, state: State, seat: int) -> int:
        """Return the action of a seat."""
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0]
        if seat not in self._randoms:
            self._randoms[seat] = Random(bot_seed(self._luck, seat))
        return self.chosen(state, seat, self._randoms[seat].getrandbits(64))

    def chosen(self, state: State, seat: int, key: int) -> int:
        """Choose among several actions; `key` is that of the stream from which the seat draws what it cannot see."""
        raise NotImplementedError

    def sampled(self, state: State, seat: int, key: int) -> State:
        return self._rules.sample(observe(state, seat), Stream(key))


class Greedy(_Reference):
    """Looks one action ahead as the bot greedy does."""

    bot, module = "greedy", "ahead"

    def chosen(self, state: State, seat: int, key: int) -> int:
        return int(self._search.best(self._game, self.sampled(state, seat, key), seat))


class Planner(_Reference):
    """Plans turns as the bot planner does, by `budget` tried actions."""

    bot, module = "planner", "search"

    def __init__(self, game: str, luck: int, budget: int = 0) -> None:
        super().__init__(game, luck)
        self._budget = budget or self._search.BUDGET
        self._plans: dict[int, tuple[Any, ...]] = {}

    def chosen(self, state: State, seat: int, key: int) -> int:
        plan = self._plans.get(seat)
        if not (plan and plan[0].action in state.legal_actions(seat) and self._is_as_planned(plan[0].state, state)):
            plans = self._search.plans_for(self._game, self.sampled(state, seat, key), seat, self._budget)
            plan = self._search.best_of(plans).steps
        self._plans[seat] = plan[1:]
        return int(plan[0].action)

    def _is_as_planned(self, planned: State, state: State) -> bool:
        return planned.public_rows() == state.public_rows()
