"""The aliases under which an anonymous board shows bots, made with a key that only the server has."""

import hmac
from pathlib import Path
from secrets import token_bytes
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import read_regular, write_atomically
from ballcourt.contest.settings import PhaseTable
from ballcourt.contest.store.contest import Contest

KEY: Final = "aliases.key"
"""The file of the key, in the folder of what a contest keeps."""
KEY_BYTES: Final = 32
LETTERS: Final = 12
"""How many hexadecimal digits an alias has: two of 10,000 versions share one once in 5 million contests."""


class Aliases:
    """The aliases of bots in a phase: one for each version, and other ones in each phase."""

    def __init__(self, contest: Contest, phase: PhaseTable) -> None:
        """Make the key of the contest if there is none. Raises OSError."""
        self._key = hmac.digest(_key(contest.files), phase.name.encode(), "sha256")
        self._residents = {*contest.ladder.residents}

    def of(self, bot: BotVersion) -> BotVersion:
        """Return a bot version under its alias; residents of the ladder keep their names."""
        if bot.name in self._residents:
            return bot
        words = "\0".join((bot.name, bot.version, bot.content_hash)).encode(errors="surrogatepass")
        return BotVersion(f"bot-{hmac.digest(self._key, words, 'sha256').hex()[:LETTERS]}", "", "")


def aliases_now(contest: Contest) -> Aliases | None:
    """Return the aliases under which bots are shown now; None if they have their names. Raises OSError."""
    phase = contest.hiding
    return Aliases(contest, phase) if phase and phase.board == "anonymous" else None


def _key(folder: Path) -> bytes:
    file = folder / KEY
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(file, token_bytes(KEY_BYTES), 0o600)
    return read_regular(file, KEY_BYTES)
