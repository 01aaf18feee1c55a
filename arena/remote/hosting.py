"""What a worker that admits remote bots has from its host, and the journal that it writes."""

import json
import ssl
import sys
import time
from dataclasses import dataclass, field
from typing import TextIO

from ballcourt.arena.files import check_regular
from ballcourt.arena.remote.limits import HostLimits

Value = str | int | list[str]


@dataclass(frozen=True, kw_only=True)
class Hosting:
    """How remote bots are admitted."""

    listener: int
    """File descriptor of a listening TCP socket."""
    games: tuple[str, ...]
    """All are played by every bot."""
    bots: tuple[str, ...] | None
    """The names of the remote bots that play; None: every bot with a token."""
    tokens: str
    """Path of the file with the tokens."""
    versions: dict[str, str] = field(default_factory=dict)
    """The versions that bots must have, by name; a bot without one may have any."""
    certificate: str = ""
    """Path of the certificate chain, PEM; empty: no TLS."""
    key: str = ""
    start_at: str = ""
    """When play begins without bots that have not come, in RFC 3339; empty: when all have, or it has begun."""
    forfeits: bool = False
    """Whether a match begins without a bot that has been away for longer than `reconnect_ms`, which loses its seat."""
    reconnect_ms: int = 10_000
    """How long a bot may be disconnected in the middle of a match."""
    tables: int = 4
    """How many matches run at the same time."""
    reflection: bool = False
    """Whether the host offers gRPC reflection."""
    limits: HostLimits = field(default_factory=HostLimits)


def tls_context(certificate: str, key: str) -> ssl.SSLContext | None:
    """Load a certificate chain and its key; return None without a certificate. Raises OSError, also as SSLError."""
    if not certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    check_regular(certificate, key)
    context.load_cert_chain(certificate, key or None)
    context.set_alpn_protocols(["h2"])  # gRPC requires it
    return context


class Journal:
    """Writes events as they happen. Never give it a token."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Write to a stream, or to standard error."""
        self._stream = stream or sys.stderr

    def write(self, event: str, **details: Value) -> None:
        """Write one line. JSON quoting keeps names that strangers chose from forging other lines."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        print(json.dumps({"time": now, "event": event, **details}), file=self._stream, flush=True)
