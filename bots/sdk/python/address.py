"""The address of a bot's arena, from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("127.0.0.1", "[::1]", "localhost")


class AddressError(ValueError):
    """The environment has an impossible address; the message says what to do."""


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
    host, _, port = host_port.rpartition(":")
    if not (host and port.isdecimal()):
        raise AddressError(f"BALLCOURT_ADDRESS is '{host_port}'; it must be HOST:PORT, for example localhost:7433")
    ca = environment.get("BALLCOURT_CA", "")
    if ca and not Path(ca).is_file():
        raise AddressError(f"BALLCOURT_CA is '{ca}'; it must be the path of a readable PEM file")
    tls = environment.get("BALLCOURT_TLS") != "off"
    if not tls and host not in LOOPBACK:
        raise AddressError(
            f"BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '{host_port}'; without TLS the host must be "
            "127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS"
        )
    return Address(host_port=host_port, ca=ca, tls=tls)
