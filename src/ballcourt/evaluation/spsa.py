"""Simultaneous perturbation stochastic approximation: parameters are improved by matches between two variants of a bot.

A step moves all parameters a little at once, each up or down at random. The bot with the one change plays the bot with
the opposite change, and the parameters follow the winner. However many parameters there are, a step costs the same. The
method and its gains are those of Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization" (1998). The search is a pure function of its seed and the results so far.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from ballcourt.arena.bots.parameters import Parameter

ALPHA: Final = 0.602
GAMMA: Final = 0.101
"""How fast the moves and the changes shrink."""
CHANGE: Final = 0.15
"""The change of the first step, as a part of a parameter's range."""
MOVE: Final = 0.15
"""How far the first step moves a parameter if the one variant wins everything, as a part of its range."""
STABLE: Final = 0.1
"""The part of all steps in which the moves hardly shrink."""

Values = Mapping[str, float]


class Spsa:
    """A search of a number of steps. Places are parts of the parameters' ranges, from 0 to 1."""

    def __init__(self, parameters: Sequence[Parameter], seed: int, steps: int) -> None:
        self._parameters = parameters
        self._random = Random(seed)
        self._stable = STABLE * steps
        self._places = [parameter.place_of(parameter.default) for parameter in parameters]
        self.step = 0
        self._signs = self._draw()

    @property
    def values(self) -> Values:
        """The values so far."""
        return self._at(self._places)

    def variants(self) -> tuple[Values, Values]:
        """Return the values of the two bots that are to play each other now."""
        return self._at(self._changed(1)), self._at(self._changed(-1))

    def learn(self, share: float) -> None:
        """Follow the first variant, which won this share of the duels, and go on to the next step."""
        move = MOVE * ((1 + self._stable) / (1 + self._stable + self.step)) ** ALPHA * (2 * share - 1)
        both = zip(self._places, self._signs, strict=True)
        self._places = [_inside(place + sign * move) for place, sign in both]
        self.step += 1
        self._signs = self._draw()

    def _draw(self) -> list[int]:
        return [self._random.choice((-1, 1)) for _ in self._parameters]

    def _changed(self, direction: int) -> list[float]:
        """Return the places after the change of this step; a whole number changes by at least one half."""
        size = CHANGE / (1 + self.step) ** GAMMA
        changed = []
        for parameter, place, sign in zip(self._parameters, self._places, self._signs, strict=True):
            least = 0.5 / (parameter.most - parameter.least) if parameter.is_int else 0.0
            changed.append(_inside(place + direction * sign * max(size, least)))
        return changed

    def _at(self, places: Sequence[float]) -> Values:
        both = zip(self._parameters, places, strict=True)
        return {parameter.name: parameter.at(place) for parameter, place in both}


def _inside(place: float) -> float:
    return min(1.0, max(0.0, place))
