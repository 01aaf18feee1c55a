"""Bots that flood the arena with what HTTP/2 allows: `python flooding.py WAY`.

They do so during their first decision, and then play on like the honest bot if they still can.
"""

import socket
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from multiprocessing import get_context

from hostile import RawLine, frame, play_raw  # type: ignore[import-not-found]
from misbehaving import SOCKET, hello  # type: ignore[import-not-found]

FLOOD_S = 3.0
BATCH = 500
"""How many frames are sent at a time."""
LARGEST_FRAME = 16_384
DIALLERS = 4


def flood(line: RawLine, frames: bytes) -> None:
    """Send whole frames for a while, as fast as the arena takes them, without reading what comes back."""
    end = time.monotonic() + FLOOD_S
    data = unsent = memoryview(frames * BATCH)
    while time.monotonic() < end:
        unsent = unsent[line.line.send(unsent) :] or data
    line.line.sendall(unsent)


def reset_streams() -> None:
    """Open streams and reset each at once."""
    end = time.monotonic() + FLOOD_S
    while time.monotonic() < end:
        with suppress(OSError):
            line = RawLine()
            line.line.settimeout(0.5)
            for stream in count(3, 2):
                if time.monotonic() > end:
                    return
                line.line.sendall(frame(1, 4, stream, RawLine.HEADERS) + frame(3, 0, stream, (8).to_bytes(4)))


def reconnect() -> None:
    end = time.monotonic() + FLOOD_S
    while time.monotonic() < end:
        with suppress(OSError):
            line = RawLine()
            line.say(hello("wrong"))
            line.line.close()


def dial() -> None:
    """Connect and leave without a word."""
    end = time.monotonic() + FLOOD_S
    while time.monotonic() < end:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.connect(SOCKET)


def dial_together() -> None:
    diallers = [get_context("fork").Process(target=dial) for _ in range(DIALLERS)]
    for dialler in diallers:
        dialler.start()
    for dialler in diallers:
        dialler.join()


def continuations() -> None:
    """Send a list of headers that does not end."""
    end = time.monotonic() + FLOOD_S
    while time.monotonic() < end:
        with suppress(OSError):
            line = RawLine()
            line.line.settimeout(0.5)
            line.line.sendall(frame(1, 0, 3, RawLine.HEADERS))
            while time.monotonic() < end:
                line.line.sendall(frame(9, 0, 3, b"\0\x03abc\x7f\x81\x7e" + b"x" * 253) * BATCH)


def half_close(line: RawLine) -> None:
    """Close the bot's side of the stream, as if it had nothing more to say."""
    line.line.sendall(frame(0, 1, 1, b""))
    time.sleep(FLOOD_S)


def gzip_bomb(line: RawLine) -> None:
    """Send a compressed answer of 200 KB that is a thousand times larger."""
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    data = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    message = b"\1" + len(data).to_bytes(4) + data  # the flag says that it is compressed
    for start in range(0, len(message), LARGEST_FRAME):
        line.line.sendall(frame(0, 0, 1, message[start : start + LARGEST_FRAME]))


def play(attack: Callable[[RawLine], None]) -> None:
    """Play honestly, but attack during the first decision."""
    attacks = iter([attack])
    play_raw(before=lambda line: next(attacks, lambda _: None)(line))


WAYS: dict[str, Callable[[RawLine], None]] = {
    "floods with pings": lambda line: flood(line, frame(6, 0, 0, bytes(8))),
    "floods with settings": lambda line: flood(line, frame(4, 0, 0, (4).to_bytes(2) + (65535).to_bytes(4))),
    "floods with empty frames": lambda line: flood(line, frame(0, 0, 1, b"")),
    "floods with window updates": lambda line: flood(line, frame(8, 0, 0, (1).to_bytes(4))),
    "floods with frames of no type": lambda line: flood(line, frame(200, 0, 0, bytes(64))),
    "resets streams in a loop": lambda _: reset_streams(),
    "reconnects in a loop": lambda _: reconnect(),
    "dials in a loop": lambda _: dial_together(),
    "sends headers without end": lambda _: continuations(),
    "half-closes its stream": half_close,
    "sends a gzip bomb": gzip_bomb,
}

if __name__ == "__main__":
    play(WAYS[sys.argv[1]])
