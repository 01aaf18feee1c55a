"""What a host tells its worker about letting remote bots in."""

import json
import ssl
from dataclasses import asdict, dataclass, field
from typing import Self

from ballcourt.arena.remote.limits import Limits


@dataclass(frozen=True, slots=True)
class Hosting:
    """How remote bots are let in."""

    listener: int
    """File descriptor of a TCP socket that listens."""
    game: str
    bots: tuple[str, ...]
    """The names of the remote bots that play."""
    versions: dict[str, str]
    """Their versions, by name, as far as they are agreed upon."""
    tokens: str
    """Path of the file with the tokens."""
    certificate: str = ""
    """Path of the certificate chain, PEM; empty: no TLS."""
    key: str = ""
    reconnect_ms: int = 10_000
    """How long a bot may be gone in the middle of a match."""
    tables: int = 4
    """How many matches are played at the same time."""
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        values = json.loads(text)
        return cls(**values | {"bots": tuple(values["bots"]), "limits": Limits(**values["limits"])})

    def to_json(self) -> str:
        """Write it down for the command line of a worker."""
        return json.dumps(asdict(self))


def tls_context(certificate: str, key: str) -> ssl.SSLContext | None:
    """Load a certificate chain and its key; None when there is none. Raises OSError, which SSLError is."""
    if not certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key or None)
    context.set_alpn_protocols(["h2"])  # gRPC speaks to nobody who does not offer it
    return context
