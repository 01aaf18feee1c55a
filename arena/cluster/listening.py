"""Where the members of a cluster listen: at the addresses by which they reach each other, and nowhere else."""

import socket
from typing import Any


class WithoutPages:
    """A server of Dask without its web pages. Even without a route, Dask would listen at every address for them."""

    def start_http_server(self, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as Dask has it
        """Do nothing."""


def own_address(address: str) -> str:
    """Return this machine's address on the way to a scheduler at `SCHEME://HOST:PORT`. Raises OSError if there is none.

    Nothing is sent: connecting a datagram socket only asks for the route.
    """
    host, _, port = address.partition("://")[2].rpartition(":")
    family, kind, _, _, place = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, kind) as towards:
        towards.connect(place)
        return str(towards.getsockname()[0])
