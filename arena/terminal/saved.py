"""Saved matches: what was decided so far, and what the match was set up with.

The file is JSON. It holds the seed of the match, so anyone who reads it can find out what is hidden.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from google.protobuf.message import DecodeError

from ballcourt.arena.files import parse_json, read_regular, write_atomically
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import MOST_BYTES
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-saved-1"
SUFFIX: Final = ".saved"


class SavedError(WrongInput):
    """A saved match cannot be read or continued; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match was set up with: game, the words for the bots, options, and the tables clock and sandbox.

    `turn_s` is how many seconds a person has for a turn; None for no limit.
    """

    game: str
    bots: tuple[str, ...]
    options: dict[str, str]
    said: dict[str, Any]
    turn_s: int | None = None


def saved_path(folder: Path, key: str) -> Path:
    """Return where a match is kept until it is over."""
    return folder / (key + SUFFIX)


def write_saved(path: Path, setup: Setup, record: MatchRecord) -> None:
    """Write a match that is not over. Raises OSError."""
    document = {
        "format": FORMAT,
        "game": setup.game,
        "bots": list(setup.bots),
        "options": setup.options,
        "said": setup.said,
        "turn_s": setup.turn_s,
        "record": b64encode(record.SerializeToString()).decode(),
    }
    write_atomically(path, as_json(document).encode())


def read_saved(path: Path) -> tuple[Setup, MatchRecord]:
    """Read a match that is not over. Raises SavedError."""
    try:
        document = parse_json(read_regular(path, 2 * MOST_BYTES))
        if document["format"] != FORMAT:
            raise SavedError(f"{path} has the format '{document['format']}' and this version reads '{FORMAT}'")
        said, turn_s = document["said"], document.get("turn_s")
        setup = Setup(document["game"], (*document["bots"],), document["options"], said, turn_s)
        return setup, MatchRecord.FromString(b64decode(document["record"], validate=True))
    except OSError as error:
        raise SavedError(f"cannot read {path}: {error.strerror or error}") from error
    except SavedError:
        raise
    except (ValueError, TypeError, KeyError, DecodeError) as error:
        raise SavedError(
            f"{path} is not a saved match; `ballcourt play` with a human writes them ({SUFFIX})"
        ) from error
