"""Who takes the other seats of an environment."""

from random import Random
from typing import Protocol

from ballcourt.engine.core import Action
from ballcourt.env.single import Env


class Opponent(Protocol):
    """Plays a seat of an environment. It is trusted: nothing keeps it from looking at `env.state`."""

    def match_started(self, env: Env) -> None:
        """Prepare for the match that has just begun."""

    def choose(self, env: Env) -> Action:
        """Return one of `env.legal`, for the seat `env.seat`."""


class RandomOpponent:
    """Chooses a legal action at random; the same matches for the same seed of the match."""

    def match_started(self, env: Env) -> None:
        """Forget the random numbers of the match before."""
        self._random: Random | None = None

    def choose(self, env: Env) -> Action:
        """Return a random legal action; the numbers belong to the match and the seat."""
        if self._random is None:
            self._random = Random(f"{env.seed} {env.seat}")
        return self._random.choice(env.legal)


class FirstOpponent:
    """Chooses the lowest legal action."""

    def match_started(self, env: Env) -> None:
        """Do nothing."""

    def choose(self, env: Env) -> Action:
        """Return the lowest legal action."""
        return env.legal[0]
