"""An attempt to sign in at an issuer. The browser keeps it in a cookie, and the server keeps nothing.

What the issuer gets of it (state, nonce and the challenge of PKCE) is derived from a secret that only this browser has,
from what the attempt is for, and from the issuer. So what an issuer sends back fits in the browser that asked, for what
was asked, from the issuer that was asked, and nowhere else.
"""

import base64
import hmac
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, Self

VALID_S: Final = 600
"""How long an attempt may take."""


class Aim(StrEnum):
    """What an attempt is for."""

    SIGN_IN = "in"
    SIGN_UP = "up"
    """To make an account; `about` is its handle."""
    TIE = "tie"
    """To tie the identity to an account; `about` is its id."""


@dataclass(frozen=True, slots=True)
class IssuerAttempt:
    """An attempt to sign in at an issuer."""

    aim: Aim
    begun: int
    """The Unix time in seconds."""
    secret: str
    about: str = ""

    @classmethod
    def begin(cls, aim: Aim, now: float, about: str = "") -> Self:
        """Begin an attempt."""
        return cls(aim, int(now), secrets.token_urlsafe(32), about)

    @classmethod
    def from_cookie(cls, cookie: str) -> Self | None:
        """Return the attempt in a cookie; None if there is none."""
        aim, _, rest = cookie.partition(".")
        begun, _, rest = rest.partition(".")
        secret, _, about = rest.partition(".")
        if aim not in [*Aim] or not (begun.isascii() and begun.isdecimal()) or len(begun) > 12 or len(secret) < 40:
            return None
        return cls(Aim(aim), int(begun), secret, about)

    def cookie(self) -> str:
        """Return what the browser keeps."""
        return f"{self.aim}.{self.begun}.{self.secret}.{self.about}"

    def is_over(self, now: float) -> bool:
        """Whether it has taken too long."""
        return not 0 <= now - self.begun <= VALID_S

    def state(self, issuer: str) -> str:
        """Return what ties an answer to this attempt at an issuer."""
        return self._derived("state", issuer)

    def nonce(self, issuer: str) -> str:
        """Return what ties a token to this attempt at an issuer."""
        return self._derived("nonce", issuer)

    def verifier(self, issuer: str) -> str:
        """Return the secret of PKCE (RFC 7636), which the issuer gets when the code is used."""
        return self._derived("verifier", issuer)

    def _derived(self, what: str, issuer: str) -> str:
        words = f"{what} {issuer} {self.aim} {self.begun} {self.about}"
        mac = hmac.digest(self.secret.encode(errors="replace"), words.encode(errors="replace"), sha256)
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")
