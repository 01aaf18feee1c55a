"""Secrets that people carry: tokens, links and sessions. The database keeps only their hashes."""

import secrets
from hashlib import sha256
from typing import Final

TOKEN: Final = "bct_"
"""How a token begins, so that programs that look for secrets in public files find it."""
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
