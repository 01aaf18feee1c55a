"""Schedules whose blocks are all known in advance."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ballcourt.arena.tournament.schedules.schedule import Block, Length, PlayedBlock, Schedule


class FixedSchedule(Schedule):
    """Gives all blocks at once; ratings show who is better. A longer one begins like a shorter one."""

    is_fixed = True
    can_be_joined = True

    def __init__(self, length: Length, round_size: int, block_size: int) -> None:
        self.round_size = round_size
        self.block_size = block_size
        self.blocks = length.blocks(round_size, block_size)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return all blocks, or none once there are results."""
        return () if results else islice(self._endless(), self.blocks)

    @abstractmethod
    def _endless(self) -> Iterator[Block]:
        """Yield blocks without end."""
