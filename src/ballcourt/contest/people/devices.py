"""Signing the command line in by a browser (after RFC 8628): it shows a code, which a person who is signed in allows.

The command line keeps a secret. Secret and code are made with a key of the contest, so the server knows its own without
keeping them: visitors without an account make it keep nothing, however many sign-ins they begin. Only a code that
was allowed is kept, as a link with the account. The secret says when it was made, and ends after ten minutes.
"""

import base64
import hmac
import secrets
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from ballcourt.arena.secrets import hash_of
from ballcourt.contest.people.accounts import person_of
from ballcourt.contest.people.tokens import Purpose, link_of, new_token
from ballcourt.contest.refusals import NotThereError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import LINKS

VALID_S: Final = 600
"""How long a sign-in takes at most, and how long what was allowed is kept for the command line."""
OF_ACCOUNT: Final = 8
"""How many allowed codes are kept for an account; one more replaces the oldest."""
KEY = "device-key"
LETTERS: Final = 10
FOR_EVER_S: Final = 1e9
ENDED: Final = "this sign-in has ended; begin again"


def begin_device(contest: Contest) -> tuple[str, str]:
    """Begin to sign a device in; return its secret and the code that it shows."""
    key = _key(contest)
    words = f"{secrets.token_urlsafe(16)}.{int(contest.now())}"
    secret = f"{words}.{_mac(key, f'secret {words}').hex()}"
    return secret, _code(key, secret)


def allow_device(connection: Connection, code: str, account: str, now: float) -> None:
    """Allow the device that shows a code a token of an account. Raises NotThereError for an unknown code."""
    plain = code.strip().upper().replace("-", "").replace(" ", "")
    if len(plain) != LETTERS or not plain.isascii() or not plain.isalnum():
        raise NotThereError(f"a code has {LETTERS} letters and digits; look at the command line again")
    own = (LINKS.c.purpose == Purpose.DEVICE) & (LINKS.c.account == account)
    kept = connection.execute(select(LINKS.c.hash).where(own).order_by(LINKS.c.created.desc())).scalars().all()
    gone = (LINKS.c.purpose == Purpose.DEVICE) & (LINKS.c.until <= now)
    connection.execute(delete(LINKS).where(gone | LINKS.c.hash.in_([*kept[OF_ACCOUNT - 1 :], hash_of(plain)])))
    values = {"hash": hash_of(plain), "purpose": Purpose.DEVICE, "account": account, "uses": 1, "created": now}
    connection.execute(insert(LINKS).values(**values, until=now + VALID_S))


def token_of_device(contest: Contest, secret: str) -> str | None:
    """Return a new token for a device that was allowed, once; None while it waits. Raises NotThereError."""
    key, now = _key(contest), contest.now()
    if not _is_ours(key, secret, now):
        raise NotThereError(ENDED)
    code = _code(key, secret)
    with contest.store.reading() as connection:
        if link_of(connection, Purpose.DEVICE, code, now) is None:
            return None
    with contest.store.writing() as connection:
        allowed = link_of(connection, Purpose.DEVICE, code, now)
        if allowed is None or not allowed.uses:
            raise NotThereError(ENDED)
        if person_of(connection, allowed.account) is None:
            return None
        connection.execute(update(LINKS).where(LINKS.c.hash == allowed.hash).values(uses=0))
        return new_token(connection, allowed.account, now, "command line")[1]


def _key(contest: Contest) -> bytes:
    """Return the key with which secrets and codes are made; the first time, draw it."""
    found = select(LINKS.c.hash).where(LINKS.c.purpose == KEY).order_by(LINKS.c.created, LINKS.c.hash)
    with contest.store.reading() as connection:
        if kept := connection.execute(found).scalars().first():
            return bytes.fromhex(kept)
    with contest.store.writing() as connection:
        if connection.execute(found).scalars().first() is None:
            now = contest.now()
            values = {"hash": secrets.token_hex(32), "purpose": KEY, "uses": 0, "created": now}
            connection.execute(insert(LINKS).values(**values, until=now + FOR_EVER_S))
        return bytes.fromhex(connection.execute(found).scalars().first() or "")


def _is_ours(key: bytes, secret: str, now: float) -> bool:
    """Return whether this server made a secret, in the last ten minutes."""
    words, _, mac = secret.rpartition(".")
    made_s = words.rpartition(".")[2]
    is_ours = hmac.compare_digest(_mac(key, f"secret {words}").hex().encode(), mac.encode(errors="replace"))
    return is_ours and now - int(made_s) <= VALID_S


def _code(key: bytes, secret: str) -> str:
    """Return the code of a device, in letters and digits that cannot be mistaken for each other."""
    return base64.b32encode(_mac(key, f"code {secret}")).decode()[:LETTERS]


def _mac(key: bytes, words: str) -> bytes:
    return hmac.digest(key, words.encode(errors="surrogatepass"), sha256)
