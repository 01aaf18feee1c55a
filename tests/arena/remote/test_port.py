"""The addresses of hosts, and the port of one that was killed, which is taken for some seconds more."""

import socket
from collections.abc import Iterator

import pytest

from ballcourt.arena.remote import port as module
from ballcourt.arena.remote.port import RemoteError, parse_address, take_port


@pytest.fixture
def other() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def take_that_of(other: socket.socket) -> socket.socket:
    return take_port(f"127.0.0.1:{other.getsockname()[1]}", None, None, insecure=True)


@pytest.mark.parametrize(
    "address", ["https://cup.example.org:7433", "ann@here:7433", "a b:1", "here:\u0667", f"here:{'1' * 5000}"]
)
def test_what_is_more_than_host_and_port_is_refused(address: str) -> None:
    with pytest.raises(RemoteError, match=r"it must be HOST:PORT"):
        parse_address("the address", address, insecure=False)


@pytest.mark.parametrize(
    ("address", "expected"),
    [("[::1]:0", ("::1", 0)), ("here:7433", ("here", 7433)), ("bücher.example:1", ("bücher.example", 1))],
)
def test_an_address_is_split(address: str, expected: tuple[str, int]) -> None:
    assert parse_address("the address", address, insecure=False) == expected


def test_a_port_is_taken_as_soon_as_it_is_free(
    other: socket.socket, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = other.getsockname()
    monkeypatch.setattr(module, "sleep", lambda _: other.close())
    with take_that_of(other) as ours:
        assert ours.getsockname() == where
    assert capsys.readouterr().err == f"port {where[1]} is taken; waiting up to 10 s for it\n"


def test_a_port_that_stays_taken_is_named(other: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FREED_S", 0.0)
    with pytest.raises(RemoteError, match=r"^cannot listen on 127\.0\.0\.1:\d+: Address already in use; give another"):
        take_that_of(other)
