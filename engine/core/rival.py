"""A player that no bot plays: the automaton of a solo game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rival:
    """How a rival stands; `name` is what people call it, and the same from the first decision to the last."""

    name: str
    score: float
