"""Where the members of a cluster listen, at the addresses by which they reach each other, and how long for strangers.

Processes with this module listen so at `tls://`. Dask imports the preload of a scheduler before it listens, but calls
the function of that preload only afterwards.
"""

import asyncio
import ctypes
import gc
import socket
from collections import Counter
from typing import Any, Final

from distributed.comm.addressing import get_address_host
from distributed.comm.registry import backends
from distributed.comm.tcp import TLSBackend, TLSListener
from tornado.iostream import IOStream

HANDSHAKE_S: Final = 5.0
"""How long a visitor may take to show its certificate. Dask by itself waits without end."""
MOST_WAITING: Final = 1000
"""How many visitors may be about to show theirs; each takes about 50 KB."""

CROWD: Final = 64
"""After more visitors than that at a time, their memory is given back."""


class WithoutPages:
    """A server of Dask without its web pages. Even without a route, Dask would listen at every address for them."""

    def start_http_server(self, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as Dask has it
        """Do nothing."""


class Listener(TLSListener):
    """A listener that bounds what visitors cost who have not yet shown a certificate."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - as Dask has it
        super().__init__(*given, **named)  # type: ignore[no-untyped-call]
        self._waiting: dict[IOStream, str] = {}
        """The hosts of the visitors by their connections, in the order in which they came."""
        self._most = 0
        """How many have been there at a time since there was none."""

    async def _prepare_stream(self, stream: IOStream, address: str) -> Any:  # noqa: ANN401 - as Dask has it
        """Return a connection over which a certificate was shown; None if it was not, or not in time."""
        self._waiting[stream] = get_address_host(address)
        self._most = max(self._most, len(self._waiting))
        if len(self._waiting) > MOST_WAITING:
            self._make_room()
        end = asyncio.get_running_loop().call_later(HANDSHAKE_S, stream.close)
        try:
            return await super()._prepare_stream(stream, address)  # type: ignore[no-untyped-call]
        finally:
            end.cancel()
            self._waiting.pop(stream, None)
            if not self._waiting:
                self._clear_up()

    def _make_room(self) -> None:
        """Cut off the visitor that has waited longest, of those from the host with the most."""
        [(host, _)] = Counter(self._waiting.values()).most_common(1)
        oldest = next(stream for stream, of in self._waiting.items() if of == host)
        del self._waiting[oldest]
        oldest.close()

    def _clear_up(self) -> None:
        """Give back the memory of a crowd that has gone, which Python and the C library would keep."""
        most, self._most = self._most, 0
        if most > CROWD and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):  # musl has none
            gc.collect()
            libc.malloc_trim(0)


class _Backend(TLSBackend):
    _listener_class = Listener


backends["tls"] = _Backend()


def own_address(address: str) -> str:
    """Return this machine's address on the way to a scheduler at `SCHEME://HOST:PORT`. Raises OSError if there is none.

    Nothing is sent: connecting a datagram socket only asks for the route.
    """
    host, _, port = address.partition("://")[2].rpartition(":")
    family, kind, _, _, place = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, kind) as towards:
        towards.connect(place)
        return str(towards.getsockname()[0])
