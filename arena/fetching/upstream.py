"""The organiser's own proxy, where the environment names one: all that builds fetch goes through it.

Such a proxy resolves names itself, and nothing here sees to which address. So only known registries are asked of it.
"""

import asyncio
import base64
import ssl
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from ballcourt.arena.fetching.configured import PORTS, Place

HEAD_BYTES = 32 * 1024


@dataclass(frozen=True)
class Upstream:
    """A proxy of the organiser."""

    place: Place
    is_encrypted: bool
    credentials: str
    """The value of a Proxy-Authorization header; empty if it needs none. No build sees it."""

    async def connected(self, place: Place | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to it, and through it to a place if one is given. Raises OSError."""
        context = ssl.create_default_context() if self.is_encrypted else None
        reader, writer = await asyncio.open_connection(self.place.host, self.place.port, ssl=context, limit=HEAD_BYTES)
        if place:
            try:
                await self._tunnel(reader, writer, place)
            except BaseException:
                writer.close()
                raise
        return reader, writer

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, place: Place) -> None:
        extra = f"Proxy-Authorization: {self.credentials}\r\n" if self.credentials else ""
        writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{extra}\r\n".encode())
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise OSError(f"the proxy {self.place} does not answer") from None
        status = head.split(b"\r\n")[0].decode("latin-1")
        if status.split(" ")[1:2] != ["200"]:
            raise OSError(f"the proxy {self.place} says '{status[:80]}'")


def upstream_for(scheme: str, host: str) -> Upstream | None:
    """Return the proxy that our environment names for a host; None if there is none. Raises OSError if it is odd."""
    proxies = getproxies_environment()
    address = proxies.get(scheme) or proxies.get("all")
    if not address or proxy_bypass(host):
        return None
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        place = Place(parts.hostname or "", parts.port or PORTS[parts.scheme])
    except (ValueError, KeyError):
        raise OSError(f"the variable {scheme}_proxy names no HTTP proxy") from None
    user = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    credentials = f"Basic {base64.b64encode(user.encode()).decode()}" if user != ":" else ""
    return Upstream(place, parts.scheme == "https", credentials)
