"""Single keys from a terminal, on Linux, macOS and Windows; characters from a file or pipe."""

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

try:
    import termios
    import tty

    HAS_TERMIOS = True
except ModuleNotFoundError:  # on Windows, where keys come from the console
    import msvcrt

    HAS_TERMIOS = False

ARROWS: Final = {b"\x1b[C": "n", b"\x1b[D": "p", b"\x1b[B": "N", b"\x1b[A": "P", b"\x1b[H": "g", b"\x1b[F": "G"}
CONSOLE_ARROWS: Final = {"M": "n", "K": "p", "P": "N", "H": "P", "G": "g", "O": "G"}
"""What follows one of `CONSOLE_LEADS` on Windows."""
CONSOLE_LEADS: Final = ("\x00", "\xe0")
LOOK_S: Final = 0.02
TICK: Final = ""
"""Comes instead of a key when a timeout has passed."""


def next_key(descriptor: int, timeout_s: float | None) -> str:
    """Wait for a key, arrows by the letter that does the same; return `TICK` after the timeout.

    Return "q" at the end of the input.
    """
    if not HAS_TERMIOS:
        return _console_key(timeout_s) if os.isatty(descriptor) else os.read(descriptor, 1).decode("latin-1") or "q"
    if not select.select([descriptor], [], [], timeout_s)[0]:
        return TICK
    data = os.read(descriptor, 1)
    if data == b"\x1b" and select.select([descriptor], [], [], 0.05)[0]:
        data += os.read(descriptor, 2)
    return ARROWS.get(data, data.decode(errors="replace")) if data else "q"


def _console_key(timeout_s: float | None) -> str:
    """Wait for a key of Windows' console."""
    began = monotonic()
    while not msvcrt.kbhit():  # type: ignore[attr-defined]  # mypy takes this for Linux
        if timeout_s is not None and monotonic() - began >= timeout_s:
            return TICK
        sleep(LOOK_S)
    key: str = msvcrt.getwch()  # type: ignore[attr-defined]
    return CONSOLE_ARROWS.get(msvcrt.getwch(), "?") if key in CONSOLE_LEADS else key  # type: ignore[attr-defined]


@contextmanager
def single_keys(descriptor: int) -> Iterator[None]:
    """Make a terminal hand over keys as they are pressed; a file or pipe, and Windows' console, do so anyway."""
    if not HAS_TERMIOS or not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)  # keep the keys that were pressed before
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
