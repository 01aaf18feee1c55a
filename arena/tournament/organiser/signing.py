"""Ed25519 signatures, by which others can check who signed a file and that it was not changed since (RFC 8032)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ballcourt.arena.extras import needs
from ballcourt.arena.files import read_regular
from ballcourt.engine.core import WrongInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST_KEY: Final = 4096
"""The size of the largest file that is read as a key."""
PRIME: Final = (1 << 255) - 19
"""Coordinates of points of Curve25519 are numbers below it."""
EIGHTH: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y coordinate of a point of order 8."""
SMALL_ORDER: Final = frozenset((0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH))
"""The y coordinates of the points whose order divides 8. As public keys, they let signatures of any data be made up."""


class SigningError(WrongInput):
    """Something cannot be signed, or a signature cannot be checked; the sentence says why."""


def write_key(path: Path) -> str:
    """Draw a private key, write it to a new file that only its owner may read, and return its public key.

    Raises SigningError, also if the file exists: a key that is lost cannot be drawn again.
    """
    needs("sign")
    import os

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    data = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
    except FileExistsError as error:
        raise SigningError(f"{path} exists; name another file, or use the key in it") from error
    except OSError as error:
        raise SigningError(f"cannot write {path}: {error.strerror or error}") from error
    return _public(key)


def read_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key. Raises SigningError."""
    needs("sign")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(read_regular(path, MOST_KEY), password=None)
    except OSError as error:
        raise SigningError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, TypeError) as error:
        raise SigningError(f"{path} holds no private key; `ballcourt event key` makes one") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError(f"{path} holds no Ed25519 key; `ballcourt event key` makes one")
    return key


def sign(data: bytes, key: Ed25519PrivateKey) -> tuple[str, str]:
    """Return the public key and the signature of data, both hexadecimal."""
    return _public(key), key.sign(data).hex()


def is_signed(data: bytes, public: str, signature: str) -> bool:
    """Whether the signature of data is by the private key of this public key. Raises SigningError.

    A public key of small order has no owner. OpenSSL accepts it, and this function does not.
    """
    needs("sign")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = bytes.fromhex(public)
        Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return int.from_bytes(key, "little") % (1 << 255) % PRIME not in SMALL_ORDER


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()
