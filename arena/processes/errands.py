"""Questions about the processes of a bot, asked in a child process that can be killed if it takes too long.

What the kernel tells about a process, its memory or its environment, can be as dear to read as a bot likes: with many
maps, or by changing them all the time, for which the kernel makes readers wait. The launcher must not wait with them.
"""

import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NoReturn

from ballcourt.arena.processes.memory import proportional
from ballcourt.arena.processes.tree import end_with_parent, token_of

ERRAND_S = 2.0
"""How long an errand may take. It takes milliseconds if the bot does nothing against it."""
READ_BYTES = 1 << 16


class Errand:
    """Lines that a process makes which is forked from this one, which must have a single thread."""

    def __init__(self, lines: Callable[[], Iterable[str]]) -> None:
        """Begin to make these lines. Raises OSError if no process can be started."""
        self.is_over = False
        self._found = b""
        self._is_complete = False
        self.output, writer = os.pipe()
        """A file descriptor that can be read as soon as there are some lines, or no more will come."""
        try:
            self.pid = os.fork()
        except OSError:
            os.close(self.output)
            os.close(writer)
            raise
        if not self.pid:
            _write(writer, lines)
        os.close(writer)
        os.set_blocking(self.output, False)

    def read(self) -> bool:
        """Read what has come; return whether that was all."""
        with suppress(BlockingIOError):
            found = os.read(self.output, READ_BYTES)
            self._found += found
            self._is_complete = not found
        return self._is_complete

    def end(self) -> list[str]:
        """End the errand; return the lines that were made in time."""
        self.is_over = True
        if not self.read():
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.output)
        return self._found.decode().split("\n")[:-1]


def weight_of(pids: Sequence[int]) -> Iterable[str]:
    """Return the memory of processes together, in bytes, as the only line."""
    return (str(sum(map(proportional, pids))),)


def tokens_of(pids: Sequence[int]) -> Iterable[str]:
    """Yield the token of each process in its environment, empty if there is none."""
    return (token_of(pid).partition("\n")[0] for pid in pids)


def _write(output: int, lines: Callable[[], Iterable[str]]) -> NoReturn:
    """Make lines, write each as soon as it is made, and exit."""
    try:
        end_with_parent()
        for line in lines():
            os.write(output, line.encode() + b"\n")
    finally:
        os._exit(0)
