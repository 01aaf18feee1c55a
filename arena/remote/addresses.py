"""Addresses that hosts listen on and bots connect to, written HOST:PORT."""

import socket
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final

from ballcourt.engine.core import WrongInput

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
PORT: Final = 7433
"""The default port of a host."""


class RemoteError(WrongInput):
    """An address, a certificate or a token file cannot be used; the sentence says what to give instead."""


def parse_address(named: str, address: str, *, insecure: bool) -> tuple[str, int]:
    """Split HOST:PORT; `named` is what error messages call it.

    Raises RemoteError for an invalid address, and for an `insecure` one of another machine.
    """
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 1 << 16):
        raise RemoteError(f"{named} is '{address}'; it must be HOST:PORT, such as localhost:{PORT} or [::]:{PORT}")
    host = host.strip("[]")
    if insecure and host not in LOOPBACK:
        raise RemoteError(f"--insecure is for this machine alone ({', '.join(LOOPBACK)}) and {named} names {host}")
    return host, int(port)


def prefix_of(address: str) -> str:
    """Return what limits count by: an IPv4 address, or the /64 network of an IPv6 address."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Network((parsed, 64), strict=False))


def address_of(listener: socket.socket) -> str:
    """Return the HOST:PORT that a socket listens on."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
