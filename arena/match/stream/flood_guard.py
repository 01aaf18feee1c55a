"""The flood guard: shuts the socket of a local bot for a while if it connects without end.

gRPC's thread accepts connections as long as any is waiting, and reads no messages of other bots meanwhile. It offers no
limit on that. A socket that is moved away takes no more connections; those that it has live on.
"""

import asyncio
import os
import select
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

OPEN_FILES: Final = Path("/proc/self/fd")
LOOK_S: Final = 0.02
"""How often the sockets are looked at."""
LOOKS: Final = 3
"""A socket is shut if connections wait there at this many looks in a row."""
SHUT_S: Final = 2.0
WAITING: Final = 64
"""How many connections may wait at a socket; gRPC accepts them even after it is shut."""


class FloodGuard:
    """Sockets on which this process listens. An async context manager, to be entered after the server was started."""

    def __init__(self, sockets: Sequence[Path], aside: Path) -> None:
        """Make the folder `aside`, for the sockets that are shut; bots must not reach it."""
        aside.mkdir(mode=0o700)
        self._aside = {path: aside / str(number) for number, path in enumerate(sockets)}
        self._shut: dict[Path, asyncio.TimerHandle] = {}
        self._listening: dict[int, Path] = {}  # by file descriptor
        self._poll = select.poll()
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        for descriptor, listener in _listeners():
            path = Path(listener.getsockname())
            if path in self._aside:
                listener.listen(WAITING)
                self._listening[descriptor] = path
                self._poll.register(descriptor, select.POLLIN)
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watching:
            self._watching.cancel()
        for timer in self._shut.values():
            timer.cancel()

    def open(self, path: Path) -> None:
        """Open a socket again, if it is shut."""
        if timer := self._shut.pop(path, None):
            timer.cancel()
            with suppress(OSError):  # the folder is being removed
                self._aside[path].rename(path)

    async def _watch(self) -> None:
        clock = asyncio.get_running_loop().time
        looks: dict[int, int] = {}  # by file descriptor: at how many in a row connections have waited
        while True:
            due = clock() + LOOK_S
            await asyncio.sleep(LOOK_S)
            waiting = [descriptor for descriptor, _ in self._poll.poll(0)]
            is_late = clock() - due > LOOK_S  # gRPC is then too, whether bots connect often or not
            looks = {} if is_late else {descriptor: looks.get(descriptor, 0) + 1 for descriptor in waiting}
            for descriptor, times in looks.items():
                if times >= LOOKS:
                    self._close(self._listening[descriptor])

    def _close(self, path: Path) -> None:
        if path in self._shut:
            return
        with suppress(OSError):
            path.rename(self._aside[path])
            self._shut[path] = asyncio.get_running_loop().call_later(SHUT_S, self.open, path)


def _listeners() -> Iterator[tuple[int, socket.socket]]:
    """Yield each descriptor of a Unix socket on which this process listens, and the socket itself for the moment."""
    for descriptor in [int(file.name) for file in OPEN_FILES.iterdir()]:
        with suppress(OSError):  # the descriptor of the listing itself
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as found:
                    if found.family == socket.AF_UNIX and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                        yield descriptor, found
