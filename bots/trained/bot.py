"""Searches as ismcts does, and values positions by a network that has learned from planner's matches.

`docs/examples/train.py` wrote the weights, `<game>-<seats>.npz`. At tables without weights the bot plays as ismcts.
"""

from pathlib import Path
from types import ModuleType
from typing import Final

from ballcourt import run
from ballcourt.bots.ismcts.bot import IsmctsBot
from ballcourt.bots.ismcts.domain import Domain
from ballcourt.bots.ismcts.turns import Turns
from ballcourt.bots.leads import worth_at_end
from ballcourt.bots.sdk.python.knowledge import files_of, knowledge, own_files
from ballcourt.simulate import State

__spec__ = __spec__ or own_files(__file__)

from .network import Network

AT_ONCE: Final = ("tzolkin",)
"""The games in which positions are valued as they are met.

In others the seats before the searching one play their turns first. That costs more and is stronger there: at two seats
of Maya it won 96 % of duels with planner, and not 57 %.
"""


class Valued(Turns):
    """Turns as planner plans them, and values of a network."""

    def __init__(self, game: ModuleType, network: Network, *, at_once: bool) -> None:
        super().__init__(game)
        self._network = network
        self.values_are_cheap = at_once

    def values(self, state: State, seat: int) -> list[float]:
        """Return what a position is worth to every seat; first the turns of the others are played, unless `at_once`."""
        return self.valued(state) if self.values_are_cheap else super().values(state, seat)

    def valued(self, state: State) -> list[float]:
        """Return what a position is worth to every seat, by the network, or as the match ended."""
        if state.pending_seats():
            return self._network.values(state)
        scores, returns = state.scores(), state.returns()
        return [worth_at_end(scores, returns, seat) for seat in range(state.seats)]


class TrainedBot(IsmctsBot):
    def domain(self) -> Domain:
        """Return what is known of the game. Raises CannotPlay for weights of other rules or vectors."""
        game, seats = self.match.game, self.match.seats
        file = Path(__file__).with_name(f"{game}-{seats}.npz")
        if not file.exists():
            return super().domain()
        network = Network.load(file, game, seats)
        return Valued(knowledge(files_of("planner"), game), network, at_once=game in AT_ONCE)


if __name__ == "__main__":
    run(TrainedBot)
