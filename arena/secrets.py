"""Secrets that people and programs carry: tokens, links and sessions. Only their hashes are kept.

A secret is 256 random bits, so one round of SHA-256 hides it as well as a password hash would hide a password.
"""

import secrets
from hashlib import sha256
from typing import Final

BYTES: Final = 32


def new_secret(prefix: str = "") -> tuple[str, str]:
    """Return a new secret of 256 bits, and its hash."""
    secret = prefix + secrets.token_urlsafe(BYTES)
    return secret, hash_of(secret)


def hash_of(secret: str) -> str:
    """Return the hash by which a secret is found. It needs no salt: 256 random bits cannot be guessed."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def new_id() -> str:
    """Return a new id of 64 random bits."""
    return secrets.token_hex(8)
