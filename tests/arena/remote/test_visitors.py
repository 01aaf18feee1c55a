"""Who has shown a token, and who makes room: no flood keeps others out."""

import pytest

from ballcourt.arena.remote.port import prefix_of
from ballcourt.arena.remote.visitors import Visitor, to_make_room


def visitors(*addresses: str) -> list[Visitor]:
    return [Visitor(address, port) for port, address in enumerate(addresses)]


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_limits_count_by_ipv4_address_or_ipv6_network(address: str, prefix: str) -> None:
    assert prefix_of(address) == prefix


def test_no_connection_makes_room_while_there_is_some() -> None:
    assert to_make_room(visitors("192.0.2.1", "192.0.2.1"), 3) is None


def test_the_oldest_unproven_of_the_busiest_prefix_makes_room() -> None:
    here = visitors("192.0.2.1", "2001:db8::1", "2001:db8::2", "192.0.2.9")
    assert to_make_room(here, 4) is here[1]
    here[1].stream_opened()
    assert to_make_room(here, 3) is here[0]


def test_a_visitor_that_is_leaving_is_not_asked_twice() -> None:
    here = visitors("192.0.2.1", "192.0.2.1", "192.0.2.1")
    here[0].cut()
    assert to_make_room(here, 2) is here[1]


def test_a_visitor_is_proven_while_it_has_an_accepted_stream() -> None:
    (visitor,) = visitors("192.0.2.1")
    visitor.received = 100
    for _ in range(2):
        visitor.stream_opened()
    visitor.stream_ended()
    assert visitor.is_proven
    visitor.stream_ended()
    assert not visitor.is_proven
    assert visitor.received == 0
