"""The ids of bots and ladders in addresses: hashes, since names may contain anything."""

from functools import lru_cache
from hashlib import sha256

from ballcourt.leaderboard.model.results import Entrant, Ladder


@lru_cache(maxsize=8192)
def bot_id(entrant: Entrant) -> str:
    """Return the id of a bot version."""
    return _hash(entrant.name, entrant.version, entrant.content_hash)


def ladder_id(ladder: Ladder) -> str:
    """Return the id of a ladder."""
    options = (word for option in ladder.options for word in option)
    return _hash(ladder.game, ladder.rules_version, str(ladder.seats), *options)


def _hash(*words: str) -> str:
    return sha256("\0".join(words).encode(errors="surrogatepass")).hexdigest()[:16]
