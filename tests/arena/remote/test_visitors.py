"""Who is served next, and who makes room: no flood keeps others out."""

import asyncio
import socket

import pytest

from ballcourt.arena.remote.port import prefix_of
from ballcourt.arena.remote.visitors import Visitor, WaitingRoom, to_make_room


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


def test_nobody_makes_room_while_there_is_some() -> None:
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


def test_the_newest_connection_of_the_quietest_prefix_is_served_next() -> None:
    async def run() -> list[str]:
        room = WaitingRoom(10, 60.0)
        for visitor in visitors("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"):
            room.enter(socket.socket(), visitor)
        served = []
        for _ in range(4):
            await room.arrival()
            connection, visitor = room.take()
            connection.close()
            served.append(str(visitor))
        return served

    assert asyncio.run(run()) == ["192.0.2.2:2", "192.0.2.1:3", "192.0.2.1:1", "192.0.2.1:0"]


def test_a_full_waiting_room_closes_the_oldest_connection_of_the_busiest_prefix() -> None:
    room = WaitingRoom(2, 60.0)
    connections = [socket.socket() for _ in range(3)]
    left = [
        room.enter(connection, visitor)
        for connection, visitor in zip(connections, visitors("192.0.2.1", "192.0.2.2", "192.0.2.2"), strict=True)
    ]
    assert [str(visitor) for visitor in left if visitor] == ["192.0.2.1:0"]
    assert [connection.fileno() for connection in connections].index(-1) == 0
    room.close()
    assert all(connection.fileno() == -1 for connection in connections)
