"""How much processor time and memory reading an input may take."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

MOST_S: Final = 2.0
"""Seconds of processor time."""
MOST_BYTES: Final = 256 << 20
"""More memory than before."""


class TooMuch(BaseException):
    """An input took too much processor time; no code that catches errors may catch this one."""


@contextmanager
def within_limits(usual_s: float = 0.0) -> Iterator[None]:
    """Raise TooMuch in a block that takes more than MOST_S, and MemoryError where it asks for more than MOST_BYTES.

    What it takes for a good input, `usual_s`, does not count.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGPROF, _too_much)
    resource.setrlimit(resource.RLIMIT_DATA, (_data() + MOST_BYTES, hard))
    signal.setitimer(signal.ITIMER_PROF, MOST_S + usual_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        signal.signal(signal.SIGPROF, before)


def _too_much(number: int, frame: FrameType | None) -> None:
    raise TooMuch(f"more than {MOST_S} seconds of processor time")


def _data() -> int:
    """Return the bytes of private memory that this process may write to, used or not."""
    return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
