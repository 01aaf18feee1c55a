"""A network that values positions, from what a seat sees and from planner's prices; and the file that holds it."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ballcourt import CannotPlay
from ballcourt.bots.sdk.python.knowledge import files_of, knowledge
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game
from ballcourt.env.single import encoder_of
from ballcourt.simulate import State

Floats = NDArray[np.float32]

FARTHEST = 4.0
"""How many deviations an input may be away from its mean; beyond, it counts as that."""


class Inputs:
    """What a network is told about the positions of a game, at a table of some seats."""

    def __init__(self, game: str, seats: int) -> None:
        self._planner = knowledge(files_of("planner"), game)
        self._encoder = encoder_of(find_game(game), seats, "uint8")
        self._seats = range(seats)
        self.vectors = self._encoder.fingerprint
        """What the elements mean: `FeatureEncoder.fingerprint`."""

    def of(self, state: State) -> Floats:
        """Return a row for each seat: the vector of what it sees, then planner's prices for all, its own first."""
        prices = [self._planner.appraiser(state, seat)(state) for seat in self._seats]
        seen = [self._encoder.encode(observe(state, seat)) for seat in self._seats]
        return np.hstack([np.array(seen), [prices[seat:] + prices[:seat] for seat in self._seats]], dtype=np.float32)


@dataclass(frozen=True)
class Weights:
    """Two hidden layers, and a direct way from the inputs to the value, which is in points.

    Of the inputs, those in `kept` count, less `mean` and divided by `deviation`.
    """

    kept: NDArray[np.int64]
    mean: Floats
    deviation: Floats
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats
    direct: Floats

    def scaled(self, inputs: Floats) -> Floats:
        """Scale inputs, of shape (..., all inputs)."""
        away: Floats = (inputs[..., self.kept] - self.mean) / self.deviation
        return away.clip(-FARTHEST, FARTHEST)

    def values(self, scaled: Floats) -> Floats:
        """Return the values for scaled inputs, of shape (..., kept inputs)."""
        hidden = np.maximum(scaled @ self.first + self.first_bias, 0)
        hidden = np.maximum(hidden @ self.second + self.second_bias, 0)
        values: Floats = hidden @ self.last + scaled @ self.direct + self.last_bias
        return values

    def save(self, file: Path, about: dict[str, Any]) -> None:
        """Write the weights, as half precision, and what they are of."""
        arrays = {each.name: getattr(self, each.name) for each in fields(self)}
        halves = {name: array if name == "kept" else array.astype(np.float16) for name, array in arrays.items()}
        with file.open("wb") as opened:
            np.savez_compressed(opened, about=np.array(json.dumps(about)), **halves)


class Network:
    """Values positions for every seat of a table."""

    def __init__(self, inputs: Inputs, weights: Weights) -> None:
        self._inputs, self._weights = inputs, weights

    @classmethod
    def load(cls, file: Path, game: str, seats: int) -> Self:
        """Read a network. Raises CannotPlay for one of another game, table, rules version or layout of vectors."""
        inputs = Inputs(game, seats)
        needed = facts(game, seats, inputs)
        try:
            with np.load(file) as read:
                about = json.loads(str(read["about"]))
                arrays = {each.name: read[each.name] for each in fields(Weights)}
        except (EOFError, OSError, ValueError, KeyError, BadZipFile) as error:
            raise CannotPlay(f"{file} holds no weights ({error}); train them with docs/examples/train.py") from error
        if wrong := [name for name, fact in needed.items() if about.get(name) != fact]:
            found = ", ".join(f"{name} {about.get(name)}, and not {needed[name]}" for name in wrong)
            raise CannotPlay(f"the weights in {file} are for {found}; train others with docs/examples/train.py")
        kept = arrays.pop("kept")
        parts: dict[str, Floats] = {name: part.astype(np.float32) for name, part in arrays.items()}
        return cls(inputs, Weights(kept=kept, **parts))

    def values(self, state: State) -> list[float]:
        """Return what a position is worth to each seat, in points (`worth_at_end`)."""
        values: list[float] = self._weights.values(self._weights.scaled(self._inputs.of(state))).tolist()
        return values


def facts(game: str, seats: int, inputs: Inputs) -> dict[str, Any]:
    """Return what weights must be for."""
    return {"game": game, "rules": find_game(game).rules_version, "seats": seats, "vectors": inputs.vectors}
