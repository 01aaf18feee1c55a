"""Where a host listens: its address HOST:PORT, its TCP port, and the certificate shown there."""

import errno
import socket
import sys
from ipaddress import IPv4Address, IPv6Network, ip_address
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from ballcourt.arena.remote.hosting import tls_context
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
    if not (found := split_address(address)):
        raise RemoteError(f"{named} is '{address}'; it must be HOST:PORT, such as localhost:{PORT} or [::]:{PORT}")
    if insecure and found[0] not in LOOPBACK:
        raise RemoteError(f"--insecure is for this machine alone ({', '.join(LOOPBACK)}) and {named} names {found[0]}")
    return found


def split_address(address: str) -> tuple[str, int] | None:
    """Split HOST:PORT; None if an address is not that. The port may be 0."""
    host, _, port = address.rpartition(":")
    is_host = host and host.isprintable() and not set(" /@") & set(host)
    if is_host and port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) < 1 << 16:
        return host.strip("[]"), int(port)
    return None


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


BACKLOG: Final = 512
"""Connections that the kernel keeps until they are accepted: a class whose bots start together, and a flood."""
FREED_S: Final = 10.0
"""How long to wait for a port that is taken: a host that was killed leaves a worker, which needs 5 s to end."""
LOOK_S: Final = 0.1


def take_port(address: str | None, certificate: Path | None, key: Path | None, *, insecure: bool) -> socket.socket:
    """Listen on a TCP port, by default the usual one of all addresses, or of this machine alone when insecure.

    Raises RemoteError for an address, a certificate or a key that is invalid.
    """
    address = address or f"{'127.0.0.1' if insecure else '0.0.0.0'}:{PORT}"
    host, port = parse_address("--listen", address, insecure=insecure)
    _check_tls(certificate, key, insecure=insecure)
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(listener, where)
        listener.listen(BACKLOG)
    except OSError as error:
        raise RemoteError(f"cannot listen on {address}: {error.strerror or error}; give another --listen") from error
    return listener


def _bind(listener: socket.socket, where: Any) -> None:  # noqa: ANN401 - as getaddrinfo returns it
    """Bind a socket to an address, as soon as it is free. Raises OSError."""
    deadline = monotonic() + FREED_S
    is_reported = False
    while True:
        try:
            return listener.bind(where)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or monotonic() >= deadline:
                raise
        if not is_reported:
            is_reported = True
            sys.stderr.write(f"port {where[1]} is taken; waiting up to {FREED_S:g} s for it\n")
        sleep(LOOK_S)


def _check_tls(certificate: Path | None, key: Path | None, *, insecure: bool) -> None:
    """Refuse what is neither encrypted nor declared insecure, and invalid certificates."""
    if insecure and certificate:
        raise RemoteError("give one of --cert and --insecure")
    if not insecure and not certificate:
        raise RemoteError("no certificate is given; give --cert and --key, or --insecure for this machine alone")
    try:
        tls_context(str(certificate or ""), str(key or ""))
    except OSError as error:
        files = f"--cert {certificate}" + (f" with --key {key}" if key else "")
        raise RemoteError(f"cannot use {files}: {error.strerror or error}") from error
