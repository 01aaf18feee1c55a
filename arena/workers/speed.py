"""How fast this machine is: a fixed workload, measured when a worker starts.

What a bot finds in its time depends on the machine. Records keep this number, so that matches of unlike machines can be
told apart, and clocks are scaled by it if a tournament asks for that.

The workload is C code of CPython that its versions hardly change: it raises a large integer to a power, which is
arithmetic, and sorts, which is comparisons and memory. It is measured in processor time, so that other programs disturb
it little, and the fastest of several rounds counts.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Final

REFERENCE_MS: Final = 8.0
"""How long the workload takes on the reference machine, whose speed is 1: a virtual server with an Intel Xeon."""
ROUNDS: Final = 7
NUMBERS: Final = 20_000
MODULUS: Final = (1 << 821) - 3


def speed(processors: Sequence[int] | None = None) -> float:
    """Measure how many times as fast as the reference machine this one is, to two digits after the point.

    `processors` are those to be measured; by default any that this thread may use. Takes about 50 ms.
    """
    with _running_on(processors) if processors else nullcontext():
        chance = random.Random(1)
        numbers = [chance.random() for _ in range(NUMBERS)]
        took_ms = min(_round_ms(numbers) for _ in range(ROUNDS))
    return max(0.01, round(REFERENCE_MS / took_ms, 2))


@contextmanager
def _running_on(processors: Sequence[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _round_ms(numbers: Sequence[float]) -> float:
    began = time.thread_time_ns()
    sorted(numbers)
    pow(3, MODULUS >> 1, MODULUS)
    return (time.thread_time_ns() - began) / 1e6
