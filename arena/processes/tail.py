"""The end of what a process prints."""


class Tail:
    """The last bytes of an output, of which the newest can be asked for."""

    def __init__(self, most: int) -> None:
        """`most` is how many bytes are kept."""
        self._most = most
        self._kept = bytearray()
        self._unreported = 0  # how many bytes `news` has not returned yet; the last of them are kept

    def add(self, data: bytes) -> None:
        """Append what was read."""
        self._kept += data
        self._unreported += len(data)
        del self._kept[: -self._most]

    @property
    def text(self) -> str:
        """What is kept."""
        return self._kept.decode(errors="replace")

    def news(self) -> str:
        """Return what was added since the last call, at most the end of it."""
        new, self._unreported = self._kept[-self._unreported :] if self._unreported else b"", 0
        return new.decode(errors="replace")
