"""Where a cluster is, and the certificates that protect it.

Anyone who reaches the scheduler of a Dask cluster can run programs on all its machines. So machines use TLS, with
certificates on both sides; `tcp://` is for one machine without a sandbox.
"""

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ballcourt.arena.files import check_regular
from ballcourt.arena.remote.port import LOOPBACK, RemoteError, parse_address
from ballcourt.engine.core import WrongInput

if TYPE_CHECKING:
    from distributed import Security

LOCAL: Final = "local:"
TLS: Final = "tls://"
TCP: Final = "tcp://"
MOST_LOCAL: Final = 256


class ClusterError(WrongInput):
    """A cluster cannot be used; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Files in PEM form with which the members of a cluster recognise each other."""

    ca: Path | None = None
    """The certificate that has signed all others, or the one that all members share."""
    certificate: Path | None = None
    key: Path | None = None

    @property
    def files(self) -> dict[str, Path | None]:
        """The files by their names: flags of a worker, and keys of `cluster` for an organiser."""
        return {"ca": self.ca, "cert": self.certificate, "key": self.key}


def silence_dask() -> None:
    """Keep Dask from logging: what matters is in our own sentences."""
    for name in ("distributed", "distributed.client"):  # all others inherit from the first
        logging.getLogger(name).setLevel(logging.CRITICAL)


def local_workers(address: str) -> int | None:
    """Return the N of `local:N`; None for another address. Raises ClusterError."""
    if not address.startswith(LOCAL):
        return None
    number = address.removeprefix(LOCAL)
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= MOST_LOCAL):
        raise ClusterError(f"the cluster is '{address}'; after {LOCAL} comes a number of workers, 1 to {MOST_LOCAL}")
    return int(number)


def check_address(address: str, tier: int = 0) -> None:
    """Raise ClusterError for what is not the address of a scheduler that is safe with bots in this tier of sandbox."""
    scheme = next((known for known in (TLS, TCP) if address.startswith(known)), "")
    if not scheme:
        raise ClusterError(f"the cluster is '{address}'; it must be local:N, tls://HOST:PORT or tcp://HOST:PORT")
    try:
        parse_address("the cluster", address.removeprefix(scheme), insecure=False)
    except RemoteError as error:
        raise ClusterError(str(error)) from error
    if scheme == TCP and (tier or address.removeprefix(TCP).rpartition(":")[0].strip("[]") not in LOOPBACK):
        who = "it has a sandbox for bots that are not trusted" if tier else "it is not on this machine alone"
        raise ClusterError(
            f"the cluster is {address}, and {who}: without certificates, all who reach it can run programs as you; "
            "use tls://HOST:PORT, or local:N"
        )


def security(address: str, given: Credentials) -> "Security | None":
    """Return what Dask needs to talk to an address; None without TLS. Raises ClusterError for files it cannot use."""
    from distributed import Security

    named = [flag for flag, file in given.files.items() if file]
    if not address.startswith(TLS):
        if named:
            raise ClusterError(f"{address} does not use certificates; leave {', '.join(named)} out, or give {TLS}")
        return None
    if missing := [flag for flag, file in given.files.items() if not file]:
        raise ClusterError(f"{address} uses certificates on both sides; give {', '.join(missing)} too")
    _check_files(given)
    ca, certificate, key = map(str, given.files.values())
    roles = {
        f"tls_{role}_{part}": file
        for role in ("client", "worker", "scheduler")
        for part, file in (("cert", certificate), ("key", key))
    }
    return Security(require_encryption=True, tls_ca_file=ca, **roles)


def _check_files(given: Credentials) -> None:
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH)
    try:
        check_regular(given.ca)
        context.load_verify_locations(given.ca)
    except OSError as error:  # also an SSLError
        raise ClusterError(f"cannot use ca {given.ca}: {error.strerror or error}") from error
    try:
        assert given.certificate, "checked before"
        check_regular(given.certificate, given.key)
        context.load_cert_chain(given.certificate, given.key)
    except OSError as error:
        files = f"cert {given.certificate} with key {given.key}"
        raise ClusterError(f"cannot use {files}: {error.strerror or error}") from error
