"""What a runner and its workers say to each other."""

from dataclasses import dataclass

from arena.match import MatchSpec


@dataclass(frozen=True)
class Order:
    """A match to play, under a number of the runner's."""

    number: int
    spec: MatchSpec


@dataclass(frozen=True)
class Outcome:
    """A played match: the bytes of its record, or why the arena failed to play it."""

    number: int
    record: bytes
    failure: str = ""
    trace: str = ""
