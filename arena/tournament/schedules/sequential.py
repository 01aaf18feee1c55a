"""A schedule that ends as soon as its results say enough."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from ballcourt.arena.tournament.schedules.placing import Placing
from ballcourt.arena.tournament.schedules.schedule import Block, PlayedBlock, Schedule

PART: Final = 20
"""A stage is 1/PART of what has been played, so that few blocks are superfluous and few workers wait."""


class Sequential(Schedule):
    """Another schedule, stage by stage until its results say enough. A stage is one or more whole rounds."""

    is_exact = False

    def __init__(
        self,
        schedule: Schedule,
        is_over: Callable[[Sequence[PlayedBlock]], bool],
        at_once: int = 1,
        most: int | None = None,
    ) -> None:
        """`is_over` says whether the results of blocks say enough. After `most` matches it ends in any case.

        A stage has at least `at_once` blocks: as many as can be played at the same time.
        """
        self._schedule = schedule
        self._is_over = is_over
        self._at_once = at_once
        self._most = most
        self._rest: Iterator[Block] = iter(())
        self._next = -1
        """The index of the first block in the rest."""
        self.blocks = schedule.blocks
        self.can_be_joined = schedule.can_be_joined
        self.round_size = schedule.round_size

    def matches_in(self, blocks: int) -> int:
        """Return what the other schedule says."""
        return self._schedule.matches_in(blocks)

    def placing(self, results: Sequence[PlayedBlock]) -> Placing | None:
        """Return what the other schedule says."""
        return self._schedule.placing(results)

    def stage(self, results: Sequence[PlayedBlock]) -> Iterable[Block]:
        """Return the next blocks; none when the results say enough."""
        if self._is_over(results):
            return ()
        if not self._schedule.is_fixed:
            return self._schedule.stage(results)
        played = len(results)
        limit = self.blocks if self._most is None else -(-self._most // self.matches_in(1))
        rounds = -(-(played + max(self._at_once, played // PART)) // self.round_size)
        return self._following(played, min(limit, rounds * self.round_size))

    def _following(self, played: int, end: int) -> list[Block]:
        """Return the blocks from `played` to before `end`.

        Go on where the last stage ended, since counting from the beginning is slow.
        """
        if played != self._next:
            self._rest = islice(self._schedule.stage(()), played, None)
        found = list(islice(self._rest, max(0, end - played)))
        self._next = played + len(found)
        return found
