"""Leases on what the cache holds of a bot."""

from typing import IO


class Lease:
    """Keeps the build and the image of a bot in the cache until it is garbage, or its process ends.

    It holds a lock by an open file. A copy that is sent to another process holds none: the process that sent it does.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._file = file

    def __reduce__(self) -> tuple[type["Lease"], tuple[()]]:
        return Lease, ()
