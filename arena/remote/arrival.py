"""A look at a host before a bot is started: wait until it is open, and explain what is wrong with its TLS.

gRPC's own messages about failed handshakes name no remedy, and differ from language to language.
"""

import socket
import ssl
import time
from pathlib import Path
from typing import Final

from ballcourt.arena.remote.port import RemoteError, parse_address

RETRY_S: Final = 0.5
ATTEMPT_S: Final = 10.0
"""How long one attempt to connect or shake hands may take."""


class Unreachable(Exception):
    """A bot cannot play at an address, or probably not; the sentence says why and what to do."""

    def __init__(self, sentence: str, *, is_certain: bool = True) -> None:
        super().__init__(sentence)
        self.is_certain = is_certain


def trusted(ca: Path | None) -> ssl.SSLContext:
    """Load the certificates to trust, by default the system's. Raises RemoteError for a file without any."""
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:  # also an SSLError
        raise RemoteError(f"--ca is {ca}, which has no certificate in PEM form ({error.strerror or error})") from error
    context.set_alpn_protocols(["h2"])
    return context


def look_at(address: str, tls: ssl.SSLContext | None, *, ca: Path | None, wait_s: float) -> None:
    """Wait up to `wait_s` seconds until a host listens; with `tls`, shake hands with it once. Raises Unreachable."""
    host, port = parse_address("the address", address, insecure=False)
    with _connected(host, port, address, wait_s) as connection:
        if tls:
            _shake_hands(connection, tls, host, address, ca)


def _connected(host: str, port: int, address: str, wait_s: float) -> socket.socket:
    give_up = time.monotonic() + wait_s
    while True:
        try:
            return socket.create_connection((host, port), timeout=ATTEMPT_S)
        except socket.gaierror as error:
            raise Unreachable(f"there is no host {host} ({error.strerror}); check the address") from error
        except OSError as error:
            if time.monotonic() >= give_up:
                why = error.strerror or str(error)
                raise Unreachable(
                    f"no arena answers at {address}, tried for {wait_s:g} s ({why}); ask its organiser whether it is "
                    "open, or give it more time with --wait"
                ) from error
        time.sleep(RETRY_S)


def _shake_hands(connection: socket.socket, tls: ssl.SSLContext, host: str, address: str, ca: Path | None) -> None:
    try:
        tls.wrap_socket(connection, server_hostname=host).close()
    except ssl.SSLCertVerificationError as error:
        remedy = (
            f"ask the organiser for the certificate that belongs into {ca}"
            if ca
            else "if the organiser gave you a certificate, give it with --ca"
        )
        # without --ca, the gRPC of the bot's language may trust other certificates than this machine does
        raise Unreachable(
            f"the certificate of {address} is not trusted ({error.verify_message}); {remedy}", is_certain=bool(ca)
        ) from error
    except OSError as error:
        why = getattr(error, "reason", None) or error.strerror or "it hung up"
        raise Unreachable(
            f"{address} does not speak TLS ({why}); check the port, or give --insecure for an arena on this machine "
            "that was opened with it"
        ) from error
