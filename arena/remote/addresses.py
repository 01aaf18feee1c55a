"""Where a host listens and bots dial: HOST:PORT, as people write it."""

import socket
from typing import Final

from ballcourt.engine.core import WrongInput

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
PORT: Final = 7433
"""Where a host listens unless it is told otherwise."""


class RemoteError(WrongInput):
    """An address, a certificate or a token file cannot be used; the sentence says what to give instead."""


def parse_address(named: str, address: str, *, insecure: bool) -> tuple[str, int]:
    """Take HOST:PORT apart; `named` is what the command line calls it.

    Raises RemoteError for what is no address, and for one of another machine that is to be `insecure`.
    """
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 1 << 16):
        raise RemoteError(f"{named} is '{address}'; it must be HOST:PORT, such as localhost:{PORT} or [::]:{PORT}")
    host = host.strip("[]")
    if insecure and host not in LOOPBACK:
        raise RemoteError(f"--insecure is for this machine alone ({', '.join(LOOPBACK)}) and {named} names {host}")
    return host, int(port)


def address_of(listener: socket.socket) -> str:
    """Where a socket listens, as HOST:PORT."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
