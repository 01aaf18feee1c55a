"""Which places are open to builds, and at which addresses."""

import asyncio
import socket
from collections import Counter
from ipaddress import ip_address

import pytest

from ballcourt.arena.fetching import destinations
from ballcourt.arena.fetching.configured import Place, place_of
from ballcourt.arena.fetching.destinations import Closed, Destinations, kind

NAMES = {
    "public.example": ["93.184.216.34", "2606:2800:220:1::1"],
    "half.example": ["93.184.216.34", "10.0.0.7"],
    "mirror.example": ["10.0.0.5"],
    "neighbour.example": ["10.0.0.5"],
    "inside.example": ["10.0.0.6"],
    "metadata.example": ["169.254.169.254"],
    "plain.example": ["10.0.0.8"],
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Resolves the names of this test alone, and counts how often each was asked for."""
    counted: Counter[str] = Counter()

    def find(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        counted[host] += 1
        found = NAMES.get(host) or [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (str(ip_address(one)), port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    known = frozenset({Place("mirror.example", 443), Place("plain.example", 4873, is_plain=True)})
    monkeypatch.setattr(destinations, "configured", lambda: iter([known]))
    return counted


def opened(place: str, *hosts: str, is_plain: bool = False) -> list[str]:
    """Return at which addresses a place is open, with these hosts of the organiser."""
    return asyncio.run(Destinations(hosts).addresses(place_of(place)._replace(is_plain=is_plain)))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        *((address, "of this machine") for address in ("127.0.0.1", "127.255.0.9", "0.0.0.0", "::1", "::")),
        *((address, "of this machine") for address in ("::ffff:127.0.0.1", "64:ff9b::7f00:1")),
        *((address, "a private address") for address in ("10.0.0.1", "172.31.0.1", "192.168.1.1", "100.64.0.1")),
        *((address, "a private address") for address in ("fd12::1", "192.0.0.8", "::ffff:10.0.0.1", "240.0.0.1")),
        *((address, "for the metadata") for address in ("169.254.169.254", "100.100.100.200", "168.63.129.16")),
        *((address, "for the metadata") for address in ("fd00:ec2::254", "::ffff:169.254.169.254")),
        *((address, "of the local link") for address in ("169.254.3.4", "fe80::1")),
        *((address, "of a group") for address in ("224.0.0.1", "ff0e::1")),
        *((address, "stands for another") for address in ("2002:7f00:1::", "2001:0:1::", "64:ff9b:1::1", "::a00:1")),
        *((address, "") for address in ("93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822")),
    ],
)
def test_an_address_is_public_only_if_nothing_of_ours_can_be_behind_it(address: str, words: str) -> None:
    found = kind(ip_address(address))
    assert words in found if words else found == ""


def test_a_public_address_of_this_machine_is_not_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(destinations, "_is_own", lambda address: str(address) == "93.184.216.34")
    assert kind(ip_address("93.184.216.34")) == "an address of this machine"
    assert kind(ip_address("93.184.216.35")) == ""


def test_only_what_can_be_bound_to_is_an_address_of_this_machine() -> None:
    assert destinations._is_own(ip_address("127.0.0.1"))
    assert not destinations._is_own(ip_address("192.0.2.1"))


def test_a_public_host_is_open_at_the_addresses_that_were_judged(asked: Counter[str]) -> None:
    assert opened("public.example", "*") == NAMES["public.example"]
    assert asked == {"public.example": 1}, "a second answer could be another one"


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("half.example", "it has the address 10.0.0.7, which is a private address, and no registry that"),
        ("inside.example", "it has the address 10.0.0.6, which is a private address"),
        ("metadata.example", "which is an address for the metadata of a machine"),
        ("10.0.0.6", "it is a private address"),
        ("public.example:22", "only port 443 of a public host is open"),
        ("mirror.example:8443", "it has the address 10.0.0.5"),
        ("neighbour.example:22", "it has the address 10.0.0.5"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_other_places_are_closed_with_the_reason(place: str, why: str) -> None:
    with pytest.raises(Closed) as refused:
        opened(place, "*")
    assert str(refused.value).startswith(f"{place_of(place)} is closed to builds: ")
    assert why in str(refused.value)


@pytest.mark.usefixtures("asked")
def test_a_configured_registry_is_open_wherever_it_is_and_so_is_its_address_under_other_names() -> None:
    for hosts in (["*"], []):
        assert opened("mirror.example", *hosts) == ["10.0.0.5"]
        assert opened("neighbour.example", *hosts) == ["10.0.0.5"]
    assert opened("plain.example:4873", is_plain=True) == ["10.0.0.8"]
    with pytest.raises(Closed):
        opened("neighbour.example", is_plain=True)


@pytest.mark.usefixtures("asked")
def test_a_registry_is_open_only_in_the_way_that_package_managers_ask_it() -> None:
    for hosts in (["*"], []):
        with pytest.raises(Closed):  # a build could publish there, unseen
            opened("plain.example:4873", *hosts)
        with pytest.raises(Closed):
            opened("10.0.0.8:4873", *hosts)
        with pytest.raises(Closed):
            opened("mirror.example", *hosts, is_plain=True)
    assert opened("plain.example:4873", "plain.example:4873") == ["10.0.0.8"]


@pytest.mark.usefixtures("asked")
def test_a_host_that_the_organiser_names_is_open_at_its_port_alone() -> None:
    assert opened("inside.example:81", "inside.example:81") == ["10.0.0.6"]
    with pytest.raises(Closed):
        opened("inside.example", "inside.example:81")


@pytest.mark.usefixtures("asked")
def test_public_hosts_are_closed_if_the_organiser_wants_only_the_configured_ones() -> None:
    with pytest.raises(Closed, match=r"no package manager here is configured with this registry; sandbox\.build"):
        opened("public.example")


@pytest.mark.usefixtures("asked")
def test_without_encryption_no_public_host_is_open() -> None:
    for place in ("public.example:80", "public.example"):
        with pytest.raises(Closed, match="only configured registries may be asked without encryption"):
            opened(place, "*", is_plain=True)


@pytest.mark.parametrize("spelling", ["localhost", "2130706433", "0x7f000001", "127.1", "0177.0.0.1", "LOCALHOST"])
def test_every_spelling_of_this_machine_is_closed(spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(destinations, "configured", lambda: iter(()))
    with pytest.raises(Closed, match="of this machine"):
        opened(f"{spelling}:443", "*")


@pytest.mark.parametrize("name", ["", "a b", "a@b", "a/b", "a:b", "a:99999", "x" * 300, "https://a"])
def test_what_names_no_place_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        place_of(name)
    assert place_of("[::1]:9") == Place("::1", 9)
