"""The tokens of an author's machine: one for each contest, in a file that only its user may read."""

import json
import os
from pathlib import Path
from typing import Final

from ballcourt.arena.files import parse_json, read_regular, write_atomically
from ballcourt.contest.refusals import ContestError

VARIABLE: Final = "BALLCOURT_CONTEST_TOKEN"
"""The environment variable that has the token, for CI."""
MOST: Final = 1 << 20


def keyring_file() -> Path:
    """Return where the tokens are kept."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "ballcourt" / "contests.json"


def keep_token(url: str, token: str) -> Path:
    """Keep the token for a contest; return the file it is in. Raises OSError."""
    file = keyring_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = _kept()
    kept.pop(url, None)  # the newest is the last
    write_atomically(file, json.dumps({**kept, url: token}, indent=2).encode() + b"\n", 0o600)
    return file


def token_for(url: str | None) -> tuple[str, str]:
    """Return the address of a contest, by default that of the last `ballcourt login`, and its token.

    Raises ContestError.
    """
    kept = _kept()
    place = url.rstrip("/") if url else next(reversed(kept), "")
    if not place:
        raise ContestError("no contest is known; run ballcourt login URL first, or name one with --to")
    token = os.environ.get(VARIABLE) or kept.get(place, "")
    if not token:
        raise ContestError(f"there is no token for {place}; run ballcourt login {place} first, or set {VARIABLE}")
    return place, token


def _kept() -> dict[str, str]:
    file = keyring_file()
    try:
        found = parse_json(read_regular(file, MOST))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ContestError(f"{file} is damaged: {error}; remove it, and run ballcourt login again") from error
    if not isinstance(found, dict) or not all(isinstance(word, str) for pair in found.items() for word in pair):
        raise ContestError(f"{file} is damaged; remove it, and run ballcourt login again")
    return found
