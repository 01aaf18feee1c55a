"""Looks one action ahead like greedy, with values that it has learned from playing against itself.

`training.py` learns them; `<game>.json` holds the result, and the module of the game says what the values are made of.
"""

import json
from collections.abc import Mapping
from operator import mul
from pathlib import Path
from types import ModuleType

from ballcourt import CannotPlay, run
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.sdk.python.knowledge import knowledge, own_files
from ballcourt.simulate import State

__spec__ = __spec__ or own_files(__file__)


class Values:
    """Weighted sums of a game's features."""

    def __init__(self, game: ModuleType, weights: Mapping[str, float]) -> None:
        """Raises CannotPlay if the weights are not those of the game's features."""
        if set(weights) != set(game.NAMES):
            wrong = ", ".join(sorted(set(weights) ^ set(game.NAMES)))
            raise CannotPlay(f"the weights do not fit the features of {game.__name__}: {wrong}; train them again")
        self.is_follow_up = game.is_follow_up
        self.features = game.features
        self._weights = [weights[name] for name in game.NAMES]

    def value(self, state: State, seat: int) -> float:
        """Return the expected lead of a seat at the end of the match, in points."""
        return float(sum(map(mul, self._weights, self.features(state, seat))))


class LearnedBot(GreedyBot):
    def match_started(self) -> None:
        game = knowledge(__spec__.parent or "", self.match.game)
        self.game = Values(game, self.weights())

    def weights(self) -> Mapping[str, float]:
        """Load the weights that training has written, by the names of the features.

        Raises CannotPlay, which says how to make the file.
        """
        file = Path(__file__).with_name(f"{self.match.game}.json")
        if not file.exists():
            raise CannotPlay(f"there are no weights at {file}; run docs/examples/learn.py {file}")
        weights: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))["weights"]
        return weights


if __name__ == "__main__":
    run(LearnedBot)
