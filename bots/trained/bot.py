"""Searches as ismcts does, and values positions by a network that has learned from planner's matches.

`docs/examples/train.py` wrote the weights, `<game>-<seats>.npz`. At tables without weights the bot plays as ismcts.
"""

from pathlib import Path
from types import ModuleType

from ballcourt import run
from ballcourt.bots.ismcts.bot import IsmctsBot
from ballcourt.bots.ismcts.domain import Domain
from ballcourt.bots.ismcts.turns import Turns
from ballcourt.bots.leads import worth_at_end
from ballcourt.bots.sdk.python.knowledge import files_of, knowledge, own_files
from ballcourt.simulate import State

__spec__ = __spec__ or own_files(__file__)

from .network import Network


class Valued(Turns):
    """Turns as planner plans them, and values of a network for every position."""

    values_are_cheap = True

    def __init__(self, game: ModuleType, network: Network) -> None:
        super().__init__(game)
        self._network = network

    def values(self, state: State, seat: int) -> list[float]:
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
        return Valued(knowledge(files_of("planner"), game), Network.load(file, game, seats))


if __name__ == "__main__":
    run(TrainedBot)
