"""A match that is being played, for those who watch it: a file that grows while it is asked for.

To watch a match, a program touches its file `.asked` every few seconds. The worker that plays the match then writes
its `.jsonl`: the replay document of a spectator without steps, and a line for each step. Each line also has the
spectator's observation of the position, for those who judge it. So the file holds what everyone at the table sees: no
seed, no secrets, no thoughts and no times. An unwatched match costs one look into the folder per second. Those who
watch read the file at their own speed, so no match ever waits for them.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from ballcourt.arena.following import LineReader

BROADCASTS: Final = "live"
"""The folder of these files, in the output folder of a tournament."""
ASKED_S: Final = 10.0
"""How long a match is written down after a request, in seconds."""


def asked(folder: Path, key: str) -> Path:
    """Return the path that is touched to ask for a match."""
    return folder / f"{key}.asked"


def written(folder: Path, key: str) -> Path:
    """Return the path of what is written about a match."""
    return folder / f"{key}.jsonl"


class BroadcastReader(LineReader):
    """Asks for a match and reads what its worker writes.

    Entries are {"document"}, which begins from the start, {"step"}, and at last {"failed"} if the broadcast broke off.
    Those of positions have {"seen"} too, the message of an observation in base64.
    """

    def __init__(self, folder: Path, key: str) -> None:
        super().__init__(written(folder, key))
        self._asked = asked(folder, key)

    def ask(self) -> None:
        """Ask for the match for the next `ASKED_S` seconds. Raises OSError if nothing can be written there."""
        self._asked.parent.mkdir(exist_ok=True)
        self._asked.touch()

    def leave(self) -> None:
        """Stop reading, and ask no more."""
        self._close()
        with suppress(OSError):
            self._asked.unlink(missing_ok=True)
