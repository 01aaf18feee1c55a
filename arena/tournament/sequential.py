"""A schedule that ends as soon as its results say enough."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ballcourt.arena.tournament.schedule import Block, PlayedBlock, Schedule

PART: Final = 20
"""A stage is as long as this part of what has been played, so that few blocks are played in vain or waited for."""


@dataclass(frozen=True, slots=True)
class Stop:
    """When a sequential schedule ends."""

    at_once: int
    """The fewest blocks of a stage: as many as can be played at the same time."""
    matches: int | None
    """The end whatever the results say, rounded up to whole blocks; None: there is none."""
    is_over: Callable[[Sequence[PlayedBlock]], bool]
    """Whether these blocks say enough."""


class Sequential:
    """Another schedule, whose blocks are all known in advance, stage by stage until its results say enough."""

    is_exact = False
    can_be_extended = True

    def __init__(self, schedule: Schedule, stop: Stop) -> None:
        self._schedule = schedule
        self._stop = stop
        self.blocks = schedule.blocks
        self.round_size = schedule.round_size
        self.block_size = schedule.block_size

    def placing(self, results: Sequence[PlayedBlock]) -> Sequence[int]:
        """Return what the other schedule says."""
        return self._schedule.placing(results)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next blocks; none when the results say enough."""
        played = len(results)
        if self._stop.is_over(results):
            return ()
        limit = self.blocks if self._stop.matches is None else -(-self._stop.matches // self.block_size)
        end = min(limit, played + max(self._stop.at_once, played // PART))
        return islice(self._schedule.stage(()), played, max(played, end))
