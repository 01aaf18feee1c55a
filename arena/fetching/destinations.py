"""Which places a build may connect to, and at which addresses.

A registry that the organiser's package managers are configured with is open wherever it is, in the way that they ask
it: with encryption a build could send anything unseen, so one that is asked without it is not open to that. Where it
is, so is all else at the same address and port: a build could reach it under the registry's name as well. Other hosts
are open at port 443 if they are public: the files of a registry are often at another host.

A name is resolved once, and the connection goes to an address that was judged.
"""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from ballcourt.arena.fetching.configured import Place, configured, place_of
from ballcourt.arena.sandbox.tiers import PUBLIC

HTTPS: Final = 443
MOST_ADDRESSES: Final = 16
NAT64: Final = ip_network("64:ff9b::/96")
"""Addresses of IPv6 that end with the address of IPv4 for which they stand."""
CARRIERS: Final = tuple(map(ip_network, ("64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")))
"""Others that stand for one: by local NAT64, 6to4, Teredo and in the old compatible form."""
UNICAST: Final = ip_network("2000::/3")
"""All public addresses of IPv6."""
RESERVED: Final = ip_network("192.0.0.0/24")
"""Addresses of IPv4 for protocols, and in one cloud for metadata."""
METADATA: Final = frozenset(map(ip_address, ("168.63.129.16", "169.254.169.254", "100.100.100.200", "fd00:ec2::254")))
"""Addresses at which clouds tell a machine its secrets. The first looks public."""

Address = IPv4Address | IPv6Address


class Closed(Exception):
    """A place that builds may not reach; the sentence says why."""


class Destinations:
    """The places that are open to builds."""

    def __init__(self, hosts: Iterable[str]) -> None:
        """Open these hosts in addition to the configured registries. Raises ValueError for an invalid host name."""
        names = {*hosts}
        self._is_public_open = PUBLIC in names
        named = [place_of(name) for name in names - {PUBLIC}]
        self._named = frozenset({*named, *(place._replace(is_plain=True) for place in named)})

    async def _known(self) -> AsyncIterator[frozenset[Place]]:
        """Yield the places that are open wherever they are: first those that are quick to find out."""
        yield self._named
        found = configured()
        while (places := await asyncio.to_thread(next, found, None)) is not None:
            yield places

    async def demand_known(self, place: Place) -> None:
        """Raise Closed unless a place is open wherever it is."""
        async for known in self._known():
            if place in known:
                return
        raise Closed(
            f"{place} is closed to builds: through the proxy of this machine's environment, only registries that "
            "a package manager here is configured with are open"
        )

    async def addresses(self, place: Place) -> list[str]:
        """Return where to connect to for a place. Raises Closed, and OSError if the name cannot be resolved."""
        found = await resolved(place)
        if not place.is_plain and self._is_public_open and place.port == HTTPS and all(map(is_public, found)):
            return [*map(str, found)]
        far = {*found}
        async for known in self._known():
            if place in known:
                return [*map(str, found)]
            same = (other for other in known if not other.is_plain and other.port == place.port)
            if not place.is_plain and not (far := far - await _all_of(same)):
                return [*map(str, found)]
        raise Closed(f"{place} is closed to builds: {self._reason(place, found)}")

    def _reason(self, place: Place, found: list[Address]) -> str:
        if private := next((address for address in found if not is_public(address)), None):
            what = "it is" if str(private) == place.host else f"it has the address {private}, which is"
            return f"{what} {kind(private)}, and no registry that a package manager here is configured with"
        if not self._is_public_open:
            return "no package manager here is configured with this registry; sandbox.build.hosts may name it"
        if place.is_plain:
            return "only configured registries may be asked without encryption"
        return f"only port {HTTPS} of a public host is open"


async def resolved(place: Place) -> list[Address]:
    """Return the addresses of a host. Raises OSError."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise OSError(errno.EINVAL, "it is not the name of a host") from None
    unique = dict.fromkeys(ip_address(str(entry[4][0]).partition("%")[0]) for entry in found)
    return [*unique][:MOST_ADDRESSES]


async def _all_of(places: Iterable[Place]) -> set[Address]:
    """Return the addresses of all places whose names can be resolved."""
    found = await asyncio.gather(*map(resolved, places), return_exceptions=True)
    return {address for some in found if not isinstance(some, BaseException) for address in some}


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public internet, and not to this machine."""
    return not kind(address)


def kind(address: Address) -> str:
    """Return what keeps an address from being public; empty if it is public."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return kind(address.ipv4_mapped)
    if address in NAT64:
        return kind(IPv4Address(int(address) & 0xFFFFFFFF))
    if address in METADATA:
        return "an address for the metadata of a machine"
    if address.is_unspecified or address.is_loopback:
        return "an address of this machine"
    if address.is_link_local:
        return "an address of the local link"
    if address.is_multicast:
        return "an address of a group"
    if any(address in carrier for carrier in CARRIERS):
        return "an address that stands for another one"
    if not address.is_global or address in RESERVED or (address.version == 6 and address not in UNICAST):
        return "a private address"
    return "an address of this machine" if _is_own(address) else ""


def _is_own(address: Address) -> bool:
    """Return whether this machine has an address: only then can a socket be bound to it."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
