"""Signing the command line in by a browser (after RFC 8628): it shows a code, which a person who is signed in allows.

The command line keeps a secret, of which the code is derived, so that the code alone is of no use to others. Both are
links that end after ten minutes; the one of the code gets the account of whoever allows it.
"""

import base64
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ballcourt.contest.people.accounts import person_of
from ballcourt.contest.people.secrets_kept import hash_of, new_secret
from ballcourt.contest.people.tokens_kept import new_token
from ballcourt.contest.refusals import LimitError, NotThereError
from ballcourt.contest.store.schema import LINKS

VALID_S: Final = 600.0
MOST: Final = 1000
"""How many devices may wait at once."""
DEVICE, CODE = "device", "device-code"
LETTERS: Final = 10


def begin_device(connection: Connection, now: float) -> tuple[str, str]:
    """Begin to sign a device in; return its secret and the code that it shows. Raises LimitError."""
    connection.execute(delete(LINKS).where(LINKS.c.until <= now))
    waiting = select(func.count()).select_from(LINKS).where(LINKS.c.purpose == DEVICE)
    if connection.execute(waiting).scalar_one() >= MOST:
        raise LimitError("too many devices are being signed in; try again in a minute", 60)
    secret, found = new_secret()
    for purpose, key in ((DEVICE, found), (CODE, hash_of(code_of(secret)))):
        values = {"hash": key, "purpose": purpose, "uses": 1, "created": now, "until": now + VALID_S}
        connection.execute(insert(LINKS).values(**values))
    return secret, code_of(secret)


def allow_device(connection: Connection, code: str, account: str, now: float) -> None:
    """Let the device that shows a code have a token of an account. Raises NotThereError."""
    is_it = (LINKS.c.hash == hash_of(_plain(code))) & (LINKS.c.purpose == CODE) & (LINKS.c.until > now)
    if not connection.execute(update(LINKS).where(is_it, LINKS.c.account.is_(None)).values(account=account)).rowcount:
        raise NotThereError("no device shows this code; it may have ended, as it works for ten minutes")


def token_of_device(connection: Connection, secret: str, now: float) -> str | None:
    """Return a new token for a device that was allowed, once; None while it waits. Raises NotThereError."""
    if _found(connection, DEVICE, hash_of(secret), now) is None:
        raise NotThereError("this sign-in has ended; begin again")
    allowed = _found(connection, CODE, hash_of(code_of(secret)), now)
    if allowed is None or allowed.account is None or person_of(connection, allowed.account) is None:
        return None
    connection.execute(delete(LINKS).where(LINKS.c.hash.in_([hash_of(secret), allowed.hash])))
    return new_token(connection, allowed.account, now, "command line")[1]


def code_of(secret: str) -> str:
    """Return the code of a device, in letters and digits that nobody mistakes for another."""
    return base64.b32encode(sha256(f"code {secret}".encode()).digest()).decode()[:LETTERS]


def _plain(code: str) -> str:
    return code.strip().upper().replace("-", "").replace(" ", "")


def _found(connection: Connection, purpose: str, key: str, now: float) -> Row[Any] | None:
    is_it = (LINKS.c.hash == key) & (LINKS.c.purpose == purpose) & (LINKS.c.until > now)
    return connection.execute(select(LINKS).where(is_it)).one_or_none()
