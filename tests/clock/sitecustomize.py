"""Makes every Python process measure time as on a machine that is quicker or slower than this one.

With this folder on PYTHONPATH and BALLCOURT_TEST_CLOCK=50, whatever is measured takes 50 times as long; with 0.02, a
fiftieth; with 0, no time at all. Timeouts keep their length: they wait for other processes, whose speed is the same.
"""

import os
import time

RATE = float(os.environ.get("BALLCOURT_TEST_CLOCK", "1"))

_perf_counter = time.perf_counter
_perf_counter_ns = time.perf_counter_ns


def perf_counter() -> float:
    """Return seconds, from a clock that runs at `RATE`."""
    return _perf_counter() * RATE


def perf_counter_ns() -> int:
    """Return nanoseconds, from a clock that runs at `RATE`."""
    return int(_perf_counter_ns() * RATE)


time.perf_counter = perf_counter
time.perf_counter_ns = perf_counter_ns
