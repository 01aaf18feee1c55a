"""The address of a bot's arena, from the environment or as it is given to `connect`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HOST_PORT = re.compile(r"(\[.+\]|[^:]+):([0-9]{1,5})")
PORTS = range(1, 1 << 16)
LOOPBACK = ("127.0.0.1", "[::1]", "localhost")


class AddressError(ValueError):
    """An address is impossible; the message says what to do."""


@dataclass(frozen=True)
class Words:
    """How messages name the parts of an address."""

    address: str
    ca: str
    no_tls: str
    remedy: str
    """What to do against a connection without TLS."""


IN_ENVIRONMENT = Words("BALLCOURT_ADDRESS", "BALLCOURT_CA", "BALLCOURT_TLS is 'off'", "unset BALLCOURT_TLS")


@dataclass(frozen=True)
class Address:
    """Either a Unix socket, or a TCP address, with TLS unless both ends are on this machine."""

    socket: str = ""
    host_port: str = ""
    ca: str = ""
    """Path of the certificates to trust, PEM; empty: those the system trusts."""
    tls: bool = True

    def __str__(self) -> str:
        return self.socket or self.host_port


def address(environment: Mapping[str, str]) -> Address | None:
    """Return the arena's address, None if the environment has none. Raises AddressError."""
    if socket := environment.get("BALLCOURT_SOCKET"):
        return Address(socket=socket)
    host_port = environment.get("BALLCOURT_ADDRESS")
    if not host_port:
        return None
    return remote(host_port, environment.get("BALLCOURT_CA", ""), tls=environment.get("BALLCOURT_TLS") != "off")


def remote(host_port: str, ca: str, *, tls: bool, words: Words = IN_ENVIRONMENT) -> Address:
    """Return the address of an arena on another machine, which trusts the certificates in the file `ca`.

    An empty `ca` means those that the system trusts. Raises AddressError.
    """
    found = HOST_PORT.fullmatch(host_port)
    if not found or int(found[2]) not in PORTS:
        raise AddressError(f"{words.address} is '{host_port}'; it must be HOST:PORT, for example localhost:7433")
    if tls:
        return Address(host_port=host_port, ca=_certificates(ca, words))
    if found[1] not in LOOPBACK:
        raise AddressError(
            f"{words.no_tls} and {words.address} is '{host_port}'; without TLS the host must be "
            f"127.0.0.1, [::1] or localhost: {words.remedy}"
        )
    return Address(host_port=host_port, tls=False)


def _certificates(ca: str, words: Words) -> str:
    """Return the path of the certificates to trust, empty for those of the system. Raises AddressError."""
    try:
        data = Path(ca).read_bytes() if ca else b""
    except OSError as error:
        why = error.strerror
        raise AddressError(f"{words.ca} is '{ca}'; it must be the path of a readable PEM file: {why}") from None
    if ca and b"-----BEGIN CERTIFICATE-----" not in data:
        raise AddressError(f"{words.ca} is '{ca}'; it must be a PEM file with at least one certificate")
    return ca
