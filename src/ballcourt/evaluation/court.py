"""Plays blocks of candidates with workers that stay: those of this machine, or of a cluster.

In its first block a candidate has little time to start, as broken programs show that they are within a second. Time in
which it waits for a processor does not count: see `BotProcess.within`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.decisions import answered, termination
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Voided
from ballcourt.arena.workers.runner import BlockRunner
from ballcourt.evaluation.ledger import KeptBlock, packed
from ballcourt.evaluation.terms import Place, Terms, candidate_seats, is_candidate
from ballcourt.v1.record_pb2 import MatchRecord

Start = Callable[[], AbstractContextManager[BlockRunner]]
"""Starts what plays."""
LEARNT_FROM: Final = 4
"""Of this number of blocks the records are kept, the first ones."""


@dataclass(frozen=True, slots=True)
class Due:
    """A block that is to be played."""

    candidate: Bot
    place: Place
    is_first: bool = False
    """Whether the candidate has little time to start."""


class Court:
    """The workers, and the blocks that they are playing."""

    def __init__(self, terms: Terms, seed: int, start: Start, start_ms: int) -> None:
        """`start_ms` is how long a candidate may compute or sleep before its first Hello, in milliseconds."""
        self._terms = terms
        self._seed = seed
        self._start = start
        self._start_ms = min(start_ms, terms.clock.startup_ms)
        self._stack = ExitStack()
        self._runner: BlockRunner | None = None

    def open(self) -> BlockRunner:
        """Return what plays, which is started if it does not run yet."""
        if self._runner is None:
            self._runner = self._stack.enter_context(self._start())
        return self._runner

    def close(self) -> None:
        """End the workers and all bots."""
        self._runner = None
        self._stack.close()

    def play(self, dues: Iterator[Due]) -> Iterator[tuple[Due, KeptBlock]]:
        """Play blocks, and yield each when it is complete; no more are taken than can be played at once.

        Raises RunnerError for a match that the arena fails in at every attempt.
        """
        if (first := next(dues, None)) is None:
            return  # without a worker
        handed: dict[str, tuple[Due, int]] = {}
        found: dict[Due, dict[str, MatchRecord]] = {}

        def blocks() -> Iterator[Sequence[PlayableMatch]]:
            for due in chain((first,), dues):
                matches = self._matches(due)
                handed.update({match.key: (due, len(matches)) for match in matches})
                yield matches

        for event in self.open().run_blocks(blocks()):
            if isinstance(event, Voided):
                found.pop(handed[event.keys[0]][0], None)
            elif isinstance(event, MatchRecord):
                due, size = handed[event.key]
                block = found.setdefault(due, {})
                block[event.key] = event
                if len(block) == size:
                    yield due, self._kept(due.place, [block[key] for key in sorted(found.pop(due), key=_number)])

    def _matches(self, due: Due) -> list[PlayableMatch]:
        matches = self._terms.block(due.candidate, due.place, self._seed)
        if not due.is_first:
            return matches
        hasty = replace(self._terms.clock, startup_ms=self._start_ms)
        return [replace(match, spec=replace(match.spec, seat_clocks=_with_clock(match, hasty))) for match in matches]

    def _kept(self, place: Place, records: Sequence[MatchRecord]) -> KeptBlock:
        seats = [(record, seat) for record in records for seat in candidate_seats(record)]
        vacated = [(record, seat) for record, seat in seats if termination(record, seat) != "OK"]
        learnt = place.number < LEARNT_FROM
        return KeptBlock(
            share=self._terms.share(records),
            matches=len(records),
            played=len(seats),
            lost=len(vacated),
            mute=sum(not answered(record, seat) for record, seat in vacated),
            own_cpu_us=sum(record.cpu_us[seat] for record, seat in seats),
            cpu_us=sum(sum(record.cpu_us) for record in records),
            points=self._terms.points(records),
            records=packed(records) if learnt or vacated else b"",
        )


def _with_clock(match: PlayableMatch, clock: Clock) -> tuple[Clock, ...]:
    """Return the clocks of a match in which the candidate has this one."""
    spec = match.spec
    names = enumerate(entrant.bot.name for entrant in spec.entrants)
    return tuple(clock if is_candidate(name) else spec.clock_of(seat) for seat, name in names)


def _number(key: str) -> int:
    """Return the number of a match in its block."""
    return int(key.rpartition("-")[2])
