"""A player that no bot plays: the automaton of a solo game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rival:
    """The standing of a rival. Its `name` never changes during a match."""

    name: str
    score: float
