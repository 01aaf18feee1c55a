"""Saved matches: what was decided so far, and what the match was set up with.

The file is JSON. It holds the seed of the match, so anyone who reads it can find out what is hidden; only
its owner may.
"""

from base64 import b64encode
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, Final, Literal

from google.protobuf.message import DecodeError
from pydantic import Base64Bytes, Field

from ballcourt.arena.files import read_regular, write_atomically
from ballcourt.arena.models import Model
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import MOST_BYTES, read_message
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.reading import parse_event
from ballcourt.engine.core import WrongInput
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-saved-1"
SUFFIX: Final = ".saved"


class SavedError(WrongInput):
    """A saved match cannot be read or continued; the sentence says why."""


class Setup(Model):
    """What a match was set up with: game, the words for the bots, options, and the tables clock and sandbox.

    `turn_s` is how many seconds a person has for a turn; None for no limit. `token` lets into the page of the match in
    a browser, so that an open page goes on when the match is continued.
    """

    game: str
    bots: tuple[str, ...]
    options: dict[str, str]
    said: dict[str, Any]
    turn_s: int | None = None
    token: str = Field(default_factory=token_urlsafe)

    @cached_property
    def conditions(self) -> Event:
        """Clock, sandbox, seed and logs. Raises SettingsError."""
        return parse_event(self.said, "the command line", Path())


class _Saved(Setup):
    """The file."""

    format: Literal["ballcourt-saved-1"] = FORMAT
    record: Base64Bytes


def saved_path(folder: Path, key: str) -> Path:
    """Return where a match is kept until it is over."""
    return folder / (key + SUFFIX)


def write_saved(path: Path, setup: Setup, record: MatchRecord) -> None:
    """Write a match that is not over. Raises OSError."""
    saved = _Saved(**setup.model_dump(), record=b64encode(record.SerializeToString()))
    write_atomically(path, as_json(saved).encode(), mode=0o600)


def read_saved(path: Path) -> tuple[Setup, MatchRecord]:
    """Read a match that is not over. Raises SavedError."""
    try:
        saved = _Saved.read_json(read_regular(path, 2 * MOST_BYTES))
        return Setup(**saved.model_dump(exclude={"format", "record"})), read_message(MatchRecord, saved.record)
    except OSError as error:
        raise SavedError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, DecodeError) as error:
        raise SavedError(
            f"{path} is not a saved match of the format '{FORMAT}'; `ballcourt play` with a human writes them "
            f"({SUFFIX})"
        ) from error
