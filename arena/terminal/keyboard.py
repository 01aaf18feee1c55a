"""What people type, without stopping the event loop.

A thread reads the file descriptor itself. The buffered `sys.stdin` would not do: a thread that waits in it at the end
of the process makes Python abort.
"""

import asyncio
import os
import threading


class Keyboard:
    """The lines that come from a file descriptor, a terminal or not."""

    def __init__(self, descriptor: int = 0) -> None:
        """Begin to read, in a running event loop."""
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    async def line(self) -> str | None:
        """Wait for a line and return it without its end; None once there are no more."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self) -> None:
        rest = b""
        while data := self._chunk():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._put(line.decode(errors="replace").strip())
        self._put(rest.decode(errors="replace").strip() or None)
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, 4096)
        except OSError:  # closed, or no longer ours
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
