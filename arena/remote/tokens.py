"""The tokens of remote bots: a file with their owners and hashes, never the tokens themselves."""

import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from ballcourt.arena.files import MOST_JSON, read_regular, stamp_of, write_atomically
from ballcourt.arena.locks import lock
from ballcourt.arena.models import Model
from ballcourt.arena.naming import name_objection
from ballcourt.arena.printable import cut
from ballcourt.arena.secrets import hash_of, new_secret
from ballcourt.engine.core import WrongInput

PREFIX: Final = "ballcourt_"
"""The prefix of every token, so that scanners find one that leaks into a repository or a log."""
_DAY: Final = "%Y-%m-%d"


class TokenError(WrongInput):
    """A token cannot be made, found or revoked; the sentence says why."""


class BotToken(Model):
    """What is kept of a token: its id, its owner, its bot, and its SHA-256 in hexadecimal."""

    id: str
    owner: str
    bot: str
    hash: str
    created: str
    """The day it was made, as YYYY-MM-DD, in UTC."""
    revoked: str = ""
    """The day it was revoked; empty if it is valid."""


class _Tokens(Model):
    tokens: tuple[BotToken, ...]


class Tokens(Protocol):
    """Where the tokens are that a host lets in: a file, or what another program keeps."""

    def find(self, secret: str) -> BotToken | None:
        """Return a token, which may be revoked; None if it is unknown. Raises TokenError."""

    def owner_of(self, bot: str) -> str:
        """Return the owner of a bot. Raises TokenError if the bot has no valid token."""


class TokenFile:
    """The file with all tokens: those of `Tokens`. A running host reads it again for every bot that connects."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[tuple[int, ...], list[BotToken]] = ((), [])  # the state of the file, and what it held then

    def new(self, bot: str, owner: str) -> tuple[BotToken, str]:
        """Make a token for a bot of an owner; return its entry, and the token itself, which is not kept.

        Raises TokenError for an invalid name, and for a bot of another owner.
        """
        for what, name in (("bot", bot), ("owner", owner)):
            if objection := name_objection(name):
                raise TokenError(f"the {what} cannot be called '{cut(name)}'; {objection}")
        secret, hashed = new_secret(PREFIX)
        with self._changing() as tokens:
            owners = {token.owner for token in tokens if token.bot == bot and not token.revoked}
            if owners - {owner}:
                raise TokenError(f"bot '{bot}' belongs to {owners.pop()}; choose another name, or revoke those tokens")
            token = BotToken(id=_free_id(tokens), owner=owner, bot=bot, hash=hashed, created=_today())
            tokens.append(token)
        return token, secret

    def revoke(self, token_id: str) -> BotToken:
        """Revoke a token, effective from the next connection. Raises TokenError if there is none with this id."""
        known = [token.id for token in self.all()]
        if token_id not in known:
            raise TokenError(
                f"there is no token '{token_id}' in {self.path}; known tokens: {', '.join(known) or 'none'}"
            )
        with self._changing() as tokens:
            place = next(place for place, token in enumerate(tokens) if token.id == token_id)
            tokens[place] = tokens[place].model_copy(update={"revoked": tokens[place].revoked or _today()})
            return tokens[place]

    def keep(self, tokens: Sequence[BotToken]) -> None:
        """Replace the tokens in the file by these, which another program keeps. Raises TokenError."""
        with self._changing() as kept:
            kept[:] = tokens

    def all(self) -> list[BotToken]:
        """Return all tokens, oldest first; none if there is no file. Raises TokenError for a damaged file."""
        try:
            if (state := stamp_of(self.path)) != self._read[0]:
                read = _Tokens.read_json(read_regular(self.path, MOST_JSON))
                self._read = state, [*read.tokens]
            return [*self._read[1]]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise TokenError(f"cannot read {self.path}: {error.strerror or error}") from error
        except ValueError as error:
            raise TokenError(f"{self.path} is not a file of tokens; restore it, or name another") from error

    def find(self, secret: str) -> BotToken | None:
        """Return a token, which may be revoked; None if it is unknown."""
        wanted = hash_of(secret)  # comparing hashes needs no constant time: they reveal nothing about the token
        return next((token for token in self.all() if token.hash == wanted), None)

    def owner_of(self, bot: str) -> str:
        """Return the owner of a bot. Raises TokenError if the bot has no valid token."""
        owner = next((token.owner for token in self.all() if token.bot == bot and not token.revoked), "")
        if not owner:
            raise TokenError(
                f"no token in {self.path} lets the bot '{bot}' in; "
                f"make one: ballcourt admin token new {bot} --owner NAME"
            )
        return owner

    @contextmanager
    def _changing(self) -> Iterator[list[BotToken]]:
        """Yield all tokens for the caller to change, then write them, under a lock. Raises TokenError."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _alone_in(self.path.parent):
                tokens = self.all()
                yield tokens
                document = _Tokens(tokens=tuple(tokens)).model_dump_json(indent=1)
                write_atomically(self.path, f"{document}\n".encode(), mode=0o600)
        except OSError as error:
            raise TokenError(f"cannot write {self.path}: {error.strerror or error}") from error


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other command changes the tokens of this folder. Raises OSError if one does for too long."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        lock(handle)
        yield
    finally:
        os.close(handle)


def _free_id(tokens: list[BotToken]) -> str:
    taken = {token.id for token in tokens}
    return next(name for name in iter(lambda: secrets.token_hex(3), "") if name not in taken)


def _today() -> str:
    return time.strftime(_DAY, time.gmtime())
