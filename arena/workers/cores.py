"""Which processors the bots of a worker run on, and which are left to the arena.

Bots inherit the processors of the launcher that starts them. At a table one bot thinks at a time, unless bots may
ponder, so processors belong to workers and not to bots: no other bots run where a bot is thinking.
"""

import os
from dataclasses import dataclass

from ballcourt.arena.match.policy import counted
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers.capacity import CapacityError


@dataclass(frozen=True)
class Cores:
    """The processors of a worker, by the numbers that the system gives them."""

    bots: tuple[int, ...]
    """Those of its bots, which bots of no other worker use."""
    arena: tuple[int, ...]
    """Those of the worker itself: all that no bots use, or any if bots use them all."""


def usable() -> list[int]:
    """List the processors that this process may use."""
    return sorted(os.sched_getaffinity(0))


def parse_processors(text: str) -> set[int]:
    """Read a list such as "0,1,4". Raises CapacityError if it names a processor that cannot be used."""
    there = usable()
    chosen = {int(word) if word.isascii() and word.isdecimal() else -1 for word in text.split(",")}
    if not chosen <= {*there}:
        raise CapacityError(f"the processors are '{text}'; they must be some of {','.join(map(str, there))}")
    return chosen


def workers_by_default(cpus: int) -> int:
    """Return the number of workers if none was chosen, with this number of processors for the bots of each.

    With 0 they share all processors, and there are as many workers. Otherwise one processor is left to the arena, if
    that leaves enough for one worker. Raises CapacityError.
    """
    if not cpus:
        return len(usable())
    share(1, cpus)
    return max(1, (len(usable()) - 1) // cpus)


def share(workers: int, cpus: int) -> list[Cores]:
    """Give the bots of each worker this number of processors. Raises CapacityError if there are not as many."""
    there = usable()
    if workers * cpus > len(there):
        fitting = len(there) // cpus
        advice = f"at most {counted(fitting, 'worker')}" if fitting else f"at most {counted(len(there), 'processor')}"
        raise CapacityError(
            f"{counted(workers, 'worker')} with {counted(cpus, 'processor')} for the bots of each do not fit into the "
            f"{counted(len(there), 'processor')} that can be used: give {advice}"
        )
    rest = tuple(there[workers * cpus :]) or tuple(there)
    own = (tuple(there[worker * cpus : (worker + 1) * cpus]) for worker in range(workers))
    return [Cores(bots=bots, arena=rest) for bots in own]


def crowding(workers: int, seats: int, cpus: int, clock: Clock) -> str:
    """Return why bots would wait for each other while their clocks run; an empty string if they need not."""
    thinking, there = workers * clock.thinkers(seats), workers * cpus or len(usable())
    if thinking <= there:
        return ""
    return (
        f"up to {thinking} bots think at the same time on {counted(there, 'processor')}, and their clocks run while "
        "they wait for each other: give fewer --workers, or more cpus"
    )
